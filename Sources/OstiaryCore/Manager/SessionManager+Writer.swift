internal import Foundation

// The background writer: one timer a session, for what could not be written at once or need not be.
extension SessionManager {
  /// Waits until everything known here is in the store. Call it before a program ends.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when the store can't be written now.
  public func flush() async throws {
    try await catchUp()
  }

  /// Makes sure that the writer comes by. The lock is held.
  func scheduleWriter(_ state: inout ManagerState, after delay: Duration? = nil) {
    guard state.writer.task == nil else { return }
    // Whatever the policy for callers who wait, the background has time.
    let least = Duration.milliseconds(50)
    let first = max(least, delay ?? configuration.retry.delay(afterFailures: 1))
    state.writer.task = Task.detached { [weak self, clock, retry = configuration.retry] in
      var failures = 0
      var wait = first
      while true {
        do { try await clock.sleep(for: wait) } catch { return }
        guard let self else { return }
        do {
          try await self.catchUp()
        } catch {
          failures += 1
          wait = max(least, retry.delay(afterFailures: failures, asked: Self.wrap(error).retryAfter))
          continue
        }
        let isDone = self.state.withLock { state in
          if state.writer.isEmpty { state.writer.task = nil }
          return state.writer.isEmpty
        }
        if isDone { return }
        failures = 0
        wait = max(first, retry.delay(afterFailures: 1))
      }
    }
  }

  /// Does what is pending.
  private func catchUp() async throws {
    defer { log.deliver() }
    try await cookieLane.run { [self] in try await writeIfDirty() }
    if state.withLock({ $0.writer.isBurying }) {
      let burial = await bury()
      if burial.isNews, let session = burial.session { await endAtServer(session) }
      if let error = burial.error { throw error }
    }
  }

  /// How often to look again when other processes keep changing what is stored.
  static var looks: Int { 8 }

  /// Writes the session if the store is behind. Runs in the cookie lane.
  func writeIfDirty() async throws {
    for _ in 0..<Self.looks {
      let now = clock.now
      let pending = state.withLock { state -> (Session, Data?, UInt64, Date?)? in
        guard let session = state.session else {
          state.writer.owesUse = false
          return nil
        }
        guard state.writer.isDirty || state.writer.owesUse else { return nil }
        return (session, state.stored, state.epoch, state.use.date(at: now))
      }
      guard let (session, stored, epoch, use) = pending else { return }
      let data = try SessionCodec.encode(session, lastUsedAt: use)
      do {
        try await store.save(data, for: key, replacing: stored.map(StoreExpectation.exactly) ?? .nothing)
      } catch let error as OstiaryError where error.code == .storeConflict {
        try await resolveConflict(session, expected: stored, epoch: epoch)
        continue
      }
      let isOurs = state.withLock { state -> Bool in
        guard state.epoch == epoch, state.session?.version.lineage == session.version.lineage else {
          state.buried.insert(session.version.lineage)
          return false
        }
        state.stored = data
        state.stamp = nil
        state.use.stored = use
        state.writer.owesUse = false
        if state.session == session { state.writer.isDirty = false }
        if state.writer.isLate {
          state.writer.isLate = false
          record(.writeCaughtUp, .storeUnavailable, session, &state)
        }
        return true
      }
      // It ended meanwhile: what was just written must not stay.
      if !isOurs { await bury() }
      return
    }
    throw OstiaryError.storeConflict
  }

  /// Somebody else changed the stored session. An older state of the same sign-in is overtaken on the next look; one
  /// that was removed or replaced was signed out by another process.
  private func resolveConflict(_ session: Session, expected: Data?, epoch: UInt64) async throws {
    let reading = await store.load(key)
    if case .unavailable(let error) = reading, error.code != .storeCorrupt { throw error }
    var found: WarmSession?
    var use: Date?
    if case .present(let data) = reading, let decoded = try? SessionCodec.decodeWithUse(data) {
      found = warm(decoded.session)
      use = decoded.lastUsedAt
    }
    state.withLock { state in
      guard state.epoch == epoch, let known = state.session, known.version == session.version else { return }
      guard let held = held(reading, insteadOf: expected, by: session.version.lineage, state) else {
        if let found, case .present(let data) = reading {
          adopt(found, data: data, use: use, &state)
        } else {
          endElsewhere(known, &state)
        }
        return
      }
      state.stored = held.data
      if held.session != nil, let found, found.version.isLater(than: known.version) {
        adopt(found, data: held.data, use: use, &state)
      }
    }
  }

  /// What a writer of a sign-in's session replaces after it found something else stored than it expected. The lock is
  /// held.
  /// - Returns: `nil` when another process has signed out of the session or replaced it.
  func held(
    _ reading: StoreReading, insteadOf expected: Data?, by lineage: UUID?, _ state: ManagerState
  ) -> (data: Data?, session: Session?)? {
    guard case .present(let data) = reading else {
      // Damaged, or removed. Removing what was left of an earlier sign-in, or was no session, says nothing of this one.
      if case .unavailable = reading { return (nil, nil) }
      guard let lineage, Self.lineage(of: expected) == lineage else { return (nil, nil) }
      return nil
    }
    guard let session = try? SessionCodec.decode(data) else { return (data, nil) }
    if session.version.lineage == lineage { return (data, session) }
    return state.buried.contains(session.version.lineage) ? (data, nil) : nil
  }

  /// The sign-in that stored bytes are of.
  static func lineage(of stored: Data?) -> UUID? {
    stored.flatMap { try? SessionCodec.decode($0) }?.version.lineage
  }
}
