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
    let first = delay ?? configuration.retry.delay(afterFailures: 1)
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
          wait = retry.delay(afterFailures: failures, asked: Self.wrap(error).retryAfter)
          continue
        }
        let isDone = self.state.withLock { state in
          if state.writer.isEmpty { state.writer.task = nil }
          return state.writer.isEmpty
        }
        if isDone { return }
      }
    }
  }

  /// Removes stored bytes of a session that is over; if the store can't now, the writer will.
  func bury(_ stored: Data) async {
    do {
      try await store.remove(key, ifHolding: .exactly(stored))
    } catch let error as OstiaryError where error.code == .storeConflict {
      // Something else is stored already: nothing of ours is left.
    } catch {
      state.withLock { state in
        state.writer.removal = stored
        scheduleWriter(&state)
      }
    }
  }

  /// Does what is pending.
  private func catchUp() async throws {
    try await cookieLane.run { [self] in
      if let removal = state.withLock({ $0.writer.removal }) {
        do {
          try await store.remove(key, ifHolding: .exactly(removal))
        } catch let error as OstiaryError where error.code == .storeConflict {
          // Replaced meanwhile: gone all the same.
        }
        state.withLock { state in
          if state.writer.removal == removal { state.writer.removal = nil }
        }
      }
      try await writeIfDirty()
    }
    log.deliver()
  }

  /// Writes the session if the store is behind. Runs in the cookie lane.
  func writeIfDirty() async throws {
    let pending = state.withLock { state -> (WarmSession, StoreExpectation, UInt64)? in
      guard state.writer.isDirty, let warm = state.warm else { return nil }
      return (warm, state.stored.map(StoreExpectation.exactly) ?? .nothing, state.epoch)
    }
    guard let (warm, expectation, epoch) = pending else { return }
    let data = try SessionCodec.encode(warm.session)
    do {
      try await store.save(data, for: key, replacing: expectation)
    } catch let error as OstiaryError where error.code == .storeConflict {
      try await resolveConflict(warm, epoch: epoch)
      return
    }
    let isOurs = state.withLock { state -> Bool in
      guard state.epoch == epoch else { return false }
      state.stored = data
      if state.warm?.session == warm.session { state.writer.isDirty = false }
      if state.writer.isLate {
        state.writer.isLate = false
        record(.writeCaughtUp, .storeUnavailable, warm.session, &state)
      }
      return true
    }
    // A sign-out came between: what was just written must not stay.
    if !isOurs { try await store.remove(key, ifHolding: .exactly(data)) }
  }

  /// Somebody else changed the stored session. A later state of the same sign-in is overtaken on the next round; a
  /// removed or replaced one was signed out by another process.
  private func resolveConflict(_ warm: WarmSession, epoch: UInt64) async throws {
    let reading = await store.load(key)
    if case .unavailable(let error) = reading { throw error }
    state.withLock { state in
      guard state.epoch == epoch, state.warm === warm else { return }
      if case .present(let data) = reading, let session = try? SessionCodec.decode(data) {
        if session.version.lineage == warm.version.lineage {
          state.stored = data
          if session.version.isLater(than: warm.version) {
            state.phase = .signedIn(self.warm(session))
            state.writer.isDirty = false
            record(.adopted, .anotherProcess, session, &state)
          }
          return
        }
        state.phase = .signedIn(self.warm(session))
        state.stored = data
        record(.adopted, .anotherProcess, session, &state)
      } else {
        state.phase = .signedOut(.anotherProcess)
        state.stored = nil
        state.credential = nil
        record(.signedOut, .anotherProcess, warm.session, &state)
      }
      state.writer.isDirty = false
    }
    // Same sign-in, older state: write again, now knowing what is there.
    try await writeIfDirty()
  }
}
