internal import OstiaryExperiences

/// The tables of texts, a language a file. The texts of codes that the SDK words too are the SDK's.
enum AccountTables: LanguageTables {
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
