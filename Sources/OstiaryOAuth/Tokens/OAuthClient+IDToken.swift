internal import Foundation
public import OstiaryCore

extension OAuthClient {
  /// Verifies an ID token that came alone, such as from a system's own sheet (OpenID Connect Core §3.1.3.7).
  /// - Parameters:
  ///   - token: the ID token.
  ///   - expectation: what was asked. Sign in with Apple's sheet is given ``IDTokenNonce/sha256``, and that is then the nonce.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `idTokenRefused`, terminal, with the rule that refused; a transient error where the issuer's keys
  ///   can't be had; `invalidInput` for a client without a policy.
  public func idToken(
    _ token: Secret, expecting expectation: IDTokenExpectation, in context: AuthenticationContext
  ) async throws -> IDToken {
    guard let policy = idTokens else {
      throw OstiaryError.invalidOAuthInput(
        "The client has no policy by which it could verify tokens.", "Give it a policy for ID tokens.")
    }
    let file = IDTokenCase(
      text: token, accessToken: nil, clientID: id, secret: authentication.secret, expectation: expectation,
      cameAt: serverTime(at: Origin(endpoints.token), in: context))
    switch try await policy.judge(file, kept: nil, in: context) {
    case .believed(let token): return token
    case .refused(let error): throw OstiaryError.idTokenRefused(error)
    }
  }
}
