internal import Foundation

/// Knows which properties and parameters tell who a person is: by their names, and by texts that have e-mail addresses or
/// telephone numbers in them.
///
/// A name is taken apart into words (`workEmail`, `work_email` and `work-email` have two), and is personal when one of them
/// is, or when two that stand together are (`first name`, `profile pic`). A word is also known in the plural (`emails`), and
/// written together with other words that are known (`phonenumber`, `Telefonnummer`). Accents make no difference.
public struct PersonalData: Sendable, Hashable {
  /// Words that make a name personal, in lower case; of two, the second follows the first.
  public var words: Set<String> {
    didSet { known = KnownWords(words) }
  }

  private var known: KnownWords

  /// The usual words, in the languages of Ostiary's own texts. The vendor of Primer never published its list; this one is
  /// Ostiary's.
  public static let usual = PersonalData(words: PersonalWords.usual)

  /// Makes a list of words.
  public init(words: Set<String>) {
    self.words = words
    known = KnownWords(words)
  }

  /// Whether a property of this name and value tells who a person is.
  public func includes(_ name: String, _ value: PropertyValue) -> Bool {
    includes(name: name) || Self.tells(value)
  }

  /// Whether a property of this name tells who a person is.
  public func includes(name: String) -> Bool {
    let parts = Self.words(of: name).flatMap { known.parts(of: $0) }
    if parts.contains(where: known.isPersonal) || known.isPersonal(parts.joined()) || Self.tells(name) { return true }
    return zip(parts, parts.dropFirst()).contains { known.isPersonal("\($0) \($1)") || known.isPersonal($0 + $1) }
      || zip(parts, parts.dropFirst(2)).contains { known.isPersonal("\($0) \($1)") }
  }

  /// Whether a text is an e-mail address, as far as can be seen from it.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = parts.first, let host = parts.last else { return false }
    return !user.isEmpty && host.contains(".") && !text.contains(where: \.isWhitespace)
  }

  /// Whether there is an e-mail address or a telephone number in a text: `write to ann@example.com`, `a@x.example,b@x.example`,
  /// `mailto:ann%40example.com`, `+44 20 7946 0000`.
  public static func tells(_ text: String) -> Bool {
    hasAddress(text) || hasPhoneNumber(text)
  }

  /// A name as it may be shown: one that tells who a person is is not.
  package static func shown(_ name: String) -> String { tells(name) ? "(personal)" : name }

  /// Names as they may be shown, in their order.
  static func list(_ names: some Sequence<String>) -> String { names.map(shown).sorted().joined(separator: ", ") }

  func removed(from values: [String: PropertyValue]) -> [String: PropertyValue] {
    values.filter { !includes($0.key, $0.value) }
  }

  private static func tells(_ value: PropertyValue) -> Bool {
    switch value {
    case .string(let text): tells(text)
    case .list(let values): values.contains(where: tells)
    default: false
    }
  }

  private static func hasAddress(_ text: String) -> Bool {
    // Most texts have neither.
    guard text.utf8.contains(UInt8(ascii: "@")) || text.contains("＠") || text.range(of: "%40") != nil else {
      return false
    }
    return text.replacing("%40", with: "@").replacing("＠", with: "@")
      .split { $0.isWhitespace || ",;:<>()[]{}\"'|/\\=&?#".contains($0) }
      .contains { piece in
        let address = piece.trimmingCharacters(in: CharacterSet(charactersIn: ".!"))
        // Languages have other separators, too: what has several is an address for each.
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).contains { !$0.isEmpty && $1.contains(".") }
      }
  }

  /// In the international form (ITU-T E.123): a plus sign and 8 to 15 digits, which spaces, points, hyphens and parentheses may
  /// part.
  private static func hasPhoneNumber(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "+")) || text.contains("＋") else { return false }
    return text.split(omittingEmptySubsequences: false) { "+＋".contains($0) }.dropFirst().contains { rest in
      let number = rest.prefix { $0.isWholeNumber || ($0.isWhitespace && !$0.isNewline) || "-‐‑–.()/".contains($0) }
      let digits = number.count(where: \.isWholeNumber)
      return (8...15).contains(digits)
    }
  }

  /// `workEmail2`, `work_email`, `WORK-EMAIL` and `workEMail` as `work`, `email`; `userIPAddress` as `user`, `ip`, `address`.
  private static func words(of name: String) -> [String] {
    let name = name.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    var words: [String] = []
    var word: [Character] = []
    func end() {
      if !word.isEmpty { words.append(String(word).lowercased()) }
      word = []
    }
    for character in name {
      guard character.isLetter else {
        end()
        continue
      }
      if character.isUppercase, word.last?.isLowercase == true {
        end()
      } else if character.isLowercase, word.count > 1, let last = word.last, last.isUppercase,
        word.dropLast().last?.isUppercase == true
      {
        // The last capital of several begins the next word.
        word.removeLast()
        end()
        word = [last]
      }
      word.append(character)
    }
    end()
    return words
  }
}

/// Words as they are looked up.
private struct KnownWords: Sendable, Hashable {
  private let words: Set<String>
  /// The words that stand alone, for compounds, and the letters of the longest.
  private let single: Set<String>
  private let longest: Int

  init(_ words: Set<String>) {
    self.words = Set(words.map { $0.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil) })
    let parts = self.words.flatMap { $0.split(separator: " ").map(String.init) }
    single = Set(parts).union(PersonalWords.companions)
    longest = single.map(\.count).max() ?? 0
  }

  /// Whether a word, or two with a space between them, are personal: in the singular, or in the plural.
  func isPersonal(_ word: String) -> Bool {
    if words.contains(word) { return true }
    // Scripts without spaces between words have no other sign of where one begins.
    if let first = word.unicodeScalars.first, first.value >= 0x0E00, !(0x1E00..<0x2000).contains(first.value) {
      return words.contains { $0.unicodeScalars.first.map { $0.value >= 0x0E00 } == true && word.contains($0) }
    }
    return Self.singulars(of: word).contains(where: words.contains)
  }

  /// A word as it is, if it is known; otherwise the known words that it is written together of, if it is so.
  func parts(of word: String) -> [String] {
    if isPersonal(word) || word.count > 60 { return [word] }
    return split(Array(word), from: 0, depth: 0) ?? [word]
  }

  private func isKnown(_ word: String) -> Bool {
    single.contains(word) || Self.singulars(of: word).contains(where: single.contains)
  }

  /// The longest known words first; letters may join two of them, as in German.
  private func split(_ letters: [Character], from start: Int, depth: Int) -> [String]? {
    guard start < letters.count else { return [] }
    guard depth < 6 else { return nil }
    let most = min(letters.count - start, longest + 2)
    guard most >= 2 else { return nil }
    for length in stride(from: most, through: 2, by: -1) {
      let part = String(letters[start..<(start + length)])
      guard isKnown(part) else { continue }
      for joint in Self.joints where letters[(start + length)...].starts(with: joint) {
        let next = start + length + joint.count
        // Letters that join need something to join to.
        guard joint.isEmpty || next < letters.count else { continue }
        if let rest = split(letters, from: next, depth: depth + 1) { return [part] + rest }
      }
    }
    return nil
  }

  private static let joints = ["", "s", "n", "es", "en"]

  /// What a word may be the plural of.
  private static func singulars(of word: String) -> [String] {
    guard word.count > 2 else { return [] }
    return endings.compactMap { ending, replacement, least in
      guard word.hasSuffix(ending), word.count - ending.count >= least else { return nil }
      return String(word.dropLast(ending.count)) + replacement
    }
  }

  /// Endings of plurals, what stands in the singular, and how many letters are before them at least.
  private static let endings = [
    ("s", "", 2), ("es", "", 4), ("ies", "y", 3), ("en", "", 4), ("ern", "er", 4), ("sen", "se", 4), ("men", "me", 2),
    ("e", "", 4), ("lar", "", 4), ("ler", "", 4),
  ]
}
