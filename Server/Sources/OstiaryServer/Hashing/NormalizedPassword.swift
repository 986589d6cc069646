import Foundation
internal import OstiaryCore

/// A password in the form that is hashed: NFKC, as UTF-8. It is not trimmed, case-folded or cut.
///
/// It prints as `‹secret›`.
struct NormalizedPassword: Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]
  /// Unicode code points, which is what the policy counts.
  let count: Int

  /// The longest password, in code points and in bytes.
  static let maximumCount = 1024
  static let maximumBytes = 4096

  /// - Throws: `passwordTooLong` beyond the maximum, before and after normalisation.
  init(_ password: Secret) throws(ServerError) {
    let raw = password.reveal()
    // Normalisation can lengthen a string eighteenfold: a text that is already too long is not normalised.
    guard raw.utf8.count <= Self.maximumBytes else { throw Self.tooLong }
    let text = raw.precomposedStringWithCompatibilityMapping
    bytes = Array(text.utf8)
    count = text.unicodeScalars.count
    guard bytes.count <= Self.maximumBytes, count <= Self.maximumCount else { throw Self.tooLong }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  private static var tooLong: ServerError {
    ServerError(
      .passwordTooLong, "The password is too long.",
      advice: "Use at most \(maximumCount) characters and \(maximumBytes) bytes.")
  }

  var description: String { "‹secret›" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
