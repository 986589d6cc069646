internal import OstiaryExperiences

/// The tables of texts, a language a file. The texts of codes that the SDK words too are the SDK's.
enum AccountTables {
  /// The tables by language (BCP 47), each complete.
  static let all: [String: [AccountText: Experience.TextForms]] = [
    "en": english,
    "de": german,
    "fr": french,
    "es": spanish,
    "pt": portuguese,
    "pl": polish,
    "uk": ukrainian,
    "tr": turkish,
    "ar": arabic,
    "he": hebrew,
    "hi": hindi,
    "ja": japanese,
    "ko": korean,
    "zh-Hans": simplifiedChinese,
    "zh-Hant": traditionalChinese,
  ]

  /// The tables as a document without screens, by which a reader's language is looked up.
  static let document = Experience(
    id: "account", language: AccountTexts.standard,
    texts: all.mapValues { table in Dictionary(uniqueKeysWithValues: table.map { ($0.key.rawValue, $0.value) }) },
    flows: [])
}
