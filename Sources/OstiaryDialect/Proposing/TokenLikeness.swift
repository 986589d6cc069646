internal import Foundation
internal import OstiaryCore

/// Tells tokens from other texts by their form.
package enum TokenLikeness {
  /// Whether a text is probably a token.
  /// - Parameter name: the plain name of the member that has it.
  package static func isToken(_ text: String, named name: String) -> Bool {
    let bytes = text.utf8
    let words = ["token", "jwt", "session", "access", "auth", "ticket", "key", "secret", "refresh", "renew", "bearer"]
    let isNamed = words.contains { name.contains($0) }
    guard ((isNamed ? 8 : 16)...8192).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return false }
    // Addresses, e-mail addresses and times have their own signs.
    guard !text.contains("://"), !text.contains("@"), DateLikeness.form(of: text) == nil else { return false }
    if isNamed { return true }
    if !claims(of: text).isEmpty { return true }
    // An identifier of an object, unless its name says more.
    if UUID(uuidString: text) != nil { return false }
    let digits = bytes.count(where: ASCII.isDigit)
    let letters = bytes.count(where: ASCII.isAlpha)
    guard Set(bytes).count >= 8, digits + letters >= bytes.count * 3 / 4 else { return false }
    return (digits >= 2 && letters >= 2) || bytes.count >= 32
  }

  /// The names of the claims that a dialect can use, where a text is a JSON Web Token; its signature is not looked at.
  package static func claims(of text: String) -> Set<String> {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, text.utf8.count <= 8192, let header = object(parts[0]), header["alg"] != nil,
      let payload = object(parts[1])
    else { return [] }
    let known = ["exp", "sub", "user_id", "preferred_username", "username", "email", "name"].filter {
      payload[$0] != nil
    }
    // A token without any of them is one all the same.
    return Set(known + ["alg"])
  }

  /// A name in lower case, without what joins its words.
  package static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  private static func object(_ part: Substring) -> [String: JSONValue]? {
    UnverifiedClaims.decode(part).flatMap { JSONValue(json: $0) }?.object
  }
}

/// Tells how a time is written.
package enum DateLikeness {
  /// The form of a time; nil where the text is none.
  package static func form(of text: String) -> FoundValue.Form? {
    guard (10...64).contains(text.utf8.count) else { return nil }
    if HTTPDate.parse(text, now: Date(timeIntervalSince1970: 1_800_000_000)) != nil { return .http }
    let pattern = #/\d{4}-\d{2}-\d{2}([T ])\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?/#
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    if match.1 == " " { return .sql }
    return match.4 == nil ? .iso8601NoZone : .rfc3339
  }
}
