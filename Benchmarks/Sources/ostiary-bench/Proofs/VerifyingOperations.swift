import Crypto
import CryptoExtras
import Foundation
import OstiaryCore
import OstiaryJOSE

/// Tokens that are believed, beside their signatures alone.
struct VerifyingOperations: Sendable {
  private let issuer = "https://as.example.org"

  /// What is measured. A token is parsed, its signature is verified, and seven claims are judged.
  func operations() throws -> [Operation] {
    let p256 = P256.Signing.PrivateKey()
    let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let ed25519 = try SigningKey.make(.edDSA)
    guard let pem = ed25519.pem, let x = ed25519.publicKey?.members["x"]?.string.flatMap(Self.decoded) else {
      throw BenchmarkError(message: "The key has no public half.")
    }
    let edKey = try Curve25519.Signing.PublicKey(rawRepresentation: x)
    return try verifying("es256", .es256, Secret(p256.pemRepresentation), batch: 100, atMost: 1 / 0.93) {
      message, signature in
      let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
      return { p256.publicKey.isValidSignature(signature, for: message) }
    }
      + verifying("rs256", .rs256, Secret(rsa.pemRepresentation), batch: 200, atMost: 1 / 0.86) { message, signature in
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        let key = rsa.publicKey
        return {
          key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        }
      }
      + verifying("eddsa", .edDSA, pem, batch: 100, atMost: 1 / 0.92) { message, signature in
        { edKey.isValidSignature(signature, for: message) }
      }
  }

  private func verifying(
    _ name: String, _ algorithm: SignatureAlgorithm, _ pem: Secret, batch: Int, atMost: Double,
    _ raw: (Data, Data) throws -> () -> Bool
  ) throws -> [Operation] {
    let key = try SigningKey(pem: pem, algorithm: algorithm, id: "k")
    guard let jwk = key.publicKey else { throw BenchmarkError(message: "The key has no public half.") }
    let now = Date()
    let seconds = Int64(now.timeIntervalSince1970)
    let text = try key.sign([
      "iss": .string(issuer), "aud": "https://api.example.org", "sub": "0123456789abcdef", "client_id": "bench",
      "iat": .integer(seconds), "exp": .integer(seconds + 300), "jti": "0123456789abcdefghijkl", "scope": "orders mail",
      "nonce": "n-0S6_WzA2Mj", "auth_time": .integer(seconds - 60), "acr": "1", "name": "Ann Example",
    ]).reveal()
    let keys = KeySet([try VerificationKey(jwk)])
    let verifier = TokenVerifier(
      algorithms: [algorithm], type: .jwtOrAbsent,
      rules: [
        .issuer(issuer), .audience("https://api.example.org"), .unexpired(), .begun(), .issued(within: .seconds(600)),
        .claim("client_id", is: "bench"), .claim("nonce", is: "n-0S6_WzA2Mj"),
      ])
    guard let end = text.lastIndex(of: "."), let signature = Self.decoded(String(text[text.index(after: end)...]))
    else {
      throw BenchmarkError(message: "The token has no signature.")
    }
    let verify = try raw(Data(text[..<end].utf8), signature)
    return [
      Operation(name: "raw-\(name)", title: "raw: \(algorithm) signature verified", batch: batch) { count in
        for _ in 0..<count where !verify() { throw BenchmarkError(message: "The signature is wrong.") }
      },
      Operation(
        name: "verify-\(name)", title: "TokenVerifier: \(algorithm), \(text.utf8.count) bytes", batch: batch,
        bar: .times("raw-\(name)", atMost: atMost)
      ) { count in
        for _ in 0..<count { keep(try verifier.verify(text, with: keys, at: now)) }
      },
    ]
  }

  private static func decoded(_ text: String) -> Data? {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
  }
}
