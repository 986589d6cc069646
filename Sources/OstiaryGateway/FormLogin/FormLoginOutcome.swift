/// What a response to a login form means.
public enum FormLoginOutcome: Sendable, Hashable {
  /// Signed in.
  case signedIn
  /// User name, password or code are wrong.
  case refused
  /// The account is locked; no password opens it.
  case locked
  /// The form was too old, or its token used up. It is fetched again, once.
  case stale
  /// The gateway can't answer now.
  case unavailable
  /// Another page of the sign-in, to be filled in.
  case nextPage
}
