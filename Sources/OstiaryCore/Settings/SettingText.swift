/// What a text of a document may be, what is shown of a name, and which name another one may be a slip of.
package enum SettingText {
  /// The longest text, in bytes.
  private static let mostBytes = 2_048

  /// What is wrong with a text; `nil` for one that can be used.
  static func problem(with text: String, mayBeEmpty: Bool) -> String? {
    if !mayBeEmpty, text.allSatisfy(\.isWhitespace) { return "must not be empty" }
    let isClean = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    if text.utf8.count > mostBytes || !isClean {
      return "must be shorter than \(mostBytes) bytes and without control characters"
    }
    return nil
  }

  /// A name that a document has, without what does not print and not at length.
  package static func shown(_ name: String) -> String {
    let printable = name.unicodeScalars.prefix(80).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: "?"
      default: Character(scalar)
      }
    }
    return String(printable) + (name.unicodeScalars.count > 80 ? "…" : "")
  }

  /// The name that another one may be a slip of: one of four letters may differ, and one of short names.
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
