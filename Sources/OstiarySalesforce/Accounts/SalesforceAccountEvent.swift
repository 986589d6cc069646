/// One thing that happened to the accounts of an app.
public enum SalesforceAccountEvent: Sendable {
  /// A user is about to sign in.
  case willSignIn
  /// A user has signed in.
  case didSignIn(SalesforceAccount)
  /// The sign-in was cancelled.
  case signInCancelled
  /// A user is about to be signed out; their session can't be used any more.
  case willSignOut(SalesforceAccount, SalesforceRevocationReason)
  /// A user has been signed out.
  case didSignOut(SalesforceAccount, SalesforceRevocationReason)
  /// The last user of an org has been signed out.
  case orgDidSignOut(SalesforceID)
  /// An account has newer tokens.
  case didRenewTokens(SalesforceAccount)
  /// Another account is about to become the current one.
  case willSwitch(from: SalesforceAccount?, to: SalesforceAccount?)
  /// Another account is the current one.
  case didSwitch(from: SalesforceAccount?, to: SalesforceAccount?)
  /// Users sign in elsewhere from now on.
  case didChangeLoginHost(from: SalesforceLoginHost, to: SalesforceLoginHost)
}
