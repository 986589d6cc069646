internal import Foundation
public import OstiaryCore

extension NewzuluClient {
  /// Sets who the user is. Nothing is sent.
  ///
  /// A session of this account that rests in the store is taken up, as soon as the store has been read (``restore()``
  /// waits for that). The account that was set before is left: its session stays in its store, and an authentication
  /// under way is superseded and fails.
  /// - Parameters:
  ///   - email: the e-mail address, or the name on the platform.
  ///   - password: the password. It is kept in memory until the server refuses it.
  ///   - userVHost: the tenant in which the account lives, when that is not the project's.
  ///   - store: where the session rests; in memory when nothing else is said.
  public func setCredentials(
    email: String, password: Secret, userVHost: String? = nil, store: any SessionStore = EphemeralStore()
  ) {
    // The address was checked when this client was made, and nothing else can be wrong.
    let authenticator = userVHost.flatMap { try? self.authenticator.with(vhost: $0) } ?? self.authenticator
    let name = NewzuluAccount.name(authenticator, email)
    // What is being signed out is not taken up again, nor what a superseded authentication stores.
    let isLeaving = state.withLock { state in
      state.clearings[name] != nil || (state.authentication != nil && state.account?.name == name)
    }
    let manager = makeManager(
      authenticator, email, password, key: NewzuluAccount.key(name),
      store: isLeaving ? ReplacingStore(store, clock: clock) : store)
    let account = NewzuluAccount(
      email: email, password: password, authenticator: authenticator, store: store, manager: manager, name: name)
    let (superseded, left) = exchange(account)
    SharedWork<SessionStatus>().launch { await manager.restore() }
    if let superseded { left?.supersede(superseded.manager) }
  }

  /// Forgets who the user is, and their session, here and in the store. (Not in the vendor's SDK, which has no log-out.)
  ///
  /// The user's calls and uploads that are under way end, also those that were begun when the same user was set before, and the
  /// server is told to delete what it has of the uploads, before the session is forgotten. That takes some seconds at most.
  /// - Returns: whether the stored session could be removed, and the server told; `nil` when no credentials were set, or the
  ///   calling task was cancelled before. The user is signed out here in any case.
  @discardableResult
  nonisolated(nonsending) public func clearCredentials() async -> SignOutReport? {
    (try? await beginClearing().value()) ?? nil
  }

  /// Begins what ``clearCredentials()`` does, before it returns.
  package func beginClearing() -> SharedWork<SignOutReport?> {
    let (superseded, left) = exchange(nil)
    if let superseded { left?.supersede(superseded.manager) }
    let others = takeEarlierAccounts(of: left)
    for account in others + [left].compactMap({ $0 }) { account.signOut() }
    let name = left?.name
    if let name { state.withLock { $0.clearings[name, default: 0] += 1 } }
    let work = SharedWork<SignOutReport?>()
    work.launch { [self] in
      defer { if let name { state.withLock { $0.endClearing(name) } } }
      guard let left else { return nil }
      await superseded?.manager.signOut()
      let uploadError = await endUploads(of: left, others)
      var report = await left.manager.signOut()
      // A call that still holds one of these would sign in again.
      for manager in others.flatMap({ $0.earlierManagers + [$0.manager] }) + left.earlierManagers {
        await manager.signOut()
      }
      report.serverError = report.serverError ?? uploadError
      return report
    }
    return work
  }

  private func exchange(_ account: NewzuluAccount?) -> (NewzuluAuthentication?, NewzuluAccount?) {
    state.withLock { state in
      state.generation &+= 1
      defer {
        state.account = account
        state.authentication = nil
      }
      state.earlier = (state.earlier + [state.account].compactMap { $0 }).suffix(NewzuluAccount.mostEarlier)
      return (state.authentication, state.account)
    }
  }

  /// Takes out the accounts of the same user that were set before.
  private func takeEarlierAccounts(of account: NewzuluAccount?) -> [NewzuluAccount] {
    state.withLock { state in
      defer { state.earlier.removeAll { $0.name == account?.name } }
      return state.earlier.filter { $0 !== account && $0.name == account?.name }
    }
  }

  /// Reads the stored session, if that hasn't happened yet, and says what is known. Never signs in.
  @discardableResult
  nonisolated(nonsending) public func restore() async -> SessionStatus {
    guard let manager = state.withLock({ $0.account?.manager }) else { return .signedOut(.neverSignedIn) }
    return await manager.restore()
  }

  /// Checks the credentials with the server and makes a new session, even if there is one.
  ///
  /// Callers that come while this is under way wait for the same answer. Until the server has said yes, the session that
  /// there is stays; when it says no, that session is over as well, because its password no longer is the user's.
  /// - Returns: the new session.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `interactionRequired` when no credentials were set, `invalidCredentials` when
  ///   they are wrong, `signedOut` when others were set in the meantime; otherwise what prevented the check, and then
  ///   nothing has changed.
  @discardableResult
  nonisolated(nonsending) public func authenticate() async throws -> Session { try await beginAuthentication().value() }

  /// Begins what ``authenticate()`` does, before it returns, or joins what is under way.
  package func beginAuthentication() throws -> SharedWork<Session> {
    let (authentication, isNew) = try state.withLock { state -> (NewzuluAuthentication, Bool) in
      guard let account = state.account else { throw Self.noCredentials }
      if let running = state.authentication { return (running, false) }
      let manager =
        account.password.map { password in
          makeManager(
            account.authenticator, account.email, password, key: account.key,
            store: ReplacingStore(account.store, clock: clock))
        } ?? account.manager
      let authentication = NewzuluAuthentication(generation: state.generation, manager: manager)
      state.authentication = authentication
      return (authentication, true)
    }
    // The server's answer counts even when the caller has stopped waiting.
    if isNew { authentication.work.launch { try await self.finish(authentication) } }
    return authentication.work
  }

  private func finish(_ authentication: NewzuluAuthentication) async throws -> Session {
    let result: Result<Session, any Error>
    do {
      result = .success(try await authentication.manager.session())
    } catch {
      result = .failure(error)
    }
    let (isCurrent, left) = settle(authentication, result)
    guard isCurrent else { throw Self.superseded }
    if let left { await left.signOut() }
    return try result.get()
  }

  /// Makes the outcome count. Returns whether it still matters, and the manager of a session that is over.
  private func settle(
    _ authentication: NewzuluAuthentication, _ result: Result<Session, any Error>
  ) -> (isCurrent: Bool, left: SessionManager?) {
    state.withLock { state in
      guard state.generation == authentication.generation else { return (false, nil) }
      state.authentication = nil
      // A manager that came with the account stays.
      if state.account?.password == nil { return (true, nil) }
      switch result {
      case .success:
        state.account?.manager = authentication.manager
      case .failure(let error as OstiaryError) where error.code == .invalidCredentials:
        let left = state.account?.manager
        state.account?.manager = authentication.manager
        return (true, left)
      case .failure: break
      }
      return (true, nil)
    }
  }

  static var noCredentials: OstiaryError {
    OstiaryError(
      .interactionRequired, "No e-mail address and password have been set.", advice: "Set credentials first.",
      requestMayHaveExecuted: false)
  }

  private static var superseded: OstiaryError {
    OstiaryError(
      .signedOut, "Other credentials were set while these were being checked.", requestMayHaveExecuted: false)
  }
}
