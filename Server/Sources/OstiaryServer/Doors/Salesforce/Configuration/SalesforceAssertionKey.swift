import Foundation
internal import OstiaryJOSE
import SwiftASN1
import X509

/// The key with which a connected app signs assertions: RSA, at least 2048 bits.
struct SalesforceAssertionKey: Sendable {
  private let keys: KeySet

  /// Reads a certificate or a public key; nil for anything else.
  init?(pem: String) {
    var text = pem
    if let certificate = try? Certificate(pemEncoded: pem),
      let key = try? certificate.publicKey.serializeAsPEM().pemString
    {
      text = key
    }
    guard let key = try? VerificationKey(pem: text, algorithm: .rs256) else { return nil }
    keys = KeySet([key])
  }

  /// TK-01: one algorithm, with no choice by the header. The vendor names no type for assertions, so each is accepted; nothing else is
  /// signed with this key. The door judges the claims.
  private static let verifier = TokenVerifier(algorithms: [.rs256], type: .insecureAny, rules: [])

  /// Whether the key has signed that token with RS256 (RFC 7518 §3.3).
  func verifies(_ token: PresentedToken, at now: Date) -> Bool {
    (try? Self.verifier.verify(token, with: keys, at: now)) != nil
  }
}
