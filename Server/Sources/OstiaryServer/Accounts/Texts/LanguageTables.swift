internal import OstiaryExperiences

/// A language that the texts of pages and mail are in (BCP 47).
enum TextLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case portuguese = "pt"
  case polish = "pl"
  case ukrainian = "uk"
  case turkish = "tr"
  case arabic = "ar"
  case hebrew = "he"
  case hindi = "hi"
  case japanese = "ja"
  case korean = "ko"
  case simplifiedChinese = "zh-Hans"
  case traditionalChinese = "zh-Hant"

  fileprivate static let names = Set(allCases.map(\.rawValue))
}

/// Texts with a table for each language: without one of them they don't compile. A table is read from its lines when a
/// reader needs it.
protocol LanguageTables {
  /// Texts by name.
  typealias Table = [String: Experience.TextForms]

  static var english: Table { get }
  static var german: Table { get }
  static var french: Table { get }
  static var spanish: Table { get }
  static var portuguese: Table { get }
  static var polish: Table { get }
  static var ukrainian: Table { get }
  static var turkish: Table { get }
  static var arabic: Table { get }
  static var hebrew: Table { get }
  static var hindi: Table { get }
  static var japanese: Table { get }
  static var korean: Table { get }
  static var simplifiedChinese: Table { get }
  static var traditionalChinese: Table { get }
}

extension LanguageTables {
  /// The languages of the tables.
  static var languages: Set<String> { TextLanguage.names }

  /// The table of a language; nil if it is none of ``languages``.
  static func table(_ language: String) -> Table? {
    switch TextLanguage(rawValue: language) {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .portuguese: portuguese
    case .polish: polish
    case .ukrainian: ukrainian
    case .turkish: turkish
    case .arabic: arabic
    case .hebrew: hebrew
    case .hindi: hindi
    case .japanese: japanese
    case .korean: korean
    case .simplifiedChinese: simplifiedChinese
    case .traditionalChinese: traditionalChinese
    case nil: nil
    }
  }
}
