internal import Foundation

// How callers meet the shared work: who starts it, who joins it, who is told at once.
extension SessionManager {
  /// A session that is good now, by whatever `purpose` allows.
  func warmSession(_ purpose: Flight.Purpose) async throws -> WarmSession {
    // Every turn either returns, throws or waits for a flight to land, and a flight that lands well leaves a session.
    // The bound catches a server whose sessions are over as soon as they begin.
    try await lookAgain()
    for _ in 0...configuration.maximumFreshRejections {
      try Task.checkCancellation()
      if let warm = state.withLock({ $0.warm }), warm.isFresh(at: clock) { return warm }
      try await join(purpose)
    }
    if let warm = state.withLock({ $0.warm }), warm.isFresh(at: clock) { return warm }
    throw OstiaryError(.challengedAgain, "The server keeps ending the sessions that it gives.")
  }

  /// Sees whether another process has changed what is stored, if the store can tell quickly: its sign-out counts before
  /// the proof is used again.
  /// - Throws: ``OstiaryError`` `signedOut` when the session is over, or another user's is there instead.
  func lookAgain() async throws {
    let (isSignedIn, known) = state.withLock { ($0.warm != nil, $0.stamp) }
    guard isSignedIn, let stamp = store.stamp(of: key), stamp != known else { return }
    do {
      try await join(.look)
    } catch let error as OstiaryError where error.code == .signedOut {
      throw error
    } catch {
      // What else came of it shows in the state.
    }
  }

  /// Joins the shared work, or starts it, and waits until it has landed.
  func join(_ purpose: Flight.Purpose) async throws {
    while true {
      let flight = try state.withLock { state throws -> Flight in
        if let flight = state.flight { return flight }
        // Looking again: between the caller's look and this lock, work for the same need may have landed.
        if purpose.needsServer, let error = pause(state) { throw error }
        return startFlight(purpose, &state)
      }
      do {
        try await flight.wait()
        if flight.serves(purpose) { return }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Signing out ends what everybody waits for, whatever they joined.
        if flight.speaks(for: purpose) || (error as? OstiaryError)?.code == .signedOut { throw error }
        if Task.isCancelled { throw CancellationError() }
      }
    }
  }

  /// Starts work. The lock is held.
  func startFlight(_ purpose: Flight.Purpose, _ state: inout ManagerState) -> Flight {
    let flight = Flight(purpose: purpose)
    state.flight = flight
    flight.launch { [self] in
      defer { log.deliver() }
      do {
        try await work(flight)
        land(flight, nil)
      } catch {
        land(flight, Self.wrap(error))
        throw error
      }
    }
    return flight
  }

  /// Takes the finished work out of the way before its waiters wake.
  private func land(_ flight: Flight, _ error: OstiaryError?) {
    state.withLock { state in
      guard state.flight === flight else { return }
      state.flight = nil
      guard let error else { return }
      if case .rejected(let session, _) = state.phase { state.phase = .rejected(session, error) }
      // What may pass has its own pause.
      if case .ensure = flight.purpose, !error.isTransient { noteDisappointment(error, &state) }
    }
  }

  // MARK: What responses say

  /// Notes that the server accepted a request with this proof.
  func noteAccepted(_ warm: WarmSession) {
    guard warm.noteAccepted() else { return }
    state.withLock { state in
      guard state.warm === warm else { return }
      state.freshRejections = 0
    }
  }

  /// Notes that the server refused a proof. A late word about an old proof changes nothing.
  func noteRejected(_ version: ProofVersion, reason: String) {
    state.withLock { state in
      guard let warm = state.warm, warm.version == version else { return }
      if !warm.wasAccepted {
        state.freshRejections += 1
        if state.freshRejections >= configuration.maximumFreshRejections {
          let error = OstiaryError(
            .challengedAgain, "The server refused \(state.freshRejections) new sessions in a row: \(reason).")
          pauseAttempts(&state, after: error)
        }
      }
      state.phase = .rejected(warm.session, nil)
      record(.rejected, .rejectedByServer, warm.session, detail: reason, &state)
    }
    log.deliver()
  }

  /// Makes callers wait after a failure that may pass. The lock is held.
  func pauseAttempts(_ state: inout ManagerState, after error: OstiaryError) {
    state.failures += 1
    let wait = configuration.retry.delay(afterFailures: state.failures, asked: error.retryAfter)
    let now = clock.now
    state.pause = (now, now.addingTimeInterval(wait.seconds), error)
  }

  /// What to tell callers while no attempt is made. The lock is held.
  func pause(_ state: ManagerState, ifServerAsked: Bool = false) -> OstiaryError? {
    let now = clock.now
    guard let pause = state.pause, pause.from <= now, now < pause.until else { return nil }
    guard !ifServerAsked || pause.error.retryAfter != nil else { return nil }
    return pause.error.waiting(until: pause.until, now: now)
  }

  // MARK: Events

  /// Records an event. The lock is held; whoever holds it calls `log.deliver()` after letting go, which logs it too.
  func record(
    _ kind: SessionEvent.Kind, _ cause: Cause, _ session: Session?, detail: String? = nil, _ state: inout ManagerState
  ) {
    let date = clock.now
    log.record { number in
      SessionEvent(
        number: number, date: date, kind: kind, cause: cause, user: session?.user.id, host: home?.host,
        version: session?.version, detail: detail)
    }
  }
}

extension OstiaryError {
  /// The same error, saying how long to wait from now.
  func waiting(until: Date, now: Date) -> OstiaryError {
    guard isTransient else { return self }
    var error = self
    error.disposition = .transient(retryAfter: .seconds(max(0, until.timeIntervalSince(now))))
    return error
  }
}
