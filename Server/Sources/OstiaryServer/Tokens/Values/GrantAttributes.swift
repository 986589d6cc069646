import OstiaryCore

/// The values that a grant or a client stores for its door.
enum GrantAttributes {
  /// The most bytes that they may have.
  static let mostBytes = 4096

  /// Attributes as they are stored.
  /// - Throws: `attributesTooLarge`.
  static func column(_ attributes: [String: JSONValue]) throws(ServerError) -> String {
    if attributes.isEmpty { return "{}" }
    let text: String
    do { text = try AttributesColumn.encode(attributes) } catch { throw .storage(error) }
    guard text.utf8.count <= mostBytes else {
      throw ServerError(
        .attributesTooLarge, "A grant or a client can't carry that much.",
        advice: "Keep its attributes below \(mostBytes) bytes.")
    }
    return text
  }
}

/// Scopes as they are sent and stored: separated by spaces (RFC 6749 §3.3).
enum ScopeList {
  static func encode(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

  static func decode(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// Each scope once, in the order of its first occurrence.
  static func normalized(_ scopes: [String]) -> [String] {
    var seen: Set<String> = []
    return scopes.flatMap(decode).filter { seen.insert($0).inserted }
  }
}
