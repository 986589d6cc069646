import Foundation
import OstiaryCore

/// The key by which texts are compared and sorted: without regard to case, and with the same bytes for every
/// composition of a character. The database compares it byte by byte.
enum SOQLKey {
  static func of(_ text: String) -> String {
    // PostgreSQL stores no text with a NUL.
    text.lowercased().precomposedStringWithCanonicalMapping.replacing("\0", with: "")
  }

  /// The key of an id, in either of its forms.
  static func of(id text: String) -> String { of(SalesforceRecordID(text)?.long ?? text) }

  /// The key of a field's value; nil for one that has none.
  static func of(_ value: JSONValue?) -> String? { value?.string.map { of($0) } }

  /// A pattern of LIKE as the database reads it, `\` being its escape: `%` is any text, `_` any character.
  static func of(pattern: String) -> String {
    var result = ""
    var endsInAnything = false
    var scalars = of(pattern).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      defer { endsInAnything = scalar == "%" }
      switch scalar {
      // Several in a row mean the same as one.
      case "%": if !endsInAnything { result.unicodeScalars.append(scalar) }
      case "_": result.unicodeScalars.append(scalar)
      case "\\":
        let literal = scalars.popFirst() ?? "\\"
        if literal == "%" || literal == "_" || literal == "\\" { result += "\\" }
        result.unicodeScalars.append(literal)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
