internal import Crypto
internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// The keys that a provider signs with: real ones, and the same ones for the same seed.
struct ProviderKeys: Sendable {
  /// What the key set shows, the present key last.
  private(set) var published: [SigningKey]
  /// What signs now.
  private(set) var current: SigningKey
  private let algorithm: SignatureAlgorithm
  private let seed: UInt64
  private var made = 1

  init(_ algorithm: SignatureAlgorithm, seed: UInt64) throws {
    self.algorithm = algorithm
    self.seed = seed
    current = try Self.key(algorithm, seed: seed, number: 1, id: "key-1")
    published = [current]
  }

  /// Signs with a new key from now on.
  /// - Parameter keepingOld: whether the key set goes on to show the earlier ones.
  mutating func rotate(keepingOld: Bool) throws {
    made += 1
    current = try Self.key(algorithm, seed: seed, number: made, id: "key-\(made)")
    published = (keepingOld ? published : []) + [current]
  }

  /// A key that the key set never shows, under a name of its own.
  func unknown(_ number: Int) -> SigningKey? {
    try? Self.key(algorithm, seed: ~seed, number: number, id: "unknown-\(number)")
  }

  /// Another key under the name of the present one.
  var impostor: SigningKey? {
    try? Self.key(algorithm, seed: ~seed, number: made, id: current.keyID)
  }

  /// The key of a number, as JSON that ``SigningKey`` reads.
  private static func key(
    _ algorithm: SignatureAlgorithm, seed: UInt64, number: Int, id: String?
  ) throws -> SigningKey {
    var members: [String: JSONValue]
    switch algorithm {
    case .es256:
      let bytes = random(32, seed, number)
      let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
      members = point("P-256", key.publicKey.rawRepresentation, bytes)
    case .es384:
      let bytes = random(48, seed, number)
      let key = try P384.Signing.PrivateKey(rawRepresentation: bytes)
      members = point("P-384", key.publicKey.rawRepresentation, bytes)
    case .es512:
      // The group's order has 521 bits, and the number has to be smaller.
      let bytes = [0] + random(65, seed, number)
      let key = try P521.Signing.PrivateKey(rawRepresentation: bytes)
      members = point("P-521", key.publicKey.rawRepresentation, bytes)
    case .edDSA, .ed25519:
      let bytes = random(32, seed, number)
      let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
      members = [
        "kty": "OKP", "crv": "Ed25519", "d": .string(StrictBase64URL.encode(bytes)),
        "x": .string(StrictBase64URL.encode([UInt8](key.publicKey.rawRepresentation))),
      ]
    default:
      members = (number % 2 == 1) == (seed >> 63 == 0) ? PublishedRSAKeys.first : PublishedRSAKeys.second
    }
    members["kid"] = id.map(JSONValue.string)
    let text = String(decoding: CompactJSON.object(members) ?? [], as: UTF8.self)
    return try SigningKey(jwk: Secret(text), algorithm: algorithm)
  }

  private static func point(_ curve: String, _ coordinates: Data, _ number: [UInt8]) -> [String: JSONValue] {
    let half = coordinates.count / 2
    return [
      "kty": "EC", "crv": .string(curve), "d": .string(StrictBase64URL.encode(number)),
      "x": .string(StrictBase64URL.encode([UInt8](coordinates.prefix(half)))),
      "y": .string(StrictBase64URL.encode([UInt8](coordinates.suffix(half)))),
    ]
  }

  private static func random(_ count: Int, _ seed: UInt64, _ number: Int) -> [UInt8] {
    var generator = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
