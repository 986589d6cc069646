/// Why a credential is asked for.
public struct CredentialRequest: Sendable {
  /// The kind of server.
  public let kind: AuthenticatorKind
  /// The user who was signed in before; `nil` when there was none.
  public let previousUser: Session.User?
  /// Why a sign-in is needed.
  public let cause: Cause
  /// The error of the attempt before, when the credential given then was refused.
  public let previousError: OstiaryError?
}
