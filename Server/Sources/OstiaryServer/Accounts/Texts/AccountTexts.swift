internal import OstiaryCore
internal import OstiaryExperiences

/// The texts of the account pages, their JSON interface and their mail, in one language.
struct AccountTexts: Sendable {
  /// The language of a reader who names none that is there.
  static let standard = "en"
  static let english = AccountTexts(standard)

  /// The wordings that a page has needed, by language. A language costs its first reader milliseconds, and no other
  /// reader.
  private static let wordings = Locked<[String: ExperienceWording]>([:])

  private let wording: ExperienceWording

  /// - Parameter language: One of the tables' languages; any other is the standard one.
  init(_ language: String) {
    let language = AccountTables.languages.contains(language) ? language : Self.standard
    if let known = Self.wordings.withLock({ $0[language] }) {
      wording = known
    } else {
      let made = ExperienceWording(AccountTables.document(in: language), languages: [language])
      wording = made
      Self.wordings.withLock { $0[language] = made }
    }
  }

  /// The language of the tables that fits a reader best.
  /// - Parameter languages: The reader's, the best first (BCP 47).
  static func language(for languages: [String]) -> String {
    guard let first = languages.first else { return standard }
    // Most readers name a language that is there, with or without a country.
    if AccountTables.languages.contains(first) { return first }
    let parts = first.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].utf8.count == 2, AccountTables.languages.contains(String(parts[0])) {
      return String(parts[0])
    }
    return ExperienceWording(AccountTables.names, languages: languages).language
  }

  /// A language tag (BCP 47).
  var language: String { wording.language }
  /// Whether it is written from right to left.
  var isRightToLeft: Bool { wording.isRightToLeft }
  /// The words beside fields and above problems.
  var words: ScreenWords { wording.words }

  /// A text.
  /// - Parameters:
  ///   - number: Stands at `{{number}}`, in the language's digits, and decides on the plural form.
  ///   - values: The other values, by name.
  func callAsFunction(_ text: AccountText, number: Int? = nil, _ values: [String: String] = [:]) -> String {
    wording.text(text.rawValue, number: number, values: values)
  }

  /// A text that names the service.
  func callAsFunction(_ text: AccountText, service: String) -> String { self(text, ["service": service]) }

  /// The text of a code that the SDK words too; nil if it has none.
  func text(code: String, number: Int) -> String? { wording.text(code: code, number: number) }
}
