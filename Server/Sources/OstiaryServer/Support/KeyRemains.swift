import Crypto
import Foundation
internal import OstiaryCore

/// What is left of a key of the server when it is retired: the keys of a few purposes, from which nothing else can be derived (HKDF).
///
/// Each is needed for long, and opens nothing that is worth a secret: the chain of the audit trail of before, whose rows the end of
/// its stretch holds in place; the marks of names in it; the hashes of administrators' tokens, which have 256 random bits; and the
/// made token of Primer's apps, which every copy of an app has.
struct KeyRemains: Sendable {
  private static let purposes = ["audit.seals", "audit.names", "administration.tokens", "primer.token"]
  private static let size = 32

  private let keys: [String: SymmetricKey]

  init(of key: ServerKey) {
    keys = Dictionary(uniqueKeysWithValues: Self.purposes.map { ($0, key.key(named: $0)) })
  }

  /// The remains that were sealed with a key; nil if they were not.
  init?(_ sealed: Data, of number: Int64, with key: ServerKey) {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let content = try? AES.GCM.open(box, using: key.key(for: "key.remains"), authenticating: Self.context(number)),
      content.count == Self.purposes.count * Self.size
    else { return nil }
    var keys: [String: SymmetricKey] = [:]
    for (index, purpose) in Self.purposes.enumerated() {
      keys[purpose] = SymmetricKey(data: content.dropFirst(index * Self.size).prefix(Self.size))
    }
    self.keys = keys
  }

  /// The key for a purpose; nil if it is not one of them.
  func key(for purpose: String) -> SymmetricKey? { keys[purpose] }

  func sealed(of number: Int64, with key: ServerKey) throws -> Data {
    var content = Data()
    for purpose in Self.purposes { keys[purpose]?.withUnsafeBytes { content.append(contentsOf: $0) } }
    return try AES.GCM.sealed(content, with: key.key(for: "key.remains"), context: Self.context(number))
  }

  private static func context(_ number: Int64) -> Data { Data("ostiary.key.remains.1.\(number)".utf8) }
}

/// A key of the server that the database has, sealed with another one.
extension ServerKey {
  /// The value by which a database knows the key: only the right key gives it, and it tells nothing about the key.
  var checkValue: Data { key(for: "key.check").withUnsafeBytes { Data($0) } }

  private static func context(_ number: Int64) -> Data { Data("ostiary.key.1.\(number)".utf8) }

  /// This key, which has a number, sealed with another one.
  func sealed(as number: Int64, with other: ServerKey) throws -> Data {
    try AES.GCM.sealed(
      Data(text.reveal().utf8), with: other.key(for: "key.wrap"), context: Self.context(number))
  }

  /// The key of a number that was sealed with this one; nil if it was not.
  func opened(_ sealed: Data, number: Int64) -> ServerKey? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let content = try? AES.GCM.open(box, using: key(for: "key.wrap"), authenticating: Self.context(number))
    else { return nil }
    return ServerKey(text: String(decoding: content, as: UTF8.self), place: "the database")
  }
}

extension AES.GCM {
  fileprivate static func sealed(_ content: Data, with key: SymmetricKey, context: Data) throws -> Data {
    guard let sealed = try seal(content, using: key, authenticating: context).combined else {
      throw ServerError(.storageFailed, "A key can't be sealed.", advice: "Report this.")
    }
    return sealed
  }
}
