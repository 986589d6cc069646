internal import Foundation
internal import OstiaryCore

/// A text and the language that it is in.
struct WordedText: Hashable, Sendable {
  var text: String
  /// A language tag (BCP 47).
  var language: String
}

/// Turns a document's texts into what is read, in one language and with a user's properties put in.
struct Wording: Sendable {
  /// The language that was chosen of the document's.
  let language: String
  /// Whether the chosen language is written from right to left.
  let isRightToLeft: Bool
  /// How the reader writes numbers.
  let numbers: NumberStyle
  private let documentLanguage: String
  /// Where texts are looked for, in this order.
  private let sources: [Source]
  /// The words around every screen, looked up once.
  private(set) var words = ScreenWords()

  private enum Source {
    case document(language: String, texts: [String: Experience.TextForms])
    case builtIn(language: String)
  }

  /// - Parameter languages: what the user reads, the best first (BCP 47).
  init(_ experience: Experience, languages: [String]) {
    documentLanguage = experience.language
    let others = experience.texts.keys.filter { $0 != experience.language }.sorted()
    let known = ([experience.language] + others).map { LanguageTag.Candidate($0) }
    language = LanguageTag.lookUp(languages, among: known)?.name ?? experience.language
    isRightToLeft = LanguageTag(language).isRightToLeft
    var order: [Source] = []
    var seen: Set<String> = []
    // Ostiary's own texts in the user's language go before the document's in another.
    for name in [language, experience.language] {
      let chain = [name] + LanguageTag.fallbacks(of: name, among: known).map(\.name)
      for name in chain where seen.insert(name).inserted {
        if let texts = experience.texts[name] { order.append(.document(language: name, texts: texts)) }
      }
      if let own = BuiltInTexts.language(for: name), seen.insert("built-in \(own)").inserted {
        order.append(.builtIn(language: own))
      }
    }
    sources = order + [.builtIn(language: "en")]
    numbers = NumberStyle(Self.reader(languages, of: language))
    words = Self.words { builtIn($0) }
    for (name, word) in Self.wordNames.map({ ($0, worded($0)) }) where word.language != language {
      words.otherLanguages[name] = word.language
    }
  }

  /// The reader's own tag, which may name a region, where it is of the language that is shown.
  private static func reader(_ languages: [String], of language: String) -> String {
    let shown = LanguageTag(language).maximized
    return languages.prefix(20).first { name in
      let tag = LanguageTag(name).maximized
      return tag.language == shown.language && tag.script == shown.script
    } ?? language
  }

  private static let wordNames = ["waiting", "problem", "optional", "choose", "clear", "others", "back", "yes", "no"]

  private static func words(_ text: (String) -> String) -> ScreenWords {
    ScreenWords(
      waiting: text("waiting"), problem: text("problem"), optional: text("optional"), choose: text("choose"),
      clear: text("clear"), others: text("others"), back: text("back"), yes: text("yes"), no: text("no"))
  }

  /// A text of the document. The values of properties come from `value`.
  func text(_ text: Experience.Text, _ value: (String) -> JSONValue?) -> String { worded(text, value).text }

  /// A text of the document with its language.
  func worded(_ text: Experience.Text, _ value: (String) -> JSONValue?) -> WordedText {
    switch text {
    case .literal(let literal):
      return WordedText(
        text: Self.replace(literal) { written(value($0), in: documentLanguage) }, language: documentLanguage)
    case .key(let key, let count):
      guard let (forms, language) = forms(key) else { return WordedText(text: "", language: language) }
      let form = Self.form(forms, language) {
        count.flatMap { value($0) }.flatMap { $0.double ?? $0.string.flatMap { numbers.read($0).number } }
      }
      return WordedText(text: Self.replace(form) { written(value($0), in: language) }, language: language)
    }
  }

  /// One of Ostiary's own texts.
  func builtIn(_ name: String, _ values: [String: String] = [:]) -> String { worded(name, values).text }

  /// One of Ostiary's own texts with its language.
  func worded(_ name: String, _ values: [String: String] = [:]) -> WordedText {
    guard let (forms, language) = forms(BuiltInTexts.key(name)) else {
      return WordedText(text: name, language: language)
    }
    let form = Self.form(forms, language) { values[BuiltInTexts.limit].flatMap { Double($0) } }
    let text = Self.replace(form) { name in
      values[name].map { name == BuiltInTexts.limit ? written($0, in: language) : $0 }
    }
    return WordedText(text: text, language: language)
  }

  /// Only what has several forms needs its number.
  private static func form(_ forms: Experience.TextForms, _ language: String, _ number: () -> Double?) -> String {
    if case .one(let text) = forms { return text }
    return forms.form(PluralRules.category(of: number() ?? 0, in: language))
  }

  /// The text of an issue.
  func text(_ issue: FieldIssue) -> String { worded(issue).text }

  /// The text of an issue with its language.
  func worded(_ issue: FieldIssue) -> WordedText {
    let name = FieldIssue.Code.all.contains(issue.code) ? issue.code.rawValue : FieldIssue.Code.invalid.rawValue
    return worded(name, issue.limit.map { [BuiltInTexts.limit: $0] } ?? [:])
  }

  /// The text of a server's code, or `nil` where there is none or a number for it is missing.
  func text(_ code: MessageCode) -> String? {
    guard let name = BuiltInTexts.serverCodes[code.name] else { return nil }
    guard code.limit != nil || !BuiltInTexts.namesLimit.contains(name) else { return nil }
    return builtIn(name, code.limit.map { [BuiltInTexts.limit: String($0)] } ?? [:])
  }

  /// The texts that stand in for an app's message, or for none.
  private static let messageNames = Set(BuiltInTexts.serverCodes.values).union(["failed", "refused", "unanswered"])

  /// The language of a message: that of Ostiary's own text, where it is one and there is none in the screen's language. The
  /// language of an app's own message is not known, and taken for the screen's.
  func language(of message: String) -> String {
    guard !BuiltInTexts.languages.contains(language) else { return language }
    for name in Self.messageNames {
      guard let (forms, other) = forms(BuiltInTexts.key(name)), other != language else { continue }
      let texts: [String] =
        switch forms {
        case .one(let text): [text]
        case .plural(let forms): Array(forms.values)
        }
      if texts.contains(where: { Self.isText($0, message) }) { return other }
    }
    return language
  }

  /// Whether a message is a text, with any value in its place.
  private static func isText(_ text: String, _ message: String) -> Bool {
    guard let start = text.range(of: "{{"), let end = text.range(of: "}}", options: .backwards),
      start.upperBound <= end.lowerBound
    else { return message == text }
    let (before, after) = (text[..<start.lowerBound], text[end.upperBound...])
    return !(before.isEmpty && after.isEmpty) && message.utf8.count >= before.utf8.count + after.utf8.count
      && message.hasPrefix(before) && message.hasSuffix(after)
  }

  private func forms(_ key: String) -> (Experience.TextForms, String)? {
    for source in sources {
      switch source {
      case .document(let language, let texts): if let forms = texts[key] { return (forms, language) }
      case .builtIn(let language): if let forms = BuiltInTexts.forms(key, in: language) { return (forms, language) }
      }
    }
    return nil
  }

  /// A property as the reader writes it, in a text of a language.
  private func written(_ value: JSONValue?, in language: String) -> String? {
    guard let plain = Self.plain(value) else { return nil }
    switch value {
    case .integer, .number: return written(plain, in: language)
    // A day that was entered is a text.
    default: return CalendarDay(plain) == nil ? plain : written(plain, in: language)
    }
  }

  /// A number or a day as the reader writes it, in a text of a language.
  private func written(_ plain: String, in language: String) -> String {
    let text = Double(plain) == nil ? plain : numbers.written(plain)
    // Between letters from right to left a hyphen has the text's direction: a minus sign would stand behind its number,
    // and the parts of a day in the wrong order. The mark is a letter from left to right. Arabic digits have a direction
    // of their own, which it does not change.
    guard text.utf8.contains(UInt8(ascii: "-")),
      !text.unicodeScalars.contains(where: { ("\u{660}"..."\u{669}").contains($0) }),
      LanguageTag(language).isRightToLeft
    else { return text }
    return "\u{200E}\(text)"
  }

  /// A property as text that means the same everywhere: a number has a point.
  static func plain(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): NumberStyle.plain(number)
    case .bool(let isOn): isOn ? "true" : "false"
    case .null, .array, .object, nil: nil
    }
  }

  /// A document's value or a property as the user would type it into a field.
  func entry(_ text: String?, for field: Experience.Field) -> String? {
    guard field.kind == .number else { return text }
    return text.map { Double($0) == nil ? $0 : numbers.written($0) }
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
    var rest = text.utf8
    while let first = rest.firstIndex(of: sign) {
      let second = rest.index(after: first)
      if second < rest.endIndex, rest[second] == sign { return first..<rest.index(after: second) }
      rest = rest[second...]
    }
    return nil
  }
}
