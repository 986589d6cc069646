internal import Foundation
internal import Ostiary
internal import OstiaryOAuth
internal import OstiarySalesforce

extension SFUserAccountManager {
  /// Gets the account that has logged in.
  public typealias SuccessCallback = @MainActor @Sendable (SFOAuthInfo, SFUserAccount) -> Void
  /// Gets what went wrong.
  public typealias FailureCallback = @MainActor @Sendable (SFOAuthInfo, any Error) -> Void

  /// Logs a user in, in the system's browser or by ``authorizationFlow``, and makes them the current user. While one
  /// login is under way, a caller that asks for another gets its outcome.
  /// - Returns: whether a login has begun; `false` when one is under way already, and when ``oauthClientId`` is not set or
  ///   there is no way to log in, neither a flow nor a usable ``oauthCompletionUrl``: then the failure block is called.
  @preconcurrency
  @discardableResult
  public func login(completion: SuccessCallback? = nil, failure: FailureCallback? = nil) -> Bool {
    let information = SFOAuthInfo(.advancedBrowser)
    let name = authorizationFlow == nil ? "browser \(oauthCompletionUrl ?? "") \(scopes.sorted())" : nil
    guard !oauthClientId.isEmpty, let flow = authorizationFlow ?? browserFlow else {
      let error = OstiaryError(
        .invalidInput, "There is no way to log in.",
        advice: "Set oauthClientId and oauthCompletionUrl as the connected app has them.",
        requestMayHaveExecuted: false)
      MainActorDelivery.deliver { failure?(information, error) }
      return false
    }
    return begin(flow, name, information, completion, failure)
  }

  /// Logs a user in with a signed assertion, as ``login(completion:failure:)`` does.
  @preconcurrency
  @discardableResult
  public func login(
    withJwtToken jwtToken: String, completion: SuccessCallback? = nil, failure: FailureCallback? = nil
  ) -> Bool {
    guard !oauthClientId.isEmpty else { return login(completion: completion, failure: failure) }
    let token = Secret(jwtToken)
    return begin(
      .assertion { _ in token }, "assertion \(jwtToken)", SFOAuthInfo(.jwtTokenExchange), completion, failure)
  }

  /// Ends a login that is under way.
  public func stopCurrentAuthentication() {
    accounts.cancelSignIn()
  }

  /// Makes sure that an account's tokens are good: the server is asked, and they are renewed if it says that they are not.
  @preconcurrency
  @discardableResult
  public func refreshCredentials(
    _ account: SFUserAccount, completion: SuccessCallback? = nil, failure: FailureCallback? = nil
  ) -> Bool {
    run(SFOAuthInfo(.refresh), completion, failure) {
      try await account.underlying.connection.verify()
      return account.underlying
    }
    return true
  }

  /// Makes an account the current one. One that is not logged in changes nothing.
  /// - Parameter completion: is called when that is done.
  @preconcurrency
  public func switchToUser(
    _ newCurrentUser: SFUserAccount?, completion: (@MainActor @Sendable () -> Void)? = nil
  ) {
    end(accounts.beginSwitch(to: newCurrentUser?.underlying), completion) {}
  }

  /// Leaves the current account without logging it out, for another user to log in.
  public func switchToNewUser() {
    switchToUser(nil)
  }

  // MARK: Logging out

  /// Logs the current account out.
  /// - Parameter completion: is called when that is done, which the server delays by some seconds at most. (Not in the
  ///   vendor's SDK, which posts notifications.)
  @preconcurrency
  public func logout(completion: (@MainActor @Sendable () -> Void)? = nil) {
    end(accounts.beginSignOutCurrent(), completion) { _ = await $0?.result() }
  }

  /// Logs an account out.
  @preconcurrency
  public func logoutUser(_ user: SFUserAccount, completion: (@MainActor @Sendable () -> Void)? = nil) {
    end(CapturedCall(.success(accounts.beginSignOut(user.underlying))), completion) { _ = await $0?.result() }
  }

  /// Logs all accounts out.
  @preconcurrency
  public func logoutAllUsers(completion: (@MainActor @Sendable () -> Void)? = nil) {
    end(accounts.beginSignOutAll(), completion) { for signOut in $0 { _ = await signOut.result() } }
  }

  // MARK: Inside

  /// Begins a login before it returns, so that ``stopCurrentAuthentication()`` can be called at once.
  private func begin(
    _ flow: OAuthFlow, _ name: String?, _ information: SFOAuthInfo, _ completion: SuccessCallback?,
    _ failure: FailureCallback?
  ) -> Bool {
    let signIn = accounts.begin(flow, named: name)
    run(information, completion, failure) {
      let account = try await signIn.wait()
      // The vendor's SDK asks too, so that the name is known. The login does not fail when this call does.
      if account.username == nil { _ = try? await account.connection.verify() }
      return account
    }
    return signIn.isNew
  }

  private func run(
    _ information: SFOAuthInfo, _ completion: SuccessCallback?, _ failure: FailureCallback?,
    _ work: @escaping @Sendable () async throws -> SalesforceAccount
  ) {
    CapturedCall(.success(())).start {
      SFUserAccount(try await work())
    } completion: { outcome in
      switch outcome {
      case .success(let account): await completion?(information, account)
      case .failure(let error): await failure?(information, error)
      }
    }
  }

  /// Goes on with a call that has captured whom it is about, and tells the app when it has ended, however.
  private func end<Captured: Sendable>(
    _ call: CapturedCall<Captured>, _ completion: (@MainActor @Sendable () -> Void)?,
    _ work: @escaping @Sendable (Captured) async -> Void
  ) {
    call.start(work) { _ in await completion?() }
  }

  private var browserFlow: OAuthFlow? {
    guard let redirectURI = oauthCompletionUrl.flatMap({ URL(string: $0) }),
      let agent = Self.userAgent(for: redirectURI)
    else { return nil }
    return .authorizationCode(
      in: agent, redirectURI: redirectURI, scope: scopes.union(["refresh_token"]).sorted().joined(separator: " "))
  }

  private static func userAgent(for redirectURI: URL) -> (any UserAgent)? {
    #if os(macOS) || os(Linux)
      if redirectURI.scheme?.lowercased() == "http" { return LoopbackUserAgent() }
    #endif
    return platformUserAgent
  }
}
