internal import Foundation

extension SessionManager {
  /// Ends the session: here at once and whatever happens, in the store, and at the server.
  ///
  /// A sign-in or renewal under way is abandoned; whoever waits for it gets ``OstiaryError`` `signedOut`. If the session
  /// was never read from the store, what is stored is ended. Cancelling the caller's task does not stop the work.
  /// - Returns: what the server and the store said. Nobody is signed in here any more in any case.
  @discardableResult
  public func signOut() async -> SignOutReport {
    let (flight, session, isUnread) = state.withLock { state -> (Flight?, Session?, Bool) in
      defer {
        state.epoch &+= 1
        state.flight = nil
        state.credential = nil
        state.pause = nil
        state.failures = 0
        state.freshRejections = 0
        state.writer.isDirty = false
        state.writer.isLate = false
        state.stored = nil
      }
      let flight = state.flight
      let session = state.session
      switch state.phase {
      case .unread, .unreadable:
        state.phase = .signedOut(.requestedByApp)
        return (flight, nil, true)
      case .signedOut:
        return (flight, nil, false)
      case .signedIn, .rejected:
        state.phase = .signedOut(.requestedByApp)
        if let session {
          state.buried.insert(session.version.lineage)
          record(.signedOut, .requestedByApp, session, &state)
        }
        return (flight, session, false)
      }
    }
    flight?.abandon(with: Self.signedOutMeanwhile)
    log.deliver()
    let work = Task.detached { [self] in
      defer { log.deliver() }
      var report = SignOutReport()
      var ending = session
      let (stored, storeError) = await clearStore(of: session, evenUnknown: isUnread)
      report.storeError = storeError
      // Another process may have renewed the session since: the newer proof is the one the server knows.
      if let stored { ending = stored }
      if let ending { report.serverError = await endAtServer(ending) }
      return report
    }
    return await work.value
  }

  /// Removes the stored session, if it is of the sign-in that is being ended, and returns what was there.
  private func clearStore(of session: Session?, evenUnknown: Bool) async -> (Session?, OstiaryError?) {
    guard session != nil || evenUnknown else { return (nil, nil) }
    // Another process may write between looking and removing; looking again a few times outlasts it.
    for _ in 0..<8 {
      switch await store.load(key) {
      case .absent:
        return (nil, nil)
      case .unavailable(let error) where error.code == .storeCorrupt:
        return (nil, nil)
      case .unavailable(let error):
        return (nil, error)
      case .present(let data):
        let stored = try? SessionCodec.decode(data)
        if let session, let stored, stored.version.lineage != session.version.lineage { return (nil, nil) }
        if let stored {
          state.withLock { state in
            let isNew = state.buried.insert(stored.version.lineage).inserted
            if isNew { record(.signedOut, .requestedByApp, stored, &state) }
          }
        }
        do {
          try await store.remove(key, ifHolding: .exactly(data))
          return (stored, nil)
        } catch let error as OstiaryError where error.code == .storeConflict {
          continue
        } catch {
          state.withLock { state in
            state.writer.removal = data
            scheduleWriter(&state)
          }
          return (stored, Self.wrap(error))
        }
      }
    }
    return (nil, OstiaryError(.storeConflict, "Another process keeps writing the stored session."))
  }

  private func endAtServer(_ session: Session) async -> OstiaryError? {
    do {
      try await authenticator.end(session, in: context)
      return nil
    } catch {
      let error = Self.wrap(error)
      state.withLock { state in record(.endNotConfirmed, .transientFailure, session, detail: error.message, &state) }
      return error
    }
  }
}
