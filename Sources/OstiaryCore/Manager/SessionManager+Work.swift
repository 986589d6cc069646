internal import Foundation

// The shared work itself. It runs in a task of its own and may touch the state only through `settle` functions that
// check that it is still the shared work, so that nothing in flight outlives a sign-out.
extension SessionManager {
  func work(_ flight: Flight) async throws {
    // Most needs are met by what another process has put into the store; that takes no lock.
    if case .look = flight.purpose { return try await look(flight) }
    if !hasAll(flight) {
      let reading = try await readStore(flight)
      if try settle(reading, for: flight) { return }
      settleAbsence(flight)
    }
    switch flight.purpose {
    case .look, .restore: break
    case .signIn(let credential):
      try await inTime(flight) { [self] in try await signIn(with: credential, flight) }
    case .renew:
      if case .needsCredential(let reason) = try await renew(flight) {
        throw await giveUp(flight, Self.interactionRequired(reason))
      }
    case .ensure(let cause, _):
      if case .needsCredential(let reason) = try await renew(flight) {
        try await inTime(flight) { [self] in try await signInOnDemand(flight, cause, after: reason) }
      }
    }
  }

  // MARK: Renewing

  private enum RenewalOutcome: Sendable {
    case good
    case needsCredential(OstiaryError?)
  }

  /// Renews without a credential; where that fails for a reason that may pass, a session that is not over is good enough.
  private func renew(_ flight: Flight) async throws -> RenewalOutcome {
    guard let user = state.withLock({ $0.session })?.user else { return .needsCredential(nil) }
    do {
      return try await renew(for: user, flight)
    } catch let error as OstiaryError where error.isTransient {
      guard goOn(flight) else { throw error }
      return .good
    }
  }

  private func renew(for user: Session.User, _ flight: Flight) async throws -> RenewalOutcome {
    let outcome = try await exclusively(flight) { [self] () -> RenewalOutcome in
      guard let session = try await readyToRenew(for: user, flight) else { return .good }
      do {
        let renewal = try await retrying(flight) { [self] in try await authenticator.renew(session, in: context) }
        guard case .renewed(let grant) = renewal else {
          return keepUsing(session, flight) ? .good : .needsCredential(nil)
        }
        let cause: Cause = state.withLock { $0.warm == nil } ? .rejectedByServer : .expired
        try await commit(grant, replacing: session, kind: .renewed, cause: cause, flight)
        return .good
      } catch let error as OstiaryError where error.disposition == .terminal && error.code != .signedOut {
        return state.withLock { state in
          guard state.flight === flight else { return .needsCredential(error) }
          record(.failed, .rejectedByServer, session, detail: error.message, &state)
          if let warm = state.warm {
            // A newer cookie has come meanwhile.
            if warm.version != session.version, warm.isFresh(at: clock) { return .good }
            state.phase = .rejected(warm.session, nil)
          }
          return .needsCredential(error)
        }
      }
    }
    return outcome ?? .good
  }

  /// Runs `body` with the store to itself.
  /// - Returns: `nil` when whoever has it does not finish, and has left a good session.
  private func exclusively<Result: Sendable>(
    _ flight: Flight, _ body: @Sendable () async throws -> Result
  ) async throws -> Result? {
    do {
      return try await store.withExclusiveAccess(to: key, patience: configuration.patience, body)
    } catch let error as OstiaryError where error.code == .storeUnavailable {
      // A process may have been stopped between its last write and letting go.
      guard case .success(let reading) = await readOnce(flight), try settle(reading, for: flight) else { throw error }
      return nil
    }
  }

  /// Makes sure that the store has what is known here and can be written: a rotation that cannot be saved must not
  /// begin.
  /// - Returns: the session to renew; `nil` when the store had a good one.
  private func readyToRenew(for user: Session.User, _ flight: Flight) async throws -> Session? {
    for _ in 0..<Self.looks {
      let reading = try await readStore(flight)
      if try settle(reading, for: flight) { return nil }
      let (session, isDirty) = state.withLock { ($0.session, $0.writer.isDirty) }
      guard let session, session.user.id == user.id else { throw Self.signedOutMeanwhile }
      do {
        if isDirty {
          try await cookieLane.run { [self] in try await writeIfDirty() }
        } else {
          // Writing what is there already shows whether the store can.
          if let data = reading.data {
            let stamp = try await store.saveStamped(data, for: key, replacing: .exactly(data))
            state.withLock { $0.stamp = stamp }
          }
          return session
        }
      } catch let error as OstiaryError where error.code == .storeConflict {
        continue
      }
    }
    throw OstiaryError.storeConflict
  }

  /// Goes on with a session that is past its date when nothing but a credential could renew it: a device with a wrong
  /// clock must not sign anybody out, and the server will say so itself if the session is over.
  private func keepUsing(_ session: Session, _ flight: Flight) -> Bool {
    state.withLock { state in
      guard state.flight === flight, let warm = state.warm else { return false }
      // A newer cookie has come meanwhile.
      if warm.isFresh(at: clock) { return true }
      guard warm.version == session.version else { return false }
      state.phase = .signedIn(warm.withoutDate)
      return true
    }
  }

  /// Goes on with a session that is near its date but not past it, until the next attempt is due.
  private func goOn(_ flight: Flight) -> Bool {
    state.withLock { state in
      guard state.flight === flight, let warm = state.warm else { return false }
      // A newer cookie has come meanwhile.
      if warm.isFresh(at: clock) { return true }
      let now = clock.now
      guard let end = warm.session.expiresAt, now < end else { return false }
      // A policy without waits must not make every request an attempt.
      let next = max(state.pause?.until ?? now, now.addingTimeInterval(1))
      state.phase = .signedIn(warm.fresh(until: min(end, next)))
      return true
    }
  }

  // MARK: Signing in

  /// Signs in with a credential that the app presented.
  private func signIn(with credential: Credential, _ flight: Flight) async throws {
    do {
      try await exchange(credential, cause: .requestedByApp, flight)
    } catch let error as OstiaryError where error.isRefusal {
      noteRefusal(error, flight)
      throw error
    }
  }

  /// Signs in with a credential from the source.
  private func signInOnDemand(_ flight: Flight, _ cause: Cause, after reason: OstiaryError?) async throws {
    var refusal: OstiaryError?
    for _ in 0..<max(1, configuration.maximumCredentialAttempts) {
      // The user is asked with no lock held: answering takes minutes, and other processes have their own work.
      let credential = try await credential(cause, after: refusal, because: reason, flight)
      do {
        return try await exchange(credential, cause: cause, flight)
      } catch let error as OstiaryError where error.isRefusal {
        refusal = error
        noteRefusal(error, flight)
        // A handler has asked the person as often as makes sense.
        if case .byHandler = credentials { break }
        if case .upFront = credentials {
          // Showing a refused password again would only lock the account.
          state.withLock { state in if state.flight === flight { state.credential = nil } }
          break
        }
        if error.code != .invalidCredentials { break }
      }
    }
    let cause: Cause = refusal?.code == .interactionCancelled ? .declined : .credentialRefused
    throw await giveUp(flight, refusal ?? Self.interactionRequired(reason), cause: cause)
  }

  /// Exchanges a credential for a session with the store to itself, unless the store turns out to hold a good one.
  private func exchange(_ credential: Credential, cause: Cause, _ flight: Flight) async throws {
    if case .byHandler = credential { return try await askHandler(cause: cause, flight) }
    _ = try await exclusively(flight) { [self] in
      if try settle(try await readStore(flight), for: flight) { return }
      let known = state.withLock { $0.session }
      let grant = try await retrying(flight) { [self] in
        try await authenticator.signIn(with: credential, in: context(for: flight, replacing: known))
      }
      try await commit(grant, replacing: known, kind: .signedIn, cause: cause, flight)
    }
  }

  /// Lets the authenticator's handlers ask a person. No lock is held meanwhile, as with every question, and what failed
  /// is not tried again unasked.
  private func askHandler(cause: Cause, _ flight: Flight) async throws {
    let known = state.withLock { $0.session }
    let grant = try await authenticator.signIn(with: .byHandler, in: context(for: flight, replacing: known))
    let isWanted = try await exclusively(flight) { [self] in
      if try settle(try await readStore(flight), for: flight) { return false }
      try await commit(grant, replacing: known, kind: .signedIn, cause: cause, flight)
      return true
    }
    // Another process was quicker.
    if isWanted != true { discard(grant) }
  }

  private func noteRefusal(_ error: OstiaryError, _ flight: Flight) {
    state.withLock { state in
      guard state.flight === flight else { return }
      record(.failed, .credentialRefused, state.session, detail: error.message, &state)
    }
  }

  /// A credential from the source, or the end of the matter.
  private func credential(
    _ cause: Cause, after refusal: OstiaryError?, because reason: OstiaryError?, _ flight: Flight
  ) async throws -> Credential {
    guard state.withLock({ $0.flight }) === flight else { throw Self.signedOutMeanwhile }
    switch credentials {
    case .manual:
      throw await giveUp(flight, Self.interactionRequired(reason))
    case .upFront:
      guard let credential = state.withLock({ $0.credential }) else {
        throw await giveUp(flight, Self.interactionRequired(reason))
      }
      return credential
    case .byHandler:
      return .byHandler
    case .onRequest(let ask):
      let previous = state.withLock { $0.session }?.user
      do {
        return try await ask(
          CredentialRequest(kind: authenticator.kind, previousUser: previous, cause: cause, previousError: refusal))
      } catch {
        let declined = OstiaryError(
          .interactionCancelled, "Signing in was declined.", requestMayHaveExecuted: false,
          underlying: error is CancellationError ? nil : error)
        throw await giveUp(flight, (error as? OstiaryError) ?? declined, cause: .declined)
      }
    }
  }

  static func interactionRequired(_ reason: OstiaryError?) -> OstiaryError {
    OstiaryError(
      .interactionRequired, reason.map { "Nobody is signed in: \($0.message)" } ?? "Nobody is signed in.",
      requestMayHaveExecuted: false, underlying: reason)
  }

  // MARK: Trying again

  /// Runs one exchange with the server, again when a failure may pass and callers can be made to wait that long.
  private func retrying<Result: Sendable>(
    _ flight: Flight, _ exchange: @Sendable () async throws -> Result
  ) async throws -> Result {
    var failures = 0
    while true {
      do {
        let result = try await exchange()
        state.withLock { state in
          guard state.flight === flight else { return }
          state.failures = 0
          if state.freshRejections < configuration.maximumFreshRejections { state.pause = nil }
        }
        return result
      } catch {
        let error = Self.wrap(error)
        guard error.isTransient, state.withLock({ $0.flight }) === flight else { throw error }
        failures += 1
        let wait = configuration.retry.delay(afterFailures: failures, asked: error.retryAfter)
        guard failures <= configuration.retry.attempts, wait <= configuration.retry.longestInline else {
          state.withLock { state in
            guard state.flight === flight else { return }
            pauseAttempts(&state, after: error)
            record(.failed, .transientFailure, state.session, detail: error.message, &state)
          }
          throw error
        }
        try await clock.sleep(for: wait)
      }
    }
  }
}

extension OstiaryError {
  /// Whether the server refused a credential, for good.
  fileprivate var isRefusal: Bool { disposition == .terminal && code != .signedOut }
}
