public import OstiaryCore
public import OstiaryOAuth

/// How accounts behave where there is a choice.
public struct SalesforceAccountsConfiguration: Sendable {
  /// How long an org may take, at sign-out, to unregister the device, and then again to revoke the tokens, until the
  /// sign-out is finished without it. 5 seconds.
  public var signOutPatience: Duration = .seconds(5)
  /// How long a sign-out, or a change of the current account, waits for observers that are told of it before. 5 seconds: an app
  /// that does not answer must not keep a user signed in.
  public var observerPatience: Duration = .seconds(5)
  /// The version of the org's interface with which devices are registered.
  public var apiVersion = SalesforcePush.apiVersion
  /// How accounts are renewed that have no refresh token, those of an earlier run of the app as well: a flow that takes
  /// no person. An app that signs users in with assertions hands over the signer here:
  ///
  /// ```swift
  /// configuration.renewalFlow = { request in
  ///   request.username.map { .salesforceAssertion(username: $0, privateKeyPEM: key, host: request.host) }
  /// }
  /// ```
  ///
  /// Without it, such an account is signed out when the server refuses its token.
  public var renewalFlow: (@Sendable (SalesforceRenewalRequest) -> OAuthFlow?)?
  /// How sessions are kept.
  public var sessions = SessionConfiguration()

  /// The defaults.
  public init() {}
}

/// The result of signing a user out. The user is signed out here in any case.
public struct SalesforceSignOutReport: Sendable {
  /// Why the device could not be unregistered for push notifications; `nil` when it was, or was not registered.
  public var pushError: OstiaryError?
  /// The org's records of this device that it has not said to be gone. They are remembered, and tried again when the same user
  /// signs in the next time; ``SalesforceAccounts/owedRegistrations`` tells them until then.
  public var owedRegistrationIDs: [String] = []
  /// Why the server did not confirm that the tokens are revoked.
  public var serverError: OstiaryError?
  /// Why the stored session could not be removed yet; removing is tried again as long as the program runs.
  public var storeError: OstiaryError?

  /// Whether everything was confirmed.
  public var isComplete: Bool {
    pushError == nil && owedRegistrationIDs.isEmpty && serverError == nil && storeError == nil
  }
}
