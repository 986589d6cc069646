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
        state.stamp = nil
      }
      let flight = state.flight
      let session = state.session
      switch state.phase {
      case .unread, .unreadable:
        state.phase = .signedOut(.requestedByApp)
        state.writer.endsUnread = true
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
      if session != nil || isUnread {
        let burial = await bury()
        report.storeError = burial.error
        // Another process may have renewed the session since: the newer proof is the one the server knows.
        if let stored = burial.session { ending = stored }
      }
      if let ending { report.serverError = await endAtServer(ending) }
      return report
    }
    return await work.value
  }

  /// Removes the stored session if it is of a sign-in that was ended here, and returns what was there. If the store
  /// can't now, the writer will.
  /// - Returns: the session, whether only now it is known to be over, and what went wrong.
  @discardableResult
  func bury() async -> (session: Session?, isNews: Bool, error: OstiaryError?) {
    var session: Session?
    var isNews = false
    // Another process may write between looking and removing; looking again a few times outlasts it.
    for _ in 0..<Self.looks {
      let reading = await store.load(key)
      let remainder = state.withLock { state -> Data? in
        guard case .present(let data) = reading else { return nil }
        guard let stored = try? SessionCodec.decode(data) else { return data }
        if state.writer.endsUnread { isNews = end(unread: stored, &state) || isNews }
        guard state.buried.contains(stored.version.lineage) else { return nil }
        session = stored
        return data
      }
      do {
        if case .unavailable(let error) = reading, error.code != .storeCorrupt { throw error }
        if let remainder { try await store.remove(key, ifHolding: .exactly(remainder)) }
        state.withLock { state in
          state.writer.isBurying = false
          state.writer.endsUnread = false
          if let remainder, state.stored == remainder { state.stored = nil }
        }
        return (session, isNews, nil)
      } catch let error as OstiaryError where error.code == .storeConflict {
        continue
      } catch {
        return (session, isNews, buryLater(Self.wrap(error)))
      }
    }
    return (session, isNews, buryLater(OstiaryError.storeConflict))
  }

  private func buryLater(_ error: OstiaryError) -> OstiaryError {
    state.withLock { state in
      state.writer.isBurying = true
      scheduleWriter(&state)
    }
    return error
  }

  /// Ends a session that was stored when the user signed out and could only be read now. The lock is held.
  /// - Returns: whether that is news.
  func end(unread session: Session, _ state: inout ManagerState) -> Bool {
    state.writer.endsUnread = false
    guard state.buried.insert(session.version.lineage).inserted else { return false }
    record(.signedOut, .requestedByApp, session, &state)
    return true
  }

  @discardableResult
  func endAtServer(_ session: Session) async -> OstiaryError? {
    do {
      try await authenticator.end(session, in: farewell)
      return nil
    } catch {
      let error = Self.wrap(error)
      state.withLock { state in record(.endNotConfirmed, .transientFailure, session, detail: error.message, &state) }
      log.deliver()
      return error
    }
  }
}
