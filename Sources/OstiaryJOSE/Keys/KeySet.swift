public import Foundation
internal import OstiaryCore

/// The keys that a program trusts, such as an issuer's (RFC 7517 §5), each read once.
///
/// A header's `kid` only chooses among them. Keys that can't be used here (of an unknown kind, for encryption, too small, damaged) are left
/// out, as RFC 7517 §5 wants; so are private keys and shared secrets, which have no place in a document that is published.
public struct KeySet: Sendable {
  /// The usable keys, in their order.
  public let keys: [VerificationKey]
  /// How many keys of the document were left out.
  public let unusedCount: Int
  private let byID: [String: [Int]]
  /// The header of the tokens that these keys sign; `nil` where each token has its own.
  let recentHeader: RecentHeader?

  /// The longest document that is read.
  package static let maximumBytes = 1 << 20
  /// How many keys a document may have.
  package static let maximumKeys = 256
  /// How many keys are tried for a token that names none.
  package static let maximumTries = 16

  /// A set of these keys.
  public init(_ keys: [VerificationKey]) {
    self.init(keys, unused: 0)
  }

  /// Reads a document with the member `keys`.
  /// - Throws: ``JOSEError/Code/malformed`` or ``JOSEError/Code/repeatedMember`` for one that is none, ``JOSEError/Code/tooLarge`` for more
  ///   than 1 MiB or 256 keys.
  public init(json: Data) throws(JOSEError) {
    guard json.count <= Self.maximumBytes else {
      throw JOSEError(.tooLarge, "The key set is longer than 1 MiB.", source: "RFC 7517 §5")
    }
    let members = try JOSEObject.read([UInt8](json), "The key set", source: "RFC 7517 §5")
    guard let values = members["keys"]?.array else {
      throw JOSEError(.malformed, "The document has no list of keys.", source: "RFC 7517 §5.1")
    }
    guard values.count <= Self.maximumKeys else {
      throw JOSEError(.tooLarge, "The key set has more than \(Self.maximumKeys) keys.", source: "RFC 7517 §5")
    }
    var keys: [VerificationKey] = []
    for value in values {
      guard let members = value.object, let jwk = try? PublicJWK(members: members), let key = try? VerificationKey(jwk)
      else { continue }
      keys.append(key)
    }
    self.init(keys, unused: values.count - keys.count)
  }

  /// A set of one key that is used for every token, whichever key its header names.
  init(unnamed key: VerificationKey) {
    keys = [key]
    unusedCount = 0
    byID = [:]
    recentHeader = nil
  }

  private init(_ keys: [VerificationKey], unused: Int) {
    self.keys = keys
    unusedCount = unused
    recentHeader = RecentHeader()
    var byID: [String: [Int]] = [:]
    for (index, key) in keys.enumerated() {
      if let id = key.id { byID[id, default: []].append(index) }
    }
    self.byID = byID
  }

  /// Whether any key has a name. In a set without names each key is tried.
  package var hasNames: Bool { !byID.isEmpty }

  /// Whether a key has this name, byte for byte.
  package func hasKey(named id: String) -> Bool {
    byID[id]?.contains { keys[$0].id?.hasSameBytes(as: id) == true } ?? false
  }

  /// The places of the keys that may have signed a token with this header and this algorithm, which the caller allows.
  ///
  /// A name must be one of the set's. Only in a set whose keys have no names, and for a token that names none, are all keys tried that the
  /// algorithm can use.
  /// - Throws: ``JOSEError/Code/unknownKey`` or ``JOSEError/Code/keyNotAllowed``.
  func candidates(id: String?, _ algorithm: SignatureAlgorithm) throws(JOSEError) -> ArraySlice<Int> {
    guard let id, !byID.isEmpty else {
      let found = keys.indices.filter { keys[$0].allows(algorithm) }.prefix(Self.maximumTries)
      guard !found.isEmpty else {
        throw JOSEError(.unknownKey, "No key is for the token's algorithm.", source: "RFC 7515 §6")
      }
      return found
    }
    let named = (byID[id] ?? []).only { keys[$0].id?.hasSameBytes(as: id) == true }
    guard !named.isEmpty else {
      throw JOSEError(.unknownKey, "No key has the name that the token gives.", source: "RFC 7515 §4.1.4")
    }
    let found = named.only { keys[$0].allows(algorithm) }.prefix(Self.maximumTries)
    guard !found.isEmpty else {
      throw JOSEError(
        .keyNotAllowed, "The key that the token names is for another algorithm.", source: "RFC 8725 §3.1")
    }
    return found
  }
}

extension [Int] {
  /// Those of which something holds: mostly all, and then no new list is made.
  fileprivate func only(where holds: (Int) -> Bool) -> [Int] { allSatisfy(holds) ? self : filter(holds) }
}
