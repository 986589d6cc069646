/// Why no tokens were issued. A door says it in its protocol's words.
///
/// None of these is a failure of the server: those are thrown, and then nothing has been judged.
public enum TokenRefusal: String, Hashable, Sendable, CaseIterable {
  /// The server has not issued such a token or code, or it has been revoked, or removed long after its end.
  case unknown
  /// It was issued to another client. Nothing has happened to it.
  case otherClient = "other_client"
  /// Its time is over.
  case expired
  /// It has been used before. All tokens that came of it have been ended.
  case reused
  /// The user is disabled. The tokens stay, in case they are enabled again.
  case userDisabled = "user_disabled"
  /// The user has a new password, or was disabled, since; see ``TokenPolicy/endsWithPassword``.
  case userChanged = "user_changed"
  /// The client is disabled.
  case clientDisabled = "client_disabled"
  /// Something was asked for that hasn't been granted.
  case scopeTooWide = "scope_too_wide"
  /// The redirect URI is another than the code was asked for with.
  case otherRedirectURI = "other_redirect_uri"
  /// The client's codes need a PKCE challenge (S256).
  case codeChallengeMissing = "code_challenge_missing"
  /// The code was asked for with a PKCE challenge and there is no verifier.
  case codeVerifierMissing = "code_verifier_missing"
  /// The PKCE verifier isn't the challenge's.
  case codeVerifierWrong = "code_verifier_wrong"
  /// There is a PKCE verifier for a code without a challenge: somebody may have taken the challenge away.
  case codeVerifierUnexpected = "code_verifier_unexpected"
}
