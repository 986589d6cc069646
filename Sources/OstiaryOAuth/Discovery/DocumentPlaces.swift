internal import Foundation
internal import OstiaryCore

/// Names a document of metadata. Issuers that look alike are not the same.
struct ServerPlace: Hashable, Sendable {
  let issuer: String
  let convention: ServerDirectory.Convention
  /// Whether the other address is not asked.
  var isAlone = false

  static func == (one: ServerPlace, other: ServerPlace) -> Bool {
    one.convention == other.convention && one.isAlone == other.isAlone && one.issuer.hasSameBytes(as: other.issuer)
  }
}

/// A document of metadata and where it was.
struct FoundMetadata: Sendable {
  let metadata: ServerMetadata
  let address: URL
}

/// Names a key set. The issuer alone is hashed: it has one address as a rule, and hashing that takes longer than the rest.
struct KeySetPlace: Hashable, Sendable {
  let issuer: String
  let address: URL

  static func == (one: KeySetPlace, other: KeySetPlace) -> Bool {
    one.issuer.hasSameBytes(as: other.issuer) && one.address == other.address
  }

  func hash(into hasher: inout Hasher) { hasher.combine(issuer) }
}
