internal import Crypto
package import Foundation

/// Passwords that are refused because attackers try them first.
///
/// The built-in list has the 3000 most used passwords of eight characters or more, and four patterns of any length: a
/// block repeated (`aaaaaaaaaaaaaaaa`, `abc123abc123abc123`); a run through the alphabet, the digits or a keyboard row;
/// either of these with a few more characters at the end; and a listed password repeated or joined to another. Case is
/// ignored. Breaches have made many more passwords known: give the server a longer list with ``init(file:)``.
package struct PasswordBlocklist: Sendable {
  private let fingerprints: [UInt8]
  private let words: Set<String>
  private let knowsPatterns: Bool

  /// The list that the server contains.
  package static var builtIn: PasswordBlocklist {
    PasswordBlocklist(fingerprints: Array(Data(base64Encoded: CommonPasswords.fingerprints) ?? Data()), words: [])
  }

  /// A list that refuses nothing.
  static let empty = PasswordBlocklist(fingerprints: [], words: [], knowsPatterns: false)

  /// The built-in list and the lines of a UTF-8 file, one password a line.
  /// - Throws: `storageDenied` if the file can't be read as UTF-8, or is larger than 64 MiB.
  package init(file: URL) throws(ServerError) {
    let text: String
    do {
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
      guard let size, size.intValue <= 64 << 20 else { throw CocoaError(.fileReadTooLarge) }
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw ServerError(
        .storageDenied, "The list of common passwords can't be read from \(file.path).",
        advice: "Give a UTF-8 file of at most 64 MiB with a password a line.", underlying: error)
    }
    let lines = text.split(whereSeparator: \.isNewline).map { Self.comparable(String($0)) }
    self.init(fingerprints: Self.builtIn.fingerprints, words: Set(lines))
  }

  private init(fingerprints: [UInt8], words: Set<String>, knowsPatterns: Bool = true) {
    self.fingerprints = fingerprints
    self.words = words
    self.knowsPatterns = knowsPatterns
  }

  /// Whether `password` is on the list or follows one of its patterns.
  package func contains(_ password: String) -> Bool {
    let text = Self.comparable(password)
    if isListed(text) { return true }
    guard knowsPatterns else { return false }
    let characters = Array(text.unicodeScalars)
    return PasswordPatterns.isRepetition(characters) || PasswordPatterns.isRun(characters)
      || isJoined(characters)
  }

  /// Whether the text is two listed passwords one after the other.
  private func isJoined(_ characters: [Unicode.Scalar]) -> Bool {
    // Both halves have at least eight characters, as every listed password has.
    guard (16...64).contains(characters.count) else { return false }
    return (8...characters.count - 8).contains { middle in
      isListed(Self.text(characters[..<middle])) && isListed(Self.text(characters[middle...]))
    }
  }

  private func isListed(_ text: String) -> Bool {
    if words.contains(text) { return true }
    let size = CommonPasswords.fingerprintCount
    let wanted = Array(SHA256.hash(data: Data(text.utf8)).prefix(size))
    var range = 0..<fingerprints.count / size
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = fingerprints[middle * size..<(middle + 1) * size]
      if found.elementsEqual(wanted) { return true }
      range = found.lexicographicallyPrecedes(wanted) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  private static func text(_ characters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(characters))
  }

  private static func comparable(_ password: String) -> String {
    password.precomposedStringWithCompatibilityMapping.lowercased()
  }
}
