internal import OstiaryCore
internal import OstiaryHTML

/// The words by which a gateway's pages are told apart. They are looked for in the title and, of pages of a few lines, in
/// the text; the case of letters doesn't matter. Words of a gateway in another language are added;
/// an Ostiary gateway needs none.
public struct PageSigns: Sendable, Hashable {
  /// An account that is locked.
  public var locked: Set<String> = [
    "account is locked", "account locked", "account has been locked", "account is disabled",
    "account has been disabled",
    "account is temporarily locked", "account has been temporarily", "temporarily locked", "locked out",
    "too many failed login", "too many failed sign-in", "maximum number of failed",
  ]
  /// A gateway that can't answer now.
  public var unavailable: Set<String> = [
    "maintenance", "temporarily unavailable", "service unavailable", "be back soon", "try again later",
  ]
  /// A form that was too old, or whose token is used up.
  public var stale: Set<String> = [
    "csrf", "invalid token", "token mismatch", "token has expired", "form has expired", "page has expired",
    "page expired",
    "session has expired", "login session expired", "already been submitted",
  ]
  /// Longer pages are looked at by their title alone, for these words may stand anywhere on them. In bytes; 2,000.
  public var longestText = 2_000

  /// Ostiary's own pages say what is wrong in a code too, which is the same in every language.
  static let codeName = "data-code"
  static let staleCode = "expired"

  /// The words that are known by default.
  public init() {}

  func find(_ words: Set<String>, on page: HTMLPage) -> Bool {
    func has(_ text: String) -> Bool {
      let text = text.lowercased()
      return words.contains { text.contains($0.lowercased()) }
    }
    if let title = page.title, has(title) { return true }
    let text = page.text
    return text.utf8.count <= longestText && has(text)
  }
}
