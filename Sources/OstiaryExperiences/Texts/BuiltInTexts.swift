/// The texts that Ostiary brings: what is wrong with a value, and what stands on an action without a label.
///
/// A document replaces them with texts of its own under the same keys (`ostiary.required`), and adds languages so.
enum BuiltInTexts {
  private static let prefix = "ostiary."

  static func key(_ name: String) -> String { prefix + name }

  static func isKey(_ key: String) -> Bool {
    key.hasPrefix(prefix) && english[String(key.dropFirst(prefix.count))] != nil
  }

  /// The text of a key in one of ``languages``, or `nil`.
  static func forms(_ key: String, in language: String) -> Experience.TextForms? {
    guard key.hasPrefix(prefix) else { return nil }
    return table(language)?[String(key[key.utf8.index(key.startIndex, offsetBy: prefix.utf8.count)...])]
  }

  /// The texts by language, each complete. A table is made when a reader needs it.
  private static let tables: [String: @Sendable () -> [String: Experience.TextForms]] = [
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

  /// The texts of one of the ``languages``.
  static func table(_ language: String) -> [String: Experience.TextForms]? { tables[language]?() }

  /// The languages that all of them are there in.
  static let languages = tables.keys.sorted()

  private static let candidates = languages.map { LanguageTag.Candidate($0) }

  /// The language whose texts serve for a language: itself, or what it falls back to.
  static func language(for language: String) -> String? {
    LanguageTag.fallbacks(of: language, among: candidates).first?.name
  }

  /// The texts of the server's codes. What only a wrong client can cause has one text.
  static let serverCodes: [String: String] = [
    "field.required": "required", "field.too_long": "too_long", "field.characters": "field_characters",
    "email.invalid": "email", "email.taken": "email_taken", "password.too_short": "too_short",
    "password.too_long": "too_long", "password.too_common": "password_too_common", "password.wrong": "password_wrong",
    "credentials.wrong": "credentials_wrong", "code.wrong": "code_wrong", "code.expired": "code_expired",
    "code.exhausted": "code_exhausted", "code.sent": "code_sent", "code.resend_too_soon": "resend_too_soon",
    "code.resend_exhausted": "resend_exhausted", "account.exists": "account_exists", "limits.wait": "wait",
    "limits.overloaded": "overloaded", "server.unavailable": "unavailable", "flow.expired": "flow_expired",
    "flow.disabled": "flow_disabled", "session.required": "session_required", "flow.unknown": "flow_expired",
    "flow.finished": "failed", "flow.out_of_order": "failed", "action.unknown": "failed", "field.unknown": "failed",
    "field.repeated": "failed", "request.malformed": "failed", "request.forged": "failed",
    "request.media_type": "failed",
  ]

  /// The texts that make no sense without their number.
  static let namesLimit: Set<String> = Set(
    english.filter { _, forms in
      switch forms {
      case .one(let text): text.contains("{{\(limit)}}")
      case .plural: true
      }
    }.keys)

  /// What the numbers in a text of an issue are called.
  static let limit = "limit"
}
