internal import Foundation
internal import OstiaryCore

/// A signed text in the compact form (RFC 7515 §7.1), in its parts. Nothing of it is verified.
package struct CompactJWS: Sendable {
  /// The longest text that is read.
  package static let maximumBytes = 1 << 16

  /// What it says about itself.
  package let header: TokenHeader
  /// What it carries.
  package let payload: [UInt8]
  let signature: [UInt8]
  /// The text.
  private let bytes: [UInt8]
  /// How many of its bytes are signed, and how many of those are the header's.
  private let signedCount: Int
  private let headerCount: Int
  /// Whether the header is the recent one.
  let hasRecentHeader: Bool

  /// Takes a text apart, and refuses what is never accepted: an unsigned or encrypted one, an extension that is not known, base64url that is
  /// not the only text of its bytes, and a header with two members of one name.
  package init(_ text: String, maximumBytes: Int = CompactJWS.maximumBytes) throws(JOSEError) {
    try self.init(text, maximumBytes: maximumBytes, recent: nil)
  }

  /// - Parameter recent: the header that most tokens have.
  init(_ text: String, maximumBytes: Int, recent: RecentHeader?) throws(JOSEError) {
    guard text.utf8.count <= maximumBytes else {
      throw JOSEError(.tooLarge, "The token is longer than \(maximumBytes) bytes.")
    }
    bytes = [UInt8](text.utf8)
    let (first, second, count) = Self.points(in: bytes)
    switch count {
    case 2: break
    case 4: throw TokenHeader.encrypted
    default: throw Self.malformed
    }
    if let known = recent?.header(bytes[..<first]) {
      header = known
      hasRecentHeader = true
    } else {
      header = try TokenHeader(Self.decode(bytes[..<first]))
      hasRecentHeader = false
    }
    payload = try Self.decode(bytes[(first + 1)..<second])
    signature = try Self.decode(bytes[(second + 1)...])
    (signedCount, headerCount) = (second, first)
  }

  /// The bytes that are signed: the first two parts, as they came.
  var message: ArraySlice<UInt8> { bytes[..<signedCount] }

  /// The text of the header.
  var headerText: ArraySlice<UInt8> { bytes[..<headerCount] }

  /// The places of the first two points, and how many there are.
  private static func points(in bytes: [UInt8]) -> (first: Int, second: Int, count: Int) {
    bytes.withUnsafeBytes { bytes in
      var (first, second, count, next) = (0, 0, 0, 0)
      while let place = point(in: bytes, from: next) {
        count += 1
        if count == 1 { first = place } else if count == 2 { second = place }
        next = place + 1
      }
      return (first, second, count)
    }
  }

  /// The place of the next point. The library's search looks at many bytes at once.
  private static func point(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(UInt8(ascii: ".")), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private static let malformed = JOSEError(
    .malformed, "The token has not the three parts of a signed one.", source: "RFC 7515 §7.1")

  private static func decode(_ part: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
    guard let bytes = StrictBase64URL.decode(part) else {
      throw JOSEError(
        .malformed, "A part of the token is not base64url without padding, or has bits that mean nothing.",
        source: "RFC 7515 §2")
    }
    return bytes
  }

  /// What it carries, as claims.
  func claims() throws(JOSEError) -> StrictJSON.Members {
    try JOSEObject.members(payload, "The token's payload", source: "RFC 7519 §7.2")
  }

  /// Which of the keys has signed it. The algorithm is among the allowed ones or the token is refused: the header's name is compared with
  /// the names of these, and nothing else is made of it.
  /// - Throws: ``JOSEError/Code/algorithmNotAllowed``, ``JOSEError/Code/unknownKey``, ``JOSEError/Code/keyNotAllowed`` or
  ///   ``JOSEError/Code/wrongSignature``.
  package func signer(
    among keys: KeySet, allowing algorithms: Set<SignatureAlgorithm>
  ) throws(JOSEError) -> (key: VerificationKey, algorithm: SignatureAlgorithm) {
    guard let algorithm = algorithms.first(where: { $0.name == header.algorithmName }) else {
      throw JOSEError(
        .algorithmNotAllowed, "The token is signed with an algorithm that is not allowed.", source: "RFC 8725 §3.1")
    }
    for place in try keys.candidates(id: header.keyID, algorithm)
    where keys.keys[place].material.verifies(signature, of: message, with: algorithm.scheme) {
      return (keys.keys[place], algorithm)
    }
    throw JOSEError(.wrongSignature, "The signature of the token is wrong.", source: "RFC 7515 §5.2")
  }
}
