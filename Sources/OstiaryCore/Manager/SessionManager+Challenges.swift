internal import Foundation

// Challenges: who waits for the answer, who is told that there is none, and how a sign-in ends before its time.
extension SessionManager {
  /// Ends a sign-in or renewal under way: everybody who waits for it gets ``OstiaryError`` `interactionCancelled`, also
  /// when a challenge handler never ends. What it still finds out is thrown away. A session stays as it was.
  /// - Returns: whether there was one.
  @discardableResult
  public func cancelSignIn() -> Bool {
    guard let flight = state.withLock({ $0.flight }), flight.purpose.needsServer else { return false }
    let error = OstiaryError(
      .interactionCancelled, "The sign-in was cancelled.", requestMayHaveExecuted: false)
    return abandon(flight, with: error, cause: .declined)
  }

  /// Ends work from outside, if it is still under way.
  @discardableResult
  func abandon(_ flight: Flight, with error: OstiaryError, cause: Cause) -> Bool {
    let isUnderWay = state.withLock { state in
      guard state.flight === flight else { return false }
      state.flight = nil
      if case .rejected(let session, _) = state.phase { state.phase = .rejected(session, error) }
      noteDisappointment(error, &state)
      record(.failed, cause, state.session, detail: error.message, &state)
      return true
    }
    guard isUnderWay else { return false }
    flight.abandon(with: error)
    log.deliver()
    return true
  }

  /// Runs the part of a flight that may wait for a person, and ends the flight when that takes too long, though the
  /// work itself may never end.
  func inTime<Result: Sendable>(
    _ flight: Flight, _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let patience = configuration.signInPatience else { return try await work() }
    let watchdog = Task.detached { [self] in
      do { try await clock.sleep(for: patience) } catch { return }
      let error = OstiaryError(
        .signInTimedOut, "Nobody answered the sign-in in time.", requestMayHaveExecuted: false)
      abandon(flight, with: error, cause: .timedOut)
    }
    defer { watchdog.cancel() }
    return try await work()
  }

  // MARK: Requests without a session

  /// What is known for a request that needs no proof unless challenged: waits for what is under way, reads the store if
  /// that has not happened, and never begins a sign-in.
  /// - Throws: ``OstiaryError`` when a sign-in that it waited for ends without a session, or the store can't be read.
  func settled() async throws -> WarmSession? {
    while true {
      try Task.checkCancellation()
      let (flight, isUnread) = state.withLock { state -> (Flight?, Bool) in
        switch state.phase {
        case .unread, .unreadable: (state.flight, true)
        default: (state.flight, false)
        }
      }
      if let flight, flight.purpose.needsServer {
        do {
          try await flight.wait()
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // A failed attempt of the app's own is nothing to those who need no session.
          if flight.speaks(for: .ensure(.challenged)), !Self.isNoChallenge(error) { throw error }
        }
        continue
      }
      guard isUnread else { return state.withLock { $0.warm } }
      try await join(.restore)
    }
  }

  /// Whether a sign-in may ask somebody.
  var asksSomebody: Bool {
    switch credentials {
    case .manual, .upFront: false
    case .onRequest, .byHandler: true
    }
  }

  /// How many sign-ins have failed for good, for a request to remember when it is sent.
  var disappointments: UInt64 { state.withLock { $0.disappointments.count } }

  /// Gets a session after a server refused a proof, or demanded one.
  /// - Parameter count: how many sign-ins had failed for good when the request was sent. One that failed since has been
  ///   heard by the person; nobody is asked again for a request from before.
  func session(after challenge: Challenge, isFirst: Bool, since count: UInt64) async throws {
    let told = state.withLock { state -> OstiaryError? in
      state.disappointments.count != count && state.warm == nil && state.flight == nil
        ? state.disappointments.last : nil
    }
    if let told { throw told }
    _ = try await warmSession(.ensure(isFirst ? .challenged : .rejectedByServer, challenge))
  }

  /// Notes that a sign-in for requests failed for good. The lock is held.
  func noteDisappointment(_ error: OstiaryError, _ state: inout ManagerState) {
    state.disappointments = (state.disappointments.count &+ 1, error)
  }

  /// Whether a handler said that what was recognised is no challenge after all.
  static func isNoChallenge(_ error: any Error) -> Bool { (error as? OstiaryError)?.code == .notChallenged }
}
