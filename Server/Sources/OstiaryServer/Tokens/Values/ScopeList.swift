/// Scopes as they travel and rest: separated by spaces (RFC 6749 §3.3).
enum ScopeList {
  static func encode(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

  static func decode(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// Each once, in the order of their first mention.
  static func normalized(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.flatMap(decode).filter { seen.insert($0).inserted }
  }
}
