internal import OstiaryCore

/// Which kinds of token the caller expects (`typ`): a token that was made for one use must not pass for another (RFC 8725 §3.11).
///
/// Names are media types: their case means nothing, and `application/` before one may be left out (RFC 7515 §4.1.9).
public struct TokenType: Sendable, Hashable {
  /// In lower case, without `application/`; `nil` accepts each.
  private let names: Set<String>?
  private let acceptsAbsence: Bool

  /// Exactly this type, such as `at+jwt` (RFC 9068) or `logout+jwt`.
  public static func exactly(_ name: String) -> TokenType { anyOf([name], orAbsent: false) }

  /// One of these types.
  /// - Parameter orAbsent: whether a token without a type is accepted.
  public static func anyOf(_ names: Set<String>, orAbsent: Bool) -> TokenType {
    TokenType(names: Set(names.map(normalized)), acceptsAbsence: orAbsent)
  }

  /// `JWT` or no type: tokens that were specified before types were, such as ID tokens.
  public static let jwtOrAbsent = anyOf(["JWT"], orAbsent: true)

  /// Each type, and none. Tokens of another use are then told apart by their claims alone.
  public static let insecureAny = TokenType(names: nil, acceptsAbsence: true)

  /// - Parameter type: the name as ``normalized(_:)`` makes it.
  func accepts(_ type: String?) -> Bool {
    guard let names else { return true }
    guard let type else { return acceptsAbsence }
    return names.contains(type)
  }

  /// A name in lower case, without `application/`.
  static func normalized(_ name: String) -> String {
    let lowercased = ASCII.lowercased(name.utf8)
    let prefix = "application/"
    guard lowercased.utf8.starts(with: prefix.utf8) else { return lowercased }
    // Bytes: a mark that joins the slash would go with it.
    let rest = lowercased.utf8.dropFirst(prefix.utf8.count)
    return rest.contains(UInt8(ascii: "/")) ? lowercased : String(decoding: rest, as: UTF8.self)
  }
}
