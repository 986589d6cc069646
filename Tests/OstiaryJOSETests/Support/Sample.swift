import Foundation
import OstiaryCore
import OstiaryJOSE

/// Tokens, keys and a verifier that the tests have in common.
enum Sample {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let issuer = "https://as.example"
  static let audience = "https://api.example"

  static let claims: [String: JSONValue] = [
    "iss": .string(issuer), "aud": .string(audience), "sub": "ann", "iat": 1_800_000_000, "exp": 1_800_000_300,
  ]

  /// What a program would ask of an access token.
  static func verifier(
    _ algorithms: Set<SignatureAlgorithm> = [.es256], type: TokenType = .jwtOrAbsent
  ) -> TokenVerifier {
    TokenVerifier(
      algorithms: algorithms, type: type,
      rules: [.issuer(issuer), .audience(audience), .unexpired(), .begun(), .issued(within: .seconds(600))])
  }

  /// A text in base64url.
  static func part(_ text: String) -> String { StrictBase64URL.encode(Array(text.utf8)) }

  /// A token of exactly these texts, rightly signed.
  static func token(header: String, claims: String = text(claims), _ key: SigningKey) throws -> String {
    let message = part(header) + "." + part(claims)
    return message + "." + StrictBase64URL.encode(try key.signature(for: Array(message.utf8)))
  }

  static func text(_ members: [String: JSONValue]) -> String {
    String(decoding: CompactJSON.object(members) ?? [], as: UTF8.self)
  }

  /// The set of one key.
  static func keys(_ key: SigningKey) throws -> KeySet {
    guard let jwk = key.publicKey else { throw NoPublicKey() }
    return KeySet([try VerificationKey(jwk)])
  }

  struct NoPublicKey: Error {}

  /// An RSA key takes its time.
  static let rsa = Result { try SigningKey.make(.rs256) }

  /// A key for an algorithm: of RSA's always the same.
  static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
    guard algorithm.name.hasPrefix("RS") || algorithm.name.hasPrefix("PS") else {
      return try SigningKey.make(algorithm)
    }
    guard let pem = try rsa.get().pem else { throw NoPublicKey() }
    return try SigningKey(pem: pem, algorithm: algorithm)
  }
}

/// Why something was refused.
func refusal<Value>(_ work: () throws(JOSEError) -> Value) -> JOSEError.Code? {
  do {
    _ = try work()
    return nil
  } catch {
    return error.code
  }
}
