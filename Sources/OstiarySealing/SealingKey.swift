internal import Crypto
public import Foundation
public import OstiaryCore

/// A key that seals sessions: 256 bits that can't be guessed, and an identifier that tells it from other keys.
public struct SealingKey: Sendable, Hashable {
  /// The length of a key, in bytes.
  package static let length = 32

  /// What a sealed session says about the key that opens it. It is derived from the key and gives nothing of it away.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    let bytes: Data

    init(_ bytes: Data) {
      self.bytes = bytes
    }

    public var description: String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
  }

  /// Which key this is.
  public let id: ID
  let material: SymmetricKey

  /// Makes a key of 32 bytes, which must come from a random generator or a key derivation.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when they are fewer or more.
  public init(bytes: some ContiguousBytes) throws {
    let material = bytes.withUnsafeBytes { SymmetricKey(data: $0) }
    guard material.bitCount == Self.length * 8 else {
      throw OstiaryError(
        .invalidInput, "A sealing key has \(Self.length) bytes, not \(material.bitCount / 8).",
        advice: "Make one with: openssl rand -base64 32", disposition: .misuse)
    }
    self.init(material)
  }

  /// Makes a new random key.
  public static func random() -> SealingKey { SealingKey(SymmetricKey(size: .bits256)) }

  private init(_ material: SymmetricKey) {
    self.material = material
    let code = HMAC<SHA256>.authenticationCode(for: Data("ostiary sealing key identifier".utf8), using: material)
    id = ID(Data(code.prefix(8)))
  }

  public static func == (one: SealingKey, other: SealingKey) -> Bool { one.material == other.material }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// The bytes, for the code that keeps the key. Every call is a place to look at in a review.
  public func reveal() -> Data { material.withUnsafeBytes { Data($0) } }
}

extension SealingKey: Redacted {
  public var description: String { "SealingKey(\(id))" }
}
