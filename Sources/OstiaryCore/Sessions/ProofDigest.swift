internal import Crypto
internal import Foundation

/// Tells one proof of a sign-in from another without holding it: the first 16 bytes of SHA-256 over the sign-in's lineage
/// and the values of the proof. Attributes of cookies don't count, so a longer life makes no other proof.
struct ProofDigest: Hashable, Sendable {
  let bytes: [UInt8]

  /// - Parameter isProof: whether a cookie of this name carries the session.
  init(_ proof: Proof, of lineage: UUID, isProof: (String) -> Bool) {
    var hash = SHA256()
    func add(_ text: String) {
      var count = UInt64(text.utf8.count).littleEndian
      Swift.withUnsafeBytes(of: &count) { hash.update(bufferPointer: $0) }
      hash.update(data: Data(text.utf8))
    }
    add(lineage.uuidString)
    for (name, token) in proof.tokens.sorted(by: { $0.key < $1.key }) {
      add(name)
      add(token.reveal())
    }
    add("cookies")
    let cookies = proof.cookies.cookies.filter { isProof($0.name) }
    for cookie in cookies.sorted(by: { ($0.name, $0.domain, $0.path) < ($1.name, $1.domain, $1.path) }) {
      for part in [cookie.name, cookie.domain, cookie.path, cookie.value.reveal()] { add(part) }
    }
    bytes = Array(hash.finalize().prefix(16))
  }

  /// A digest of these bytes.
  init(bytes: [UInt8]) { self.bytes = bytes }
}

extension ProofDigest: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let data = Data(base64Encoded: try container.decode(String.self)), data.count <= 64 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "A digest is base64.")
    }
    bytes = Array(data)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes).base64EncodedString())
  }
}

extension [ProofDigest] {
  /// The first ones, each once, without these.
  func recent(_ count: Int, besides others: [ProofDigest]) -> [ProofDigest] {
    var seen = Set(others)
    return Array(filter { seen.insert($0).inserted }.prefix(count))
  }
}
