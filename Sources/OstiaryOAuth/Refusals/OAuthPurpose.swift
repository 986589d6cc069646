/// What a call is for, as far as the meaning of a refusal depends on it.
enum OAuthPurpose: Sendable, Hashable {
  /// Exchanging a code, an assertion or a device code.
  case grant
  /// Exchanging a user name and a password.
  case password
  /// Refreshing.
  case refresh
  /// Revoking, introspecting, beginning a device authorization.
  case service
}
