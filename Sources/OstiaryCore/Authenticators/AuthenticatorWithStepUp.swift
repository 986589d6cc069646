/// An authenticator of a kind of server that may want a user to sign in more strongly or more recently before it acts on a request
/// (``Verdict/insufficient(reason:)``, RFC 9470).
package protocol AuthenticatorWithStepUp: Authenticator {
  /// Whether the app has said how a user does so. Where it has not, the app gets the server's answer.
  var stepsUp: Bool { get }

  /// Has a session's user sign in once more, as a challenge demands. Must change nothing of the session.
  /// - Returns: the stronger sign-in, which ``Authenticator/identify(_:in:)`` is asked about next. The session manager refuses another user's.
  func stepUp(
    _ session: Session, for challenge: Challenge, in context: AuthenticationContext
  ) async throws -> SessionGrant
}
