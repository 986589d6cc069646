internal import Crypto
internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// What a provider says of a user, signed.
extension ProviderState {
  /// The ID token of a sign-in (OpenID Connect Core §2); at a renewal as §12.2 wants it.
  mutating func idToken(_ grant: ProviderGrant, _ access: String, isRenewal: Bool, _ now: Date) -> String? {
    guard !isWrong(.missingIDToken), let user = grant.user else { return nil }
    let issuedAt = Int64(now.timeIntervalSince1970)
    let lifetime = Int64(settings.idTokenLifetime.seconds)
    var claims: [String: JSONValue] = [
      "iss": .string(settings.issuer), "sub": .string(user.id), "aud": .string(grant.client),
      "iat": .integer(issuedAt), "exp": .integer(issuedAt + lifetime),
      "auth_time": .integer(Int64(grant.signedInAt.timeIntervalSince1970)), "acr": .string(grant.strength),
      "sid": .string(grant.session), "name": .string(user.name),
    ]
    if !isRenewal { claims["nonce"] = grant.nonce.map(JSONValue.string) }
    claims["at_hash"] = Self.hash(access, keys.current.algorithm).map(JSONValue.string)
    change(&claims, issuedAt)
    return signed(claims)
  }

  /// Makes the claims wrong in the way that was asked for.
  private func change(_ claims: inout [String: JSONValue], _ issuedAt: Int64) {
    guard let fault = activeFault?.fault, isWrong(fault) else { return }
    let client = claims["aud"] ?? "app"
    switch fault {
    case .wrongIssuer: claims["iss"] = "https://other.example"
    case .wrongAudience: claims["aud"] = "another-app"
    case .missingAuthorizedParty: claims["aud"] = .array([client, "another-app"])
    case .wrongAuthorizedParty:
      claims["aud"] = .array([client, "another-app"])
      claims["azp"] = "another-app"
    case .expiredIDToken:
      claims["iat"] = .integer(issuedAt - 3900)
      claims["exp"] = .integer(issuedAt - 3600)
    case .futureIDToken:
      claims["iat"] = .integer(issuedAt + 86_400)
      claims["exp"] = .integer(issuedAt + 86_700)
    case .missingExpiry: claims["exp"] = nil
    case .missingIssueTime: claims["iat"] = nil
    case .missingNonce: claims["nonce"] = nil
    case .wrongNonce: claims["nonce"] = "another-nonce"
    case .wrongAccessTokenHash: claims["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA"
    case .changedSubject: claims["sub"] = "another-user"
    case .missingSubject: claims["sub"] = nil
    case .longSubject: claims["sub"] = .string(String(repeating: "a", count: 256))
    case .oldAuthentication: claims["auth_time"] = .integer(issuedAt - 86_400)
    case .missingAuthenticationTime: claims["auth_time"] = nil
    case .weakAuthentication: claims["acr"] = "0"
    default: break
    }
  }

  private mutating func signed(_ claims: [String: JSONValue]) -> String? {
    let key = keys.current
    if isWrong(.unsignedIDToken) { return Self.text(["alg": "none"], claims) + "." }
    if isWrong(.encryptedIDToken) {
      return Self.text(["alg": "RSA-OAEP", "enc": "A256GCM"], claims) + ".AAAA.AAAA.AAAA"
    }
    if isWrong(.repeatedClaim) { return Self.withRepeatedClaim(claims, key) }
    if isWrong(.wrongSignature) { return Self.token(claims, keys.impostor) }
    if isWrong(.unknownKey) {
      let number = grantNumber()
      return Self.token(claims, keys.unknown(number))
    }
    if isWrong(.publicKeyAsSecret) { return Self.signedWithPublicKey(claims, key) }
    if isWrong(.keysWithoutNames) { return Self.compact(Self.text(["alg": .string(key.algorithm.name)], claims), key) }
    return Self.token(claims, key)
  }

  private static func token(_ claims: [String: JSONValue], _ key: SigningKey?) -> String? {
    (try? key?.sign(claims))?.reveal()
  }

  /// Header and claims, not signed yet.
  private static func text(_ header: [String: JSONValue], _ claims: [String: JSONValue]) -> String {
    [header, claims].map { StrictBase64URL.encode(CompactJSON.object($0) ?? []) }.joined(separator: ".")
  }

  private static func compact(_ text: String, _ key: SigningKey) -> String? {
    (try? key.signature(for: Array(text.utf8))).map { text + "." + StrictBase64URL.encode($0) }
  }

  private static func withRepeatedClaim(_ claims: [String: JSONValue], _ key: SigningKey) -> String? {
    var header: [String: JSONValue] = ["alg": .string(key.algorithm.name)]
    header["kid"] = key.keyID.map(JSONValue.string)
    let body = (CompactJSON.object(claims) ?? []).dropLast() + Array(",\"sub\":\"another-user\"}".utf8)
    let parts = [CompactJSON.object(header) ?? [], Array(body)]
    return compact(parts.map { StrictBase64URL.encode($0) }.joined(separator: "."), key)
  }

  /// As an attacker signs who knows the public key (RFC 8725 §2.1).
  private static func signedWithPublicKey(_ claims: [String: JSONValue], _ key: SigningKey) -> String? {
    let secret = SymmetricKey(data: CompactJSON.object(key.publicKey?.members ?? [:]) ?? [])
    var header: [String: JSONValue] = ["alg": "HS256"]
    header["kid"] = key.keyID.map(JSONValue.string)
    let text = text(header, claims)
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret)
    return text + "." + StrictBase64URL.encode(Array(code))
  }

  /// `at_hash`: the left half of the hash that belongs to the algorithm (OpenID Connect Core §3.1.3.6). Ed25519 has SHA-512
  /// in it.
  private static func hash(_ access: String, _ algorithm: SignatureAlgorithm) -> String? {
    let bytes = Array(access.utf8)
    let hash: [UInt8] =
      switch algorithm {
      case .es256, .rs256, .ps256: Array(SHA256.hash(data: bytes))
      case .es384, .rs384, .ps384: Array(SHA384.hash(data: bytes))
      default: Array(SHA512.hash(data: bytes))
      }
    return StrictBase64URL.encode(hash.prefix(hash.count / 2))
  }

  // MARK: Reading its own

  /// What an ID token of this provider says, also when it has expired.
  func ownClaims(_ text: String) -> [String: JSONValue]? {
    let keys = keys.published.compactMap(\.publicKey).compactMap { try? VerificationKey($0) }
    let verifier = TokenVerifier(
      algorithms: SignatureAlgorithm.allPublic, type: .jwtOrAbsent, rules: [.issuer(settings.issuer)])
    return (try? verifier.verify(text, with: KeySet(keys), at: .distantPast))?.claims
  }

  /// A userinfo answer, signed (OpenID Connect Core §5.3.2).
  func signedUserInfo(_ claims: [String: JSONValue], _ client: String) -> String? {
    let about: [String: JSONValue] = ["iss": .string(settings.issuer), "aud": .string(client)]
    return Self.token(claims.merging(about) { _, about in about }, keys.current)
  }
}
