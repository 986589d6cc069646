internal import Foundation

// What a flight finds in the store, and what the manager makes of it.
extension SessionManager {
  /// What the store held: nothing, or bytes, and the session that they are.
  struct Reading {
    var data: Data?
    var session: Session?
    /// When it was last used, where its writer knew.
    var lastUsedAt: Date?
    /// Whether what was there could not be read by anybody.
    var isDamaged = false
    /// Taken before.
    var stamp: StoreStamp?
  }

  /// Whether there is nothing in the store that is not known here, and what is known does not do.
  func hasAll(_ flight: Flight) -> Bool {
    guard let stamp = store.stamp(of: key) else { return false }
    return state.withLock { state in
      guard state.flight === flight, state.stamp == stamp, !state.writer.isDirty else { return false }
      switch state.phase {
      case .signedIn(let warm): return !warm.isFresh(at: clock)
      case .rejected: return true
      case .unread, .unreadable, .signedOut: return false
      }
    }
  }

  /// Takes over what another process has stored; while the store can't tell, what is known here is good enough.
  func look(_ flight: Flight) async throws {
    if case .success(let reading) = await readOnce(flight) { _ = try settle(reading, for: flight) }
  }

  /// Reads the store, giving an unavailable one some time.
  func readStore(_ flight: Flight) async throws -> Reading {
    let begin = clock.now
    var failures = 0
    while true {
      switch await readOnce(flight) {
      case .success(let reading): return reading
      case .failure(let error):
        let waited = clock.now.timeIntervalSince(begin)
        let isWorthIt = error.isTransient && waited >= 0 && waited < configuration.storePatience.seconds
        guard isWorthIt || failures < configuration.retry.attempts else {
          report(.storeUnavailable, error, flight)
          throw error
        }
        failures += 1
        let wait = configuration.retry.delay(afterFailures: failures, asked: error.retryAfter)
        // Somebody who unlocks a device expects to go on at once.
        try await clock.sleep(for: isWorthIt ? min(max(wait, .milliseconds(20)), .seconds(1)) : wait)
      }
    }
  }

  func readOnce(_ flight: Flight) async -> Result<Reading, OstiaryError> {
    let stamp = store.stamp(of: key)
    switch await store.load(key) {
    case .present(let data):
      do {
        let (session, lastUsedAt) = try SessionCodec.decodeWithUse(data)
        return .success(Reading(data: data, session: session, lastUsedAt: lastUsedAt, stamp: stamp))
      } catch {
        // Bytes that no version of this program wrote, or a newer one's: reported, and replaced by the next sign-in.
        report(.storeCorrupt, Self.wrap(error), flight)
        return .success(Reading(data: data, isDamaged: true))
      }
    case .absent:
      return .success(Reading(stamp: stamp))
    case .unavailable(let error) where error.code == .storeCorrupt:
      report(.storeCorrupt, error, flight)
      return .success(Reading(isDamaged: true))
    case .unavailable(let error):
      return .failure(error)
    }
  }

  private func report(_ cause: Cause, _ error: OstiaryError, _ flight: Flight) {
    state.withLock { state in
      guard state.flight === flight else { return }
      if cause == .storeUnavailable {
        switch state.phase {
        case .unread, .unreadable: state.phase = .unreadable(error)
        default: break
        }
      }
      record(.failed, cause, state.session, detail: error.message, &state)
    }
    log.deliver()
  }

  /// Takes over what the store holds, if it is news. Returns whether the flight's need is met by it.
  func settle(_ reading: Reading, for flight: Flight) throws -> Bool {
    defer { log.deliver() }
    let found = reading.session.map { warm($0) }
    return try state.withLock { state throws -> Bool in
      guard state.flight === flight else { throw Self.signedOutMeanwhile }
      let known = state.session
      if reading.isDamaged, known != nil {
        // Damage is no sign-out: what is known is written again.
        state.writer.isDirty = true
        scheduleWriter(&state)
        state.stored = reading.data
      } else if reading.data == nil, let known, Self.lineage(of: state.stored) == known.version.lineage {
        // What this manager had written is gone: another process signed out. Going on would bring the session back.
        endElsewhere(known, &state)
        throw Self.signedOutMeanwhile
      }
      if !state.writer.isDirty { state.stored = reading.data }
      state.stamp = reading.stamp
      if state.writer.endsUnread {
        state.writer.endsUnread = false
        if let session = found?.session, end(unread: session, &state) {
          Task.detached { [self] in await endAtServer(session) }
        }
      }
      if let found, isNews(found.version, state) {
        adopt(found, data: reading.data, use: reading.lastUsedAt, &state)
        // Whoever waits here asked for another user's session; nothing of theirs is done in this one's name.
        if let known, known.user.id != found.session.user.id { throw Self.signedOutMeanwhile }
      }
      if let found, state.session?.version.lineage == found.version.lineage {
        noteStored(use: reading.lastUsedAt, &state)
      }
      if case .signedIn(let warm) = state.phase, warm.isFresh(at: clock) {
        if case .signIn = flight.purpose { throw Self.alreadySignedIn(warm.session) }
        return true
      }
      return false
    }
  }

  /// Whether a stored session is one to go on with: another sign-in than the known one or a later state of it, and none
  /// that was ended here.
  private func isNews(_ found: ProofVersion, _ state: ManagerState) -> Bool {
    guard !state.buried.contains(found.lineage) else { return false }
    guard let known = state.session?.version else { return true }
    return known.lineage != found.lineage || found.isLater(than: known)
  }

  /// Goes on with what the store holds. The lock is held.
  func adopt(_ warm: WarmSession, data: Data?, use: Date?, _ state: inout ManagerState) {
    let session = warm.session
    let known = state.session
    if known?.version.lineage != session.version.lineage { state.use.last = nil }
    if let known, known.user.id != session.user.id { record(.signedOut, .anotherProcess, known, &state) }
    state.phase = .signedIn(warm)
    state.stored = data
    noteStored(use: use, &state)
    state.writer.isDirty = false
    state.writer.isLate = false
    state.pause = nil
    state.failures = 0
    record(known == nil ? .restored : .adopted, known == nil ? .foundInStore : .anotherProcess, session, &state)
  }

  /// Notes that another process signed out. The lock is held.
  func endElsewhere(_ session: Session, _ state: inout ManagerState) {
    state.phase = .signedOut(.anotherProcess)
    state.stored = nil
    state.credential = nil
    state.writer.isDirty = false
    state.writer.isLate = false
    record(.signedOut, .anotherProcess, session, &state)
  }

  func settleAbsence(_ flight: Flight) {
    state.withLock { state in
      guard state.flight === flight, state.session == nil else { return }
      if case .signedOut = state.phase { return }
      state.phase = .signedOut(.neverSignedIn)
    }
  }

  /// Prepares a session for use. Asks the authenticator, so not while the lock is held.
  func warm(_ session: Session, wasAccepted: Bool = false) -> WarmSession {
    WarmSession(
      session, attachment: authenticator.attachment(for: session), margin: configuration.expiryMargin,
      wasAccepted: wasAccepted)
  }
}
