public import Foundation
internal import Ostiary
package import OstiaryOAuth
internal import OstiarySalesforce

/// Gets the account that has logged in.
public typealias SFUserAccountManagerSuccessCallbackBlock = @MainActor @Sendable (SFOAuthInfo, SFUserAccount) -> Void
/// Gets what went wrong.
public typealias SFUserAccountManagerFailureCallbackBlock = @MainActor @Sendable (SFOAuthInfo, any Error) -> Void

extension SFUserAccountManager {
  /// Gets the account that has logged in.
  public typealias SuccessCallback = SFUserAccountManagerSuccessCallbackBlock
  /// Gets what went wrong.
  public typealias FailureCallback = SFUserAccountManagerFailureCallbackBlock

  /// Logs a user in, in the system's browser or by ``authorizationFlow``, and makes them the current user. While one
  /// login is under way, a caller that asks for another gets its outcome.
  /// - Returns: whether a login has begun; `false` when one is under way already, and when ``oauthClientId`` is not set or
  ///   there is no way to log in, neither a flow nor a usable ``oauthCompletionUrl``: then the failure block is called.
  @preconcurrency
  @discardableResult
  public func login(completion: SuccessCallback? = nil, failure: FailureCallback? = nil) -> Bool {
    let information = SFOAuthInfo(authType: .advancedBrowser)
    let name = authorizationFlow == nil ? "browser \(oauthCompletionUrl) \(scopes.sorted())" : nil
    guard let flow = ready(information, failure, { authorizationFlow ?? browserFlow }) else { return false }
    return begin(flow, name, information, completion, failure)
  }

  /// Logs a user in with a signed assertion, as ``login(completion:failure:)`` does.
  @preconcurrency
  @discardableResult
  public func login(
    withJwtToken jwtToken: String, completion: SuccessCallback? = nil, failure: FailureCallback? = nil
  ) -> Bool {
    let token = Secret(jwtToken)
    let information = SFOAuthInfo(authType: .jwtTokenExchange)
    guard let flow = ready(information, failure, { OAuthFlow.assertion { _ in token } }) else { return false }
    return begin(flow, "assertion \(jwtToken)", information, completion, failure)
  }

  /// Ends a login that is under way.
  public func stopCurrentAuthentication() { accounts.cancelSignIn() }

  /// Ends a login that is under way. The system's browser window goes with it.
  public func dismissAuthViewControllerIfPresent() { stopCurrentAuthentication() }

  /// Makes sure that tokens are good.
  ///
  /// For the credentials of an account the server is asked, and the tokens are renewed if it says that they are not good. With credentials
  /// that the app has filled in, the server is asked whose they are, or gives newer ones for the refresh token; their user
  /// is logged in then, stored, and the current one.
  /// - Returns: whether that has begun; `false` for credentials without any token: then the failure block is called.
  @preconcurrency
  @discardableResult
  public func refreshCredentials(
    _ credentials: SFOAuthCredentials, completion: SuccessCallback? = nil, failure: FailureCallback? = nil
  ) -> Bool {
    let information = SFOAuthInfo(authType: .refresh)
    if let account = credentials.signedInAccount {
      run(information, completion, failure) {
        try await account.connection.verify()
        return account
      }
      return true
    }
    let clientID = credentials.clientId ?? oauthClientId
    guard let way = ready(information, failure, { Takeover(credentials, clientID: clientID) }) else { return false }
    switch way {
    case .tokens(let tokens): return begin(accounts.begin(tokens), information, completion, failure)
    case .refresh(let token, let host):
      return begin(accounts.begin(refreshing: token, at: host), information, completion, failure)
    }
  }

  /// Makes sure that an account's tokens are good, as `refreshCredentials(_:completion:failure:)` does. (Not in the vendor's SDK.)
  @preconcurrency
  @discardableResult
  public func refreshCredentials(
    _ account: SFUserAccount, completion: SuccessCallback? = nil, failure: FailureCallback? = nil
  ) -> Bool {
    refreshCredentials(account.credentials, completion: completion, failure: failure)
  }

  /// Makes an account the current one, once the app has been told of it. One that is not logged in changes nothing.
  /// - Parameter completion: is called when that is done. (Not in the vendor's SDK, which posts notifications.)
  @preconcurrency
  public func `switch`(
    toUser newCurrentUser: SFUserAccount?, completion: (@MainActor @Sendable () -> Void)? = nil
  ) {
    guard newCurrentUser == nil || newCurrentUser?.underlying != nil else {
      environment.deliver { completion?() }
      return
    }
    end(accounts.beginSwitch(to: newCurrentUser?.underlying), completion) {}
  }

  /// Leaves the current account without logging it out, for another user to log in.
  public func switchToNewUser() { self.switch(toUser: nil) }

  /// Always `false`: the system's browser window hands its answer over by itself. It is there for an app's `application(_:open:options:)`.
  public func handleAdvancedAuthenticationResponse(
    _ appUrlResponse: URL, options: [AnyHashable: Any] = [:]
  ) -> Bool { false }

  /// Whether an error says that the server does not take the credentials any more.
  public class func errorIsInvalidAuthCredentials(_ error: any Error) -> Bool {
    (error as? OstiaryError)?.disposition == .terminal
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
    end(CapturedCall(.success(user.underlying.flatMap { accounts.beginSignOut($0) })), completion) {
      _ = await $0?.result()
    }
  }

  /// Logs all accounts out.
  @preconcurrency
  public func logoutAllUsers(completion: (@MainActor @Sendable () -> Void)? = nil) {
    end(accounts.beginSignOutAll(), completion) { for signOut in $0 { _ = await signOut.result() } }
  }

  // MARK: Inside

  /// The way to log in; `nil` after telling the app why there is none.
  private func ready<Way>(
    _ information: SFOAuthInfo, _ failure: FailureCallback?, _ way: () -> Way?
  ) -> Way? {
    let problem: OstiaryError
    if case .failure(let error) = environment.settings() {
      problem = error
    } else if oauthClientId.isEmpty {
      problem = SalesforceSDKSettings.refusal(
        "There is no consumer key, without which no user can log in.",
        "Put remoteAccessConsumerKey into bootconfig.plist, consumerKey into the app's settings, or set oauthClientId.")
    } else if let way = way() {
      return way
    } else if information.authType == .refresh {
      problem = SalesforceSDKSettings.refusal(
        "The credentials have neither a refresh token nor an access token with an instance URL.",
        "Fill in what the server has given before refreshing.")
    } else {
      problem = SalesforceSDKSettings.refusal(
        "There is no way to log in: the callback can't be caught on this platform.",
        "Set the callback as the connected app has it: oauthRedirectURI in bootconfig.plist, or oauthCompletionUrl.")
    }
    report(problem, information, failure)
    return nil
  }

  private func report(_ error: any Error, _ information: SFOAuthInfo, _ failure: FailureCallback?) {
    environment.deliver { [self] in
      tellDelegates(error, information)
      failure?(information, error)
    }
  }

  /// Begins a login before it returns, so that ``stopCurrentAuthentication()`` can be called at once.
  private func begin(
    _ flow: OAuthFlow, _ name: String?, _ information: SFOAuthInfo, _ completion: SuccessCallback?,
    _ failure: FailureCallback?
  ) -> Bool {
    if flow.needsPerson {
      environment.deliver { [self] in post(Notification.Name(kSFNotificationUserWillShowAuthView)) }
    }
    return begin(accounts.begin(flow, named: name), information, completion, failure)
  }

  private func begin(
    _ signIn: SalesforceSignIn, _ information: SFOAuthInfo, _ completion: SuccessCallback?, _ failure: FailureCallback?
  ) -> Bool {
    run(information, completion, failure, isLogin: true) {
      let account = try await signIn.wait()
      // The vendor's SDK asks too, so that the user's name is known. The login does not fail when this call does.
      if account.identityDocument == nil { _ = try? await account.connection.verify() }
      return account
    }
    return signIn.isNew
  }

  private func run(
    _ information: SFOAuthInfo, _ completion: SuccessCallback?, _ failure: FailureCallback?, isLogin: Bool = false,
    _ work: @escaping @Sendable () async throws -> SalesforceAccount
  ) {
    CapturedCall(.success(())).start {
      SFUserAccount(try await work())
    } completion: { [self] outcome in
      await finish(outcome, information, completion, failure, isLogin: isLogin)
    }
  }

  @MainActor
  private func finish(
    _ outcome: Result<SFUserAccount, any Error>, _ information: SFOAuthInfo, _ completion: SuccessCallback?,
    _ failure: FailureCallback?, isLogin: Bool
  ) {
    switch outcome {
    case .success(let account):
      if isLogin { post(.SFUserAccountManagerDidFinishUserInit, account) }
      completion?(information, account)
    case .failure(let error):
      tellDelegates(error, information)
      failure?(information, error)
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
    guard let redirectURI = URL(string: oauthCompletionUrl), let agent = environment.userAgent(redirectURI) else {
      return nil
    }
    return .authorizationCode(
      in: agent, redirectURI: redirectURI, scope: scopes.union(["refresh_token"]).sorted().joined(separator: " "))
  }

  /// The platform's way of showing the server's pages.
  package static func userAgent(for redirectURI: URL) -> (any UserAgent)? {
    #if os(macOS) || os(Linux)
      if redirectURI.scheme?.lowercased() == "http" { return LoopbackUserAgent() }
    #endif
    return platformUserAgent
  }
}
