import Foundation

/// The rules for user names: 1 to 256 code points after NFKC, no control characters, no space at either end.
enum UserName {
  static let maximumCount = 256
  static let maximumBytes = NameKey.mostBytes

  /// The name as it is stored.
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

/// The rules for tenants' names: 1 to 64 of the letters, digits, and `-`, `_`, `.` of ASCII, compared as they are.
enum TenantName {
  /// - Throws: `invalidTenant`.
  static func validated(_ name: String) throws(ServerError) -> String {
    guard isValid(name) else {
      throw ServerError(
        .invalidTenant, "The tenant's name is none.",
        advice: "Use 1 to 64 letters, digits, dots, hyphens or underscores.")
    }
    return name
  }

  static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
