internal import Foundation

// The shared work itself. It runs in a task of its own and may touch the state only through `settle` functions that
// check the epoch, so that nothing in flight outlives a sign-out.
extension SessionManager {
  func work(_ flight: Flight) async throws {
    // Most needs are met by what another process has put into the store; that takes no lock.
    if case .look = flight.purpose { return try await look(flight) }
    let reading = try await readStore(flight)
    if try settle(reading, for: flight) { return }
    settleAbsence(flight)
    switch flight.purpose {
    case .look, .restore: break
    case .signIn(let credential):
      try await signIn(with: credential, flight)
    case .renew:
      if case .needsCredential(let reason) = try await renew(flight) {
        throw await giveUp(flight, Self.interactionRequired(reason))
      }
    case .ensure(let cause):
      if case .needsCredential(let reason) = try await renew(flight) {
        try await signInOnDemand(flight, cause, after: reason)
      }
    }
  }

  // MARK: The store

  /// What the store held: nothing, or bytes, and the session that they are.
  private struct Reading {
    var data: Data?
    var session: Session?
    /// When it was last used, where its writer knew.
    var lastUsedAt: Date?
    /// Whether what was there could not be read by anybody.
    var isDamaged = false
    /// Taken before.
    var stamp: StoreStamp?
  }

  /// Takes over what another process has stored; while the store can't tell, what is known here is good enough.
  private func look(_ flight: Flight) async throws {
    if case .success(let reading) = await readOnce(flight) { _ = try settle(reading, for: flight) }
  }

  /// Reads the store, giving an unavailable one some time.
  private func readStore(_ flight: Flight) async throws -> Reading {
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

  private func readOnce(_ flight: Flight) async -> Result<Reading, OstiaryError> {
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
      guard state.epoch == flight.epoch else { return }
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
  private func settle(_ reading: Reading, for flight: Flight) throws -> Bool {
    defer { log.deliver() }
    let found = reading.session.map { warm($0) }
    return try state.withLock { state throws -> Bool in
      guard state.epoch == flight.epoch else { throw Self.signedOutMeanwhile }
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

  private func settleAbsence(_ flight: Flight) {
    state.withLock { state in
      guard state.epoch == flight.epoch, state.session == nil else { return }
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

  // MARK: Renewing

  private enum RenewalOutcome: Sendable {
    case good
    case needsCredential(OstiaryError?)
  }

  /// Renews without a credential.
  private func renew(_ flight: Flight) async throws -> RenewalOutcome {
    guard let user = state.withLock({ $0.session })?.user else { return .needsCredential(nil) }
    return try await store.withExclusiveAccess(to: key, patience: configuration.patience) { [self] in
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
          guard state.epoch == flight.epoch else { return .needsCredential(error) }
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
            try await store.save(data, for: key, replacing: .exactly(data))
            state.withLock { $0.stamp = nil }
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
      guard state.epoch == flight.epoch, let warm = state.warm else { return false }
      // A newer cookie has come meanwhile.
      if warm.isFresh(at: clock) { return true }
      guard warm.version == session.version else { return false }
      state.phase = .signedIn(warm.withoutDate)
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
        if case .upFront = credentials {
          // Showing a refused password again would only lock the account.
          state.withLock { state in if state.epoch == flight.epoch { state.credential = nil } }
          break
        }
        if error.code != .invalidCredentials { break }
      }
    }
    throw await giveUp(flight, refusal ?? Self.interactionRequired(reason), cause: .credentialRefused)
  }

  /// Exchanges a credential for a session with the store to itself, unless the store turns out to hold a good one.
  private func exchange(_ credential: Credential, cause: Cause, _ flight: Flight) async throws {
    try await store.withExclusiveAccess(to: key, patience: configuration.patience) { [self] in
      if try settle(try await readStore(flight), for: flight) { return }
      let known = state.withLock { $0.session }
      let grant = try await retrying(flight) { [self] in
        try await authenticator.signIn(with: credential, in: context)
      }
      try await commit(grant, replacing: known, kind: .signedIn, cause: cause, flight)
    }
  }

  private func noteRefusal(_ error: OstiaryError, _ flight: Flight) {
    state.withLock { state in
      guard state.epoch == flight.epoch else { return }
      record(.failed, .credentialRefused, state.session, detail: error.message, &state)
    }
  }

  /// A credential from the source, or the end of the matter.
  private func credential(
    _ cause: Cause, after refusal: OstiaryError?, because reason: OstiaryError?, _ flight: Flight
  ) async throws -> Credential {
    guard state.withLock({ $0.epoch }) == flight.epoch else { throw Self.signedOutMeanwhile }
    switch credentials {
    case .manual:
      throw await giveUp(flight, Self.interactionRequired(reason))
    case .upFront:
      guard let credential = state.withLock({ $0.credential }) else {
        throw await giveUp(flight, Self.interactionRequired(reason))
      }
      return credential
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
          guard state.epoch == flight.epoch else { return }
          state.failures = 0
          if state.freshRejections < configuration.maximumFreshRejections { state.pause = nil }
        }
        return result
      } catch {
        let error = Self.wrap(error)
        guard error.isTransient, state.withLock({ $0.epoch }) == flight.epoch else { throw error }
        failures += 1
        let wait = configuration.retry.delay(afterFailures: failures, asked: error.retryAfter)
        guard failures <= configuration.retry.attempts, wait <= configuration.retry.longestInline else {
          state.withLock { state in
            guard state.epoch == flight.epoch else { return }
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
