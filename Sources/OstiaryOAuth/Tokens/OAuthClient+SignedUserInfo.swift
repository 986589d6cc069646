internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

extension OAuthClient {
  /// What a signed answer of the userinfo endpoint says (OpenID Connect Core §5.3.2); `nil` for one that is not signed.
  /// - Throws: ``OstiaryError`` `unexpectedResponse` for one that is not to be believed, which is no word about a session.
  func signedUserInfo(
    _ response: TransportResponse, to request: HTTPRequest, in context: AuthenticationContext
  ) async throws -> [String: JSONValue]? {
    guard response.status == .ok, response.mediaType == "application/jwt" else { return nil }
    guard let policy = idTokens else {
      throw OstiaryError(
        .unexpectedResponse, "The server signs what it says of users, and the client has no policy to verify it by.",
        advice: "Give the client a policy for ID tokens.", request: request)
    }
    let verifier = TokenVerifier(
      algorithms: policy.algorithms, type: .jwtOrAbsent,
      rules: [
        .madeBy(policy.issuer, orNamed: policy.otherIssuerNames).ifPresent("iss"),
        .audience(id).citing("OpenID Connect Core §5.3.2").ifPresent("aud"),
        .unexpired(skew: policy.skew).ifPresent("exp"), .saysWho,
      ])
    let now = context.clock.now
    let text = String(decoding: response.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let verdict = try await policy.judge(
      Secret(text), by: verifier, secret: authentication.secret,
      at: now.addingTimeInterval(response.head.clockSkew(at: now) ?? 0), in: context)
    switch verdict {
    case .success(let token): return token.claims
    case .failure(let error):
      throw OstiaryError(
        .unexpectedResponse, "What the server says of the user is not to be believed: \(error)", request: request,
        underlying: error)
    }
  }
}
