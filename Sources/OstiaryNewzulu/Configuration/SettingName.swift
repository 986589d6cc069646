internal import Foundation
internal import OstiaryCore

/// What can be a name that a server uses, and what can be shown of one that a file has.
enum SettingName {
  /// What a name has to be, for a person.
  static let wanted = "a name of 1 to 100 letters, digits and signs without spaces"
  /// What a phrase has to be, for a person.
  static let wantedPhrase = "a text of 3 to 200 characters"

  /// Reads a name.
  static func read(_ value: JSONValue) -> String? {
    guard let text = value.string, (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return text
  }

  /// Reads a part of a failure's text. One that is empty would be in every text.
  static func phrase(_ value: JSONValue) -> String? {
    guard let text = value.string?.trimmingCharacters(in: .whitespaces), (3...200).contains(text.count) else {
      return nil
    }
    return text.lowercased()
  }

  /// Reads a path below the server's address: nothing in it can lead to another origin or above it.
  static func path(_ value: JSONValue) -> String? {
    guard let text = read(value) else { return nil }
    let path = text.hasPrefix("/") ? String(text.dropFirst()) : text
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.utf8.contains(where: { forbidden.contains($0) }), steps.allSatisfy({ !["", ".", ".."].contains($0) })
    else { return nil }
    return path
  }

  /// What ends a path, begins a scheme, escapes, or is a slash to some parsers.
  private static let forbidden = Set("?#:\\%@".utf8)

  /// Reads a server's address: http or https, a host, perhaps a port and a path, and nothing else.
  static func server(_ value: JSONValue) -> URL? {
    guard let text = value.string, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
      Origin(url) != nil, url.query == nil, url.fragment == nil, url.user == nil, url.password == nil
    else { return nil }
    return url
  }

  /// A name of a file, without what does not print and not at length.
  static func shown(_ name: String) -> String {
    let printable = name.unicodeScalars.prefix(60).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
    return String(printable) + (name.unicodeScalars.count > 60 ? "…" : "")
  }

  /// The name that another one may be a slip of.
  static func nearest(to name: String, in names: [String]) -> String? {
    guard name.utf8.count <= 60 else { return nil }
    let best = names.map { (name: $0, distance: distance($0.lowercased(), name.lowercased())) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    guard let best, best.distance <= max(1, best.name.count / 4) else { return nil }
    return best.name
  }

  /// How many letters have to be added, left out or changed.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (index, byte) in one.utf8.enumerated() {
      var last = index
      row[0] = index + 1
      for column in other.indices {
        let changed = last + (byte == other[column] ? 0 : 1)
        last = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, last + 1)
      }
    }
    return row[other.count]
  }
}
