internal import Foundation
public import OstiaryCore
public import OstiaryOAuth

extension SalesforceAccounts {
  /// Signs a user in by a flow, and makes them the current user. While one sign-in is under way, a caller that asks for another
  /// gets its outcome.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  @discardableResult
  nonisolated(nonsending) public func signIn(with flow: OAuthFlow) async throws -> SalesforceAccount {
    try await begin(.byHandler, .refused, flow).wait()
  }

  /// Signs a user in with a credential, and makes them the current user: tokens that were obtained elsewhere
  /// (``SalesforceTokens/proof``), or a user name and a password where `passwords` says what for.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  @discardableResult
  nonisolated(nonsending) public func signIn(
    with credential: Credential, passwords: SalesforcePasswords = .refused
  ) async throws -> SalesforceAccount {
    try await begin(credential, passwords, nil).wait()
  }

  /// Ends the sign-ins that are under way. The callers that wait for them get `interactionCancelled`; what the server still
  /// gives is given back to it. A sign-in whose session is being stored goes on.
  public func cancelSignIn() {
    let signIns = state.withLock { state in
      let signIns = state.signIns.filter { !state.landing.contains(ObjectIdentifier($0.work)) }
      state.signIns.removeAll { !state.landing.contains(ObjectIdentifier($0.work)) }
      return signIns
    }
    guard !signIns.isEmpty else { return }
    for signIn in signIns {
      signIn.work.abandon(
        with: OstiaryError(.interactionCancelled, "Signing in was cancelled.", requestMayHaveExecuted: false))
    }
    tell(.signInCancelled)
  }

  /// Begins what ``signIn(with:)`` does, before it returns; or joins the same sign-in where it is under way. Another one
  /// begins when that has ended.
  /// - Parameters:
  ///   - name: names the flow where the caller makes it anew for each call, by everything that it is made of.
  ///   - host: where, instead of at ``loginHost``.
  package func begin(
    _ flow: OAuthFlow, named name: String? = nil, at host: SalesforceLoginHost? = nil
  ) -> SalesforceSignIn {
    begin(.byHandler, .refused, flow, named: name, at: host)
  }

  /// Begins a sign-in with tokens that were obtained elsewhere, as ``begin(_:named:at:)`` does. They stay the caller's when it fails or
  /// is cancelled.
  package func begin(_ tokens: SalesforceTokens) -> SalesforceSignIn {
    begin(.proof(tokens.proof), .refused, nil, at: tokens.loginHost, of: tokens.proof)
  }

  /// Begins a sign-in with a refresh token that was obtained elsewhere, as ``begin(_:named:at:)`` does. It stays the caller's when
  /// that fails or is cancelled. Whose it is is the server's word alone.
  package func begin(refreshing refreshToken: Secret, at host: SalesforceLoginHost? = nil) -> SalesforceSignIn {
    let flow = OAuthFlow(needsPerson: false) { client, context in
      var tokens = try await client.refresh(refreshToken, in: context)
      tokens.refreshToken = tokens.refreshToken ?? refreshToken
      return tokens
    }
    let proof = Proof(tokens: [SalesforceTokens.Name.refreshToken: refreshToken])
    return begin(.byHandler, .refused, flow, at: host, of: proof)
  }

  /// - Parameter owned: tokens that stay the caller's.
  private func begin(
    _ credential: Credential, _ passwords: SalesforcePasswords, _ flow: OAuthFlow?, named name: String? = nil,
    at elsewhere: SalesforceLoginHost? = nil, of owned: Proof? = nil
  ) -> SalesforceSignIn {
    let (work, host, earlier) = state.withLock {
      state -> (SharedWork<SalesforceAccount>, SalesforceLoginHost?, SharedWork<SalesforceAccount>?) in
      let host = elsewhere ?? state.loginHost
      let key = SignInKey(credential, passwords, flow, name, host)
      if let known = state.signIns.first(where: { $0.key == key }) { return (known.work, nil, nil) }
      let (work, earlier) = (SharedWork<SalesforceAccount>(), state.signIns.last?.work)
      state.signIns.append((key, work))
      return (work, host, earlier)
    }
    if let host {
      tell(.willSignIn)
      let id = ObjectIdentifier(work)
      work.launch { [self] in
        defer { end(id) }
        // Only one person is asked at a time. How the earlier sign-in ends does not matter here.
        _ = try? await earlier?.value()
        try Task.checkCancellation()
        var authenticator = try SalesforceAuthenticator(
          host: host, clientID: clientID, authentication: authentication, flow: flow)
        authenticator.passwords = passwords
        let context = AuthenticationContext(transport: ExchangeTransport(transport), clock: clock, logger: logger)
        let grant = try await grant(for: credential, owned, authenticator, context)
        return try await add(grant, owned, authenticator, context, id)
      }
    }
    return SalesforceSignIn(work, isNew: host != nil)
  }

  private func end(_ id: ObjectIdentifier) {
    state.withLock { state in
      state.signIns.removeAll { ObjectIdentifier($0.work) == id }
      state.landing.remove(id)
    }
  }

  /// Exchanges a credential and asks whose it is. Only the second step is repeated, also by the next sign-in with the same
  /// tokens: the first may have spent them.
  private func grant(
    for credential: Credential, _ owned: Proof?, _ authenticator: SalesforceAuthenticator,
    _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    var handedOver = owned
    if case .proof(let proof) = credential { handedOver = proof }
    let kept = state.withLock { state in
      state.unidentified.flatMap { $0.proof == handedOver ? $0.grant : nil }
    }
    let grant: SessionGrant
    if let kept {
      grant = kept
    } else {
      grant = try await authenticator.signIn(with: credential, in: context)
      if let handedOver, grant.needsIdentification { state.withLock { $0.unidentified = (handedOver, grant) } }
    }
    do {
      let identified = try await identified(grant, authenticator, context)
      if let handedOver { state.withLock { if $0.unidentified?.proof == handedOver { $0.unidentified = nil } } }
      return identified
    } catch {
      // A terminal refusal has ended them. Of tokens that were not handed over nothing here knows any more.
      let isOver = (error as? OstiaryError)?.disposition == .terminal
      if handedOver == nil, !isOver { await giveBack(grant, authenticator, context) }
      throw error
    }
  }

  private func identified(
    _ grant: SessionGrant, _ authenticator: SalesforceAuthenticator, _ context: AuthenticationContext
  ) async throws -> SessionGrant {
    let policy = configuration.sessions.retry
    var failures = 0
    while true {
      do {
        return try await authenticator.identify(grant, in: context)
      } catch let error as OstiaryError where error.isTransient && failures < policy.attempts {
        failures += 1
        let wait = policy.delay(afterFailures: failures, asked: error.retryAfter)
        guard wait <= policy.longestInline else { throw error }
        try await clock.sleep(for: wait)
      }
    }
  }

  /// Makes an account of what the server has given.
  /// - Parameter id: names the sign-in.
  private func add(
    _ grant: SessionGrant, _ owned: Proof?, _ authenticator: SalesforceAuthenticator, _ context: AuthenticationContext,
    _ id: ObjectIdentifier
  ) async throws -> SalesforceAccount {
    // Once it is being written a cancellation comes too late: the caller is told what is the case.
    let isWanted = state.withLock { state in
      guard state.signIns.contains(where: { ObjectIdentifier($0.work) == id }) else { return false }
      state.landing.insert(id)
      return true
    }
    guard let identity = SalesforceUserIdentity(grant.user), isWanted else {
      if !Self.isRevoked(owned, with: grant) { await giveBack(grant, authenticator, context) }
      throw OstiaryError(.interactionCancelled, "Signing in was cancelled.", requestMayHaveExecuted: false)
    }
    let manager = makeManager(identity, authenticator, store: ReplacingStore(store, clock: clock))
    // A cancelled task does not disturb the writing.
    let writing = SharedWork<Session>()
    writing.launch { try await manager.signIn(with: grant) }
    // `value()` of a cancelled caller would not wait.
    let written = await writing.outcome
    let lineage = try written.get().version.lineage
    let connection = makeConnection(identity, manager)
    await readDevices()
    let known = state.withLock { state -> SalesforceAccount? in
      // The account may have been signed out of just this session meanwhile.
      guard !state.signedOut.contains(lineage) else { return nil }
      state.signIns.removeAll { ObjectIdentifier($0.work) == id }
      let present = state.accounts[identity]
      if let present, present.become(.loggedIn) {
        state.handDevices(of: identity, to: connection)
        present.replace(connection)
        return present
      }
      // The present one is being signed out, with what is registered for it.
      if let present { state.owe(present) }
      state.handDevices(of: identity, to: connection)
      let account = SalesforceAccount(identity, connection, isLoggedIn: true)
      state.accounts[identity] = account
      return account
    }
    guard let account = known else {
      await manager.signOut()
      throw OstiaryError(.signedOut, "The user was signed out while signing in.", requestMayHaveExecuted: false)
    }
    watch(account, manager)
    // There is a token again for what an earlier sign-out of this user has left behind. No caller waits for it.
    if !connection.push.owedRegistrationIDs.isEmpty {
      _ = connection.beginPush { try await $0.removeOwed() }
    }
    // It comes after what was begun before: a call about the account that was current then is not about this one.
    // A cancellation comes too late for it.
    try await beginSwitch(to: account).outcome.get()
    tell(.didSignIn(account))
    return account
  }

  /// Whether giving back what the server has given would end tokens that are the caller's.
  private static func isRevoked(_ owned: Proof?, with grant: SessionGrant) -> Bool {
    let tokens = grant.proof.tokens
    guard let revoked = tokens[SalesforceTokens.Name.refreshToken] ?? tokens[SalesforceTokens.Name.accessToken] else {
      return false
    }
    return owned?.tokens.values.contains(revoked) == true
  }

  private func giveBack(
    _ grant: SessionGrant, _ authenticator: SalesforceAuthenticator, _ context: AuthenticationContext
  ) async {
    let session = Session(
      kind: .salesforce, server: authenticator.server, version: ProofVersion(), grant: grant, issuedAt: clock.now)
    // A cancellation of the sign-in does not cancel this.
    let ending = SharedWork<Void>()
    ending.launch { try await authenticator.end(session, in: context) }
    _ = await ending.outcome
  }

  func makeManager(
    _ identity: SalesforceUserIdentity, _ authenticator: SalesforceAuthenticator, store: any SessionStore
  ) -> SessionManager {
    var authenticator = authenticator
    let reasons = reasons
    authenticator.renewalFlow = configuration.renewalFlow
    authenticator.revocationReason = { reasons.withLock { $0[identity] } ?? .userLogout }
    return SessionManager(
      authenticator: authenticator, transport: transport, credentials: .manual, store: store, key: Self.key(identity),
      configuration: configuration.sessions, clock: clock, logger: logger)
  }

  /// Notes what happens to an account's session by itself.
  func watch(_ account: SalesforceAccount, _ manager: SessionManager) {
    manager.onEvent { [weak self, weak account, weak manager] event in
      guard let self, let account, let manager else { return }
      let present = account.connection.manager
      switch event.kind {
      case .signedOut where present !== manager:
        // Calls of an earlier sign-in go on with the newest session. What the org has said to them of it is stored, and the present
        // manager finds it there.
        if SalesforceRevocationReason(endedBy: event.cause) == .refreshTokenExpired {
          SharedWork<Void>().launch { _ = try? await present.session() }
        }
      case .signedOut where event.cause != .requestedByApp:
        SharedWork<Void>().launch { await self.noteEnd(of: account, manager, cause: event.cause) }
      case .renewed where present === manager, .adopted where present === manager: tell(.didRenewTokens(account))
      default: break
      }
    }
  }
}
