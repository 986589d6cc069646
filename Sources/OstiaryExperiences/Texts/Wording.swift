internal import Foundation
internal import OstiaryCore

/// Turns a document's texts into what is read, in one language and with a user's properties put in.
struct Wording: Sendable {
  /// The language that was chosen of the document's.
  let language: String
  private let documentLanguage: String
  private let tables: [(language: String, texts: [String: Experience.TextForms])]
  /// The chosen language without region, and the document's.
  private let builtIn: [String]
  /// The words around every screen, looked up once.
  private(set) var words = ScreenWords()

  /// - Parameter languages: what the user reads, the best first (BCP 47).
  init(_ experience: Experience, languages: [String]) {
    documentLanguage = experience.language
    language = Self.choose(languages, among: experience)
    var order: [String] = []
    for name in [language, Self.base(language), experience.language] where !order.contains(name) { order.append(name) }
    tables = order.compactMap { name in experience.texts[name].map { (name, $0) } }
    var bases: [String] = []
    for name in [language, experience.language, "en"].map(Self.base) where !bases.contains(name) { bases.append(name) }
    builtIn = bases
    words = ScreenWords(
      waiting: builtIn("waiting"), problem: builtIn("problem"), optional: builtIn("optional"),
      choose: builtIn("choose"), clear: builtIn("clear"), yes: builtIn("yes"), no: builtIn("no"))
  }

  /// The first language of the user's that the document has, also as another region's.
  private static func choose(_ languages: [String], among experience: Experience) -> String {
    let known = [experience.language] + experience.texts.keys.sorted()
    for wanted in languages.prefix(20) {
      if let exact = known.first(where: { $0.lowercased() == wanted.lowercased() }) { return exact }
      if let same = known.first(where: { base($0) == base(wanted) }) { return same }
    }
    return experience.language
  }

  static func base(_ language: String) -> String {
    language.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }

  /// Whether the chosen language is written from right to left.
  var isRightToLeft: Bool {
    ["ar", "he", "iw", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"].contains(Self.base(language))
  }

  /// A text of the document. The values of properties come from `value`.
  func text(_ text: Experience.Text, _ value: (String) -> JSONValue?) -> String {
    switch text {
    case .literal(let literal): return Self.replace(literal) { Self.written(value($0)) }
    case .key(let key, let count):
      guard let (forms, language) = forms(key) else { return "" }
      let form = Self.form(forms, language) {
        count.flatMap { value($0) }.flatMap { $0.double ?? $0.string.flatMap { Double($0) } }
      }
      return Self.replace(form) { Self.written(value($0)) }
    }
  }

  /// One of Ostiary's own texts.
  func builtIn(_ name: String, _ values: [String: String] = [:]) -> String {
    guard let (forms, language) = forms(BuiltInTexts.key(name)) else { return name }
    return Self.replace(Self.form(forms, language) { values[BuiltInTexts.limit].flatMap { Double($0) } }) { values[$0] }
  }

  /// Only what has several forms needs its number.
  private static func form(_ forms: Experience.TextForms, _ language: String, _ number: () -> Double?) -> String {
    if case .one(let text) = forms { return text }
    return forms.form(PluralRules.category(of: number() ?? 0, in: language))
  }

  /// The text of an issue.
  func text(_ issue: FieldIssue) -> String {
    let name = FieldIssue.Code.all.contains(issue.code) ? issue.code.rawValue : FieldIssue.Code.invalid.rawValue
    return builtIn(name, issue.limit.map { [BuiltInTexts.limit: $0] } ?? [:])
  }

  private func forms(_ key: String) -> (Experience.TextForms, String)? {
    for (language, texts) in tables {
      if let forms = texts[key] { return (forms, language) }
      // Ostiary's own in the user's language go before the document's in another.
      if let forms = BuiltInTexts.forms(key, in: Self.base(language)) { return (forms, language) }
    }
    for language in builtIn {
      if let forms = BuiltInTexts.forms(key, in: language) { return (forms, language) }
    }
    return nil
  }

  /// A property as text.
  static func written(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let isOn): isOn ? "true" : "false"
    case .null, .array, .object, nil: nil
    }
  }

  /// Puts values where `{{name}}` or `{{name|otherwise}}` stands. Values are put in as they are, once.
  static func replace(_ text: String, _ value: (String) -> String?) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = pair(of: UInt8(ascii: "{"), in: rest),
      let end = pair(of: UInt8(ascii: "}"), in: rest[start.upperBound...])
    {
      result += rest[..<start.lowerBound]
      let parts = rest[start.upperBound..<end.lowerBound].split(
        separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].trimmingCharacters(in: .whitespaces)
      let found = value(name).flatMap { $0.isEmpty ? nil : $0 }
      result += found ?? (parts.count > 1 ? String(parts[1]) : "")
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Where a character of ASCII stands twice in a row.
  private static func pair(of sign: UInt8, in text: Substring) -> Range<String.Index>? {
    let bytes = text.utf8
    var before: String.Index?
    for index in bytes.indices {
      guard bytes[index] == sign else {
        before = nil
        continue
      }
      if let before { return before..<bytes.index(after: index) }
      before = index
    }
    return nil
  }
}

/// Words that a renderer needs around a screen.
public struct ScreenWords: Sendable, Hashable {
  /// Said while the screen is covered.
  public var waiting: String
  /// Stands above what is wrong.
  public var problem: String
  /// Stands beside fields that may stay empty.
  public var optional: String
  /// Stands for no choice.
  public var choose: String
  /// Takes a choice back.
  public var clear: String
  /// Yes, for toggles.
  public var yes: String
  /// No, for toggles.
  public var no: String

  /// Makes words. What isn't given is English.
  public init(
    waiting: String = "One moment …", problem: String = "There is a problem", optional: String = "optional",
    choose: String = "Please choose", clear: String = "Clear", yes: String = "yes", no: String = "no"
  ) {
    self.waiting = waiting
    self.problem = problem
    self.optional = optional
    self.choose = choose
    self.clear = clear
    self.yes = yes
    self.no = no
  }
}
