internal import Foundation

// How the shared work ends: a new session is written and then seen, a late one is thrown away, an old one is over.
extension SessionManager {
  /// Makes a grant the session: written first, then seen. In the cookie lane, so that no write of this manager's own
  /// comes between.
  func commit(
    _ grant: SessionGrant, replacing base: Session?, kind: SessionEvent.Kind, cause: Cause, _ flight: Flight
  ) async throws {
    try await cookieLane.run { [self] in
      let start = state.withLock { state in
        isWanted(flight, replacing: base, state) ? (known: state.session, stored: state.stored) : nil
      }
      // Of a renewal's session only.
      let known = kind == .renewed ? start?.known : nil
      var stored = start?.stored
      // Cookies may have raised the revision since the renewal began.
      var session = Session(
        kind: authenticator.kind, server: authenticator.server, version: known?.version.next ?? ProofVersion(),
        grant: grant, issuedAt: clock.now)
      guard start != nil else { throw discard(session) }
      if let known, let base {
        session.proof.cookies.takeOver(changesFrom: base.proof.cookies, to: known.proof.cookies)
      }
      // Signing in and renewing are uses, too.
      let use = session.issuedAt
      var data = try SessionCodec.encode(session, lastUsedAt: use)
      var writeError: OstiaryError?
      var stamp: StoreStamp?
      for _ in 0..<Self.looks {
        do {
          stamp = try await store.saveStamped(
            data, for: key, replacing: stored.map(StoreExpectation.exactly) ?? .nothing)
          writeError = nil
          break
        } catch let error as OstiaryError where error.code == .storeConflict {
          writeError = error
          // Others write cookies, and sign out, without waiting for whoever holds the store exclusively.
          let reading = await store.load(key)
          if case .unavailable(let error) = reading, error.code != .storeCorrupt {
            writeError = error
            break
          }
          let lineage = base?.version.lineage
          let held = state.withLock { state in self.held(reading, insteadOf: stored, by: lineage, state) }
          guard let held else { throw discard(session) }
          stored = held.data
          if kind == .renewed, let base, let found = held.session {
            session.proof.cookies.takeOver(changesFrom: base.proof.cookies, to: found.proof.cookies)
            if !session.version.isLater(than: found.version) { session = session.revised(found.version.next) }
            data = try SessionCodec.encode(session, lastUsedAt: use)
          }
        } catch {
          writeError = Self.wrap(error)
          break
        }
      }
      let write = writeError.map(Result.failure) ?? .success(stamp)
      guard show(session, data: data, write, over: stored, replacing: base, kind: kind, cause: cause, flight)
      else {
        // The write may have been done though it failed.
        await bury()
        throw discard(session)
      }
    }
  }

  /// Whether what a flight found out is still for the session that it started from. The lock is held.
  private func isWanted(_ flight: Flight, replacing base: Session?, _ state: ManagerState) -> Bool {
    state.flight === flight && state.session?.version.lineage == base?.version.lineage
  }

  /// Shows a session that has been written, or could not be. Returns whether it is still wanted.
  private func show(
    _ session: Session, data: Data, _ write: Result<StoreStamp?, OstiaryError>, over stored: Data?,
    replacing base: Session?, kind: SessionEvent.Kind, cause: Cause, _ flight: Flight
  ) -> Bool {
    let warm = warm(session)
    return state.withLock { state in
      guard isWanted(flight, replacing: base, state) else {
        state.buried.insert(session.version.lineage)
        return false
      }
      if let known = state.session, known.version.lineage != session.version.lineage {
        // What the store may still hold of it is over.
        state.buried.insert(known.version.lineage)
        if known.user.id != session.user.id { record(.signedOut, .superseded, known, &state) }
      }
      state.phase = .signedIn(warm)
      state.use = SessionUse(last: session.issuedAt, stored: nil)
      state.writer.owesUse = false
      flight.granted.withLock { $0 = session }
      record(kind, cause, session, &state)
      switch write {
      case .failure(let error):
        state.stored = stored
        state.writer.isDirty = true
        state.writer.isLate = true
        record(.writeDelayed, .storeUnavailable, session, detail: error.message, &state)
        scheduleWriter(&state)
      case .success(let stamp):
        state.stored = data
        state.stamp = stamp
        state.use.stored = session.issuedAt
        state.writer.isDirty = false
        state.writer.isLate = false
      }
      return true
    }
  }

  /// Throws a late session away: it is ended at the server, because nobody else knows of it any more.
  private func discard(_ session: Session) -> OstiaryError {
    state.withLock { state in record(.discarded, .superseded, session, &state) }
    Task.detached { [self] in try? await authenticator.end(session, in: farewell) }
    return Self.signedOutMeanwhile
  }

  /// Throws away what a handler was given, because another process has signed in meanwhile.
  func discard(_ grant: SessionGrant) {
    _ = discard(
      Session(
        kind: authenticator.kind, server: authenticator.server, version: ProofVersion(), grant: grant,
        issuedAt: clock.now))
    log.deliver()
  }

  /// Ends the session for good, because the server or the user said so, and returns the error to throw.
  func giveUp(_ flight: Flight, _ error: OstiaryError, cause: Cause? = nil) async -> OstiaryError {
    let hasEnded = state.withLock { state in
      guard state.flight === flight else { return false }
      // A newer cookie has come meanwhile.
      if let warm = state.warm, warm.isFresh(at: clock) { return false }
      let session = state.session
      switch (state.phase, cause) {
      case (.signedOut, nil): break
      default: state.phase = .signedOut(cause ?? .rejectedByServer)
      }
      guard let session else {
        if let cause, cause == .declined { record(.failed, cause, nil, detail: error.message, &state) }
        return false
      }
      state.buried.insert(session.version.lineage)
      record(.signedOut, cause ?? .rejectedByServer, session, detail: error.message, &state)
      state.writer.isDirty = false
      state.writer.isLate = false
      state.stored = nil
      state.stamp = nil
      return true
    }
    if hasEnded { await bury() }
    return error
  }
}
