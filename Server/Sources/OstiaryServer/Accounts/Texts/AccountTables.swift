internal import OstiaryExperiences

/// The tables of `AccountText`, a language a file. The texts of codes that the SDK words too are the SDK's.
enum AccountTables: LanguageTables {
  /// A table as a document without screens. Any other language's is empty.
  static func document(in language: String) -> Experience {
    Experience(id: "account", language: language, texts: [language: table(language) ?? [:]], flows: [])
  }

  /// The languages as a document without texts, by which a reader's language is looked up.
  static let names = Experience(
    id: "account", language: AccountTexts.standard,
    texts: languages.reduce(into: [:]) { $0[$1] = [:] }, flows: [])
}
