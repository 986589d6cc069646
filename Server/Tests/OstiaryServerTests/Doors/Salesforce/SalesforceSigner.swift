import Crypto
import CryptoExtras
import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Signs assertions as an app does.
struct SalesforceSigner: Sendable {
  private let key: _RSA.Signing.PrivateKey?

  /// Made once: an RSA key takes its time.
  static let shared = SalesforceSigner()
  static let other = SalesforceSigner()

  init() { key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) }

  var publicKey: String { key?.publicKey.pemRepresentation ?? "" }

  struct NoKey: Error {}

  /// An assertion.
  func assertion(_ claims: [String: JSONValue], header: [String: JSONValue] = ["alg": "RS256"]) throws -> String {
    let texts = try [header, claims].map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    return try assertion(header: texts[0], claims: texts[1])
  }

  /// An assertion of exactly these texts.
  func assertion(header: String = #"{"alg":"RS256"}"#, claims: String) throws -> String {
    guard let key else { throw NoKey() }
    let message = [header, claims].map { Array($0.utf8).base64URL }.joined(separator: ".")
    let signature = try key.signature(
      for: SHA256.hash(data: Data(message.utf8)), padding: .insecurePKCS1v1_5)
    return message + "." + [UInt8](signature.rawRepresentation).base64URL
  }
}
