/// A record's identifier as Salesforce writes it: 15 characters in which upper and lower case differ, or 18, of which the
/// last three say which of the others are upper case, so that spelling it in another case loses nothing.
///
/// Both spellings of one identifier are equal and hash equally.
public struct SalesforceID: Sendable {
  /// The 15 characters.
  public let id15: String
  /// The 18 characters, the suffix included.
  public let id18: String

  /// Reads an identifier of either length. The case of one with 18 characters is restored from its suffix.
  /// - Returns: `nil` for a text that is no identifier: another length, other characters than ASCII letters and digits,
  ///   or a suffix that does not belong.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy(Self.isAlphanumeric) else { return nil }
    switch bytes.count {
    case 15: self.init(bytes: bytes)
    case 18:
      guard let restored = Self.restoringCase(of: bytes) else { return nil }
      // A text of upper and lower case has kept its case: a suffix that says another was mistyped.
      let letters = bytes[..<15].filter(Self.isLetter)
      let isMixed = letters.contains(where: Self.isUpper) && !letters.allSatisfy(Self.isUpper)
      guard !isMixed || restored[...] == bytes[..<15] else { return nil }
      self.init(bytes: restored)
    default: return nil
    }
  }

  private init(bytes: [UInt8]) {
    id15 = String(decoding: bytes, as: UTF8.self)
    id18 = id15 + Self.suffix(of: bytes)
  }

  /// The 18-character spelling of an identifier, or the text itself where it is none: two spellings can be compared by
  /// it, for any text that an app passes.
  public static func normalized(_ text: String) -> String { SalesforceID(text)?.id18 ?? text }

  // MARK: The suffix

  /// One character for each five: its number in this alphabet has a bit for each upper-case letter, the first lowest.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".utf8)

  private static func suffix(of bytes: [UInt8]) -> String {
    let characters = stride(from: 0, to: 15, by: 5).map { start in
      let bits = (0..<5).reduce(0) { isUpper(bytes[start + $1]) ? $0 | 1 << $1 : $0 }
      return alphabet[bits]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  private static func restoringCase(of bytes: [UInt8]) -> [UInt8]? {
    var restored: [UInt8] = []
    for (chunk, character) in bytes[15...].enumerated() {
      guard let bits = alphabet.firstIndex(of: upper(character)) else { return nil }
      for position in 0..<5 {
        let byte = bytes[chunk * 5 + position]
        let isUpperCase = bits & 1 << position != 0
        // A digit has no case, so a suffix that says it has belongs to something else.
        guard !isUpperCase || isLetter(byte) else { return nil }
        restored.append(isUpperCase ? upper(byte) : isLetter(byte) ? byte | 0x20 : byte)
      }
    }
    return restored
  }

  private static func isUpper(_ byte: UInt8) -> Bool { byte &- 65 < 26 }
  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 97 < 26 }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || byte &- 48 < 10 }
  private static func upper(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte & 0xDF : byte }
}

extension SalesforceID: Hashable, Comparable {
  public static func == (lhs: SalesforceID, rhs: SalesforceID) -> Bool { lhs.id15 == rhs.id15 }
  public static func < (lhs: SalesforceID, rhs: SalesforceID) -> Bool { lhs.id18 < rhs.id18 }
  public func hash(into hasher: inout Hasher) { hasher.combine(id15) }
}

extension SalesforceID: Codable, CustomStringConvertible {
  /// The 18 characters.
  public var description: String { id18 }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = SalesforceID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no Salesforce identifier.")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id18)
  }
}
