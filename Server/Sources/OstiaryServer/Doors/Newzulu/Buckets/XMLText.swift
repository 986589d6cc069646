/// Finds the texts of elements in a store's answer.
///
/// What is looked for are identifiers, which need no more of XML: an element that has attributes or other elements is not found.
enum XMLText {
  /// The text of the first element of that name.
  static func first(_ name: String, in text: String) -> String? { all(name, in: text).first }

  /// The texts of all elements of that name, in their order.
  static func all(_ name: String, in text: String) -> [String] {
    text.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
      rest.firstRange(of: "</\(name)>").flatMap { end in decoded(rest[..<end.lowerBound]) }
    }
  }

  /// - Returns: nil for another element, or an entity that is not one of XML's own.
  private static func decoded(_ text: Substring) -> String? {
    guard !text.utf8.contains(UInt8(ascii: "<")) else { return nil }
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    var result = String(text)
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      result = result.replacing(entity, with: character)
    }
    return result
  }
}
