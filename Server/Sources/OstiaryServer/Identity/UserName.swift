import Foundation

/// The rules for user names: 1 to 256 code points after NFKC, no control characters, no space at either end.
enum UserName {
  static let maximumCount = 256
  static let maximumBytes = NameKey.mostBytes

  /// The name as it is kept.
  /// - Throws: `invalidUserName`.
  static func validated(_ name: String) throws(ServerError) -> String {
    guard name.utf8.count <= maximumBytes else { throw refused("is too long") }
    let kept = name.precomposedStringWithCompatibilityMapping
    guard !kept.isEmpty else { throw refused("is empty") }
    guard kept.unicodeScalars.count <= maximumCount, kept.utf8.count <= maximumBytes else {
      throw refused("is too long")
    }
    guard !kept.unicodeScalars.contains(where: { $0.isUnprintable }) else { throw refused("has control characters") }
    guard kept.first?.isWhitespace == false, kept.last?.isWhitespace == false else {
      throw refused("begins or ends with a space")
    }
    return kept
  }

  private static func refused(_ reason: String) -> ServerError {
    ServerError(
      .invalidUserName, "The user name \(reason).",
      advice: "Use 1 to \(maximumCount) characters, without control characters.")
  }
}
