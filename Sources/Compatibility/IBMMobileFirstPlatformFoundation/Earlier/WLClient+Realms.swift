// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Foundation
internal import Ostiary

// The names of version 7.1, which called a session's kind a realm. Delegates are called once, on the main actor.
extension WLClient {
  /// Looks whether the gateway lets requests pass; if it asks for a sign-in, the registered handlers answer it.
  public func wlConnect(with delegate: (any WLDelegate)!) { wlConnect(with: delegate, options: nil) }

  /// ``wlConnect(with:)`` with options.
  /// - Parameter options: `timeout` in milliseconds.
  public func wlConnect(with delegate: (any WLDelegate)!, options: [AnyHashable: Any]!) {
    checkSession(timeout: Self.timeout(options)) { await $0.tell(delegate) }
  }

  /// Signs in to the gateway as the registered handlers do.
  /// - Parameter realmName: any name.
  public func login(_ realmName: String!, with delegate: (any WLDelegate)!) {
    login(realmName, with: delegate, options: nil)
  }

  /// ``login(_:with:)`` with options.
  /// - Parameter options: `timeout` in milliseconds.
  public func login(_ realmName: String!, with delegate: (any WLDelegate)!, options: [AnyHashable: Any]!) {
    checkSession(timeout: Self.timeout(options)) { await $0.tell(delegate) }
  }

  /// Signs out, as ``WLAuthorizationManager/logout(_:withCompletionHandler:)`` does.
  /// - Parameter realmName: any name.
  public func logout(_ realmName: String!, with delegate: (any WLDelegate)!) {
    logout(realmName, with: delegate, options: nil)
  }

  /// ``logout(_:with:)`` with options.
  /// - Parameter options: `timeout` in milliseconds.
  public func logout(_ realmName: String!, with delegate: (any WLDelegate)!, options: [AnyHashable: Any]!) {
    signOut(timeout: Self.timeout(options)) { error in
      await (error.map(Outcome.failure) ?? Outcome.done).tell(delegate)
    }
  }

  /// Looks whether the gateway's session stands, as ``WLAuthorizationManager/obtainAccessToken(forScope:withCompletionHandler:)``
  /// does. There is no token.
  public func obtainAccessToken(forScope scope: String!, with delegate: (any WLDelegate)!) {
    obtainAccessToken(forScope: scope, with: delegate, options: nil)
  }

  /// ``obtainAccessToken(forScope:with:)`` with options.
  /// - Parameter options: `timeout` in milliseconds.
  public func obtainAccessToken(
    forScope scope: String!, with delegate: (any WLDelegate)!, options: [AnyHashable: Any]!
  ) {
    checkSession(timeout: Self.timeout(options)) { await $0.tell(delegate) }
  }

  /// The last access token: always `nil`.
  public func lastAccessToken() -> String! { nil }

  /// The last access token for a scope: always `nil`.
  public func lastAccessToken(forScope scope: String!) -> String! { nil }

  /// The scope of the access token that a response demands; `nil` when it demands none.
  public func getRequiredAccessTokenScope(
    fromStatus status: Int32, authenticationHeader authHeader: String!
  ) -> String! {
    let fields = ["WWW-Authenticate": authHeader ?? ""]
    let manager = WLAuthorizationManager(client: self)
    guard manager.isAuthorizationRequiredForResponse(withStatus: Int(status), headers: fields) else { return nil }
    return manager.resourceScope(fromResponseHeaders: fields)
  }

  /// Calls an adapter's procedure over the vendor's own session. It is not sent: the delegate's `onFailure` gets the reason, and
  /// what to use instead.
  public func invokeProcedure(_ invocationData: WLProcedureInvocationData!, with delegate: (any WLDelegate)!) {
    invokeProcedure(invocationData, with: delegate, options: nil)
  }

  /// ``invokeProcedure(_:with:)`` with options, which are not used.
  public func invokeProcedure(
    _ invocationData: WLProcedureInvocationData!, with delegate: (any WLDelegate)!, options: [AnyHashable: Any]!
  ) {
    let outcome = Outcome.failure(WLProcedureInvocationData.unavailable(invocationData))
    SharedWork<Void>().launch { await outcome.tell(delegate) }
  }

  /// The handler of this name.
  public func getChallengeHandler(byRealm realm: String!) -> BaseChallengeHandler! {
    getChallengeHandler(bySecurityCheck: realm)
  }

  /// Does nothing: this module has no handlers of its own that would have to be registered.
  public func initWLChallengeHandlers() {}

  private static func timeout(_ options: [AnyHashable: Any]?) -> Duration {
    let value = options?["timeout"]
    let milliseconds = (value as? NSNumber)?.doubleValue ?? (value as? Int).map(Double.init) ?? value as? Double ?? 0
    return milliseconds > 0 ? .milliseconds(min(milliseconds, 86_400_000)) : .seconds(60)
  }
}
