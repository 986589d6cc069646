package import Foundation

/// What the session manager leaves in the place of a session that has ended.
package enum EndedEntry {
  /// Whether these bytes are an ended entry: a JSON object with the member `ended`, and none for a session.
  package static func isOne(_ data: Data) -> Bool {
    guard let entry = JSONValue(json: data) else { return false }
    return entry["ended"] != nil && entry["session"] == nil
  }
}
