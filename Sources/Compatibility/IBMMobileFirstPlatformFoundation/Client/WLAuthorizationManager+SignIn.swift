// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import Ostiary

// Every completion handler is called exactly once, on the main queue.
extension WLAuthorizationManager {
  /// Signs in to the gateway.
  ///
  /// - With credentials, the gateway's own login form is fetched, filled in and sent, and a request shows that the session stands.
  ///   ``MobileFirstGatewayConfiguration`` has the names that the form can't be known by. The cookies of a user before are replaced.
  /// - Without credentials, a request is sent: if the gateway asks for a sign-in, the registered handlers answer it.
  ///
  /// An error has the gateway's reason, and names the part of the configuration that does not fit. A second call while the first is
  /// under way fails with ``WLErrorCode/loginAlreadyInProcess``. A ``SecurityCheckChallengeHandler`` of this name is told, too.
  /// - Parameters:
  ///   - securityCheck: any name, such as the gateway's; a handler of a security check is looked up by it.
  ///   - credentials: `username` and `password`, or under the names that the configuration has. Others become fields of the form.
  @preconcurrency
  public func login(
    _ securityCheck: String!, withCredentials credentials: [AnyHashable: Any]!,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)!
  ) {
    let isFirst = state.withLock { state in
      defer { state.isLoggingIn = true }
      return !state.isLoggingIn
    }
    guard isFirst else {
      let error = OstiaryError(.alreadyUnderWay, "A login is under way already.", requestMayHaveExecuted: false)
      return complete(Outcome.failure(error).error, completionHandler)
    }
    let name = securityCheck ?? ""
    let user = ["username", "j_username"].lazy.compactMap { credentials?[$0] as? String }.first
    client.signIn(credentials, timeout: timeout) { [self] outcome in
      state.withLock { $0.isLoggingIn = false }
      await client.tellCheck(name, outcome, user: user)
      complete(outcome.error, completionHandler)
    }
  }

  /// Signs out of the gateway. From the call on, requests carry none of its cookies, and those that were under way fail.
  ///
  /// The gateway is told at ``MobileFirstGatewayConfiguration/logout``, or at `pkmslogout` where a handler has sent WebSEAL's form.
  /// Without an address it is not told, and its session runs out by itself. An error says that the gateway could not be told; the user
  /// is signed out here all the same. A login that is under way ends with an error.
  /// - Parameter securityCheck: any name. There is one session, and its name makes no difference.
  @preconcurrency
  public func logout(
    _ securityCheck: String!, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)!
  ) {
    client.signOut(timeout: timeout) { [self] error in
      complete(error.flatMap { Outcome.failure($0).error }, completionHandler)
    }
  }

  /// Looks whether the gateway's session stands, and signs in if it does not, as any request would: the registered handlers answer
  /// the gateway. It completes **without a token and without an error** as soon as the session stands, as there is no token service.
  /// What goes on with `token?.value` has nothing to send then; requests carry the gateway's cookies by themselves.
  /// - Parameter scope: without effect.
  @preconcurrency
  public func obtainAccessToken(
    forScope scope: String!, withCompletionHandler completionHandler: (@Sendable (AccessToken?, (any Error)?) -> Void)!
  ) {
    client.checkSession(timeout: timeout) { outcome in
      QueueDelivery.post(on: .main) { completionHandler?(nil, outcome.error) }
    }
  }

  /// Does nothing: there are no tokens.
  public func clear(_ accessToken: AccessToken!) {}

  /// Does nothing: there are no tokens.
  public func clearAccessToken(_ accessToken: AccessToken!) {}

  /// An address that the app keeps here; without effect. `nil` until it is set.
  public var authorizationServerURL: URL! {
    get { state.withLock { $0.authorizationServer } }
    set { state.withLock { $0.authorizationServer = newValue } }
  }

  /// How long each request of a login, a logout and ``obtainAccessToken(forScope:withCompletionHandler:)`` may take, in seconds; 10
  /// at first. Less than 1 means that, too.
  public var timeOut: NSNumber! {
    get { NSNumber(value: state.withLock { $0.timeout }) }
    set {
      let seconds = newValue?.doubleValue ?? 10
      state.withLock { $0.timeout = seconds >= 1 ? min(seconds, 86_400) : 10 }
    }
  }

  /// Sets ``timeOut``.
  public func setLoginTimeOut(_ timeOut: NSNumber!) { self.timeOut = timeOut }

  private var timeout: Duration { .seconds(state.withLock { $0.timeout }) }

  private func complete(_ error: NSError?, _ completionHandler: (@Sendable ((any Error)?) -> Void)?) {
    QueueDelivery.post(on: .main) { completionHandler?(error) }
  }
}
