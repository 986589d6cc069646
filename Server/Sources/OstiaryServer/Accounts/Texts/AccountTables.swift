internal import OstiaryExperiences

/// The tables of texts, a language a file. The texts of codes that the SDK words too are the SDK's.
enum AccountTables {
  /// The tables by language (BCP 47), each complete. A table is made when a reader needs it.
  private static let tables: [String: @Sendable () -> [AccountText: Experience.TextForms]] = [
    "en": { english },
    "de": { german },
    "fr": { french },
    "es": { spanish },
    "pt": { portuguese },
    "pl": { polish },
    "uk": { ukrainian },
    "tr": { turkish },
    "ar": { arabic },
    "he": { hebrew },
    "hi": { hindi },
    "ja": { japanese },
    "ko": { korean },
    "zh-Hans": { simplifiedChinese },
    "zh-Hant": { traditionalChinese },
  ]

  /// The languages of the tables.
  static let languages = Set(tables.keys)

  /// The table of a language.
  static func table(_ language: String) -> [AccountText: Experience.TextForms]? { tables[language]?() }

  /// A table as a document without screens. Any other language's is empty.
  static func document(in language: String) -> Experience {
    let texts = (table(language) ?? [:]).map { ($0.key.rawValue, $0.value) }
    return Experience(
      id: "account", language: language, texts: [language: Dictionary(texts) { first, _ in first }], flows: [])
  }

  /// The languages as a document without texts, by which a reader's language is looked up.
  static let names = Experience(
    id: "account", language: AccountTexts.standard,
    texts: languages.reduce(into: [:]) { $0[$1] = [:] }, flows: [])
}
