internal import Foundation
internal import OstiaryCore
public import OstiaryJOSE

extension ClientAuthentication {
  /// The secret of a client of Apple's: a statement that the developer's team signs (`client_secret`). It is made anew for each request and
  /// good for five minutes, where Apple takes six months at most.
  /// - Parameters:
  ///   - signer: the team's key for Sign in with Apple, of ES256; its ``/OstiaryJOSE/TokenSigner/keyID`` is the key's identifier at Apple.
  ///   - team: the team's identifier, of ten characters.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for a key of another algorithm or without an identifier, and for a team without one.
  public static func apple(_ signer: any TokenSigner, team: String) throws -> ClientAuthentication {
    guard signer.algorithm == .es256, signer.keyID?.isEmpty == false, !team.isEmpty else {
      throw OstiaryError.invalidOAuthInput(
        "Apple takes a secret that is signed with ES256 by a key and a team with their identifiers.",
        "Give the key with its identifier, and the team's.")
    }
    return ClientAuthentication(method: "client_secret_post") { request in
      let issuedAt = Int64(request.now.timeIntervalSince1970)
      let claims: [String: JSONValue] = [
        "iss": .string(team), "sub": .string(request.clientID), "aud": "https://appleid.apple.com",
        "iat": .integer(issuedAt), "exp": .integer(issuedAt + 300),
      ]
      let secret = try await signer.signedToken(claims, type: nil)
      request.add("client_id", request.clientID, isSecret: false)
      request.add("client_secret", secret.reveal())
    }
  }
}
