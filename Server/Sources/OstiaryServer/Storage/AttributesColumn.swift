import Foundation
internal import OstiaryCore

/// The stored form of attributes.
enum AttributesColumn {
  static func encode(_ attributes: [String: JSONValue]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(attributes), as: UTF8.self)
  }

  static func decode(_ text: String) throws -> [String: JSONValue] {
    if text == "{}" { return [:] }
    do {
      return try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    } catch {
      throw ServerError(
        .storageCorrupt, "Stored attributes are damaged.", advice: "Restore a backup.", underlying: error)
    }
  }
}
