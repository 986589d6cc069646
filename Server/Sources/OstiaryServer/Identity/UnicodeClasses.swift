/// The class of each character in one of the ``UnicodeTables``.
struct UnicodeClasses: Sendable {
  private let firsts: [UInt32]
  private let entries: [(last: UInt32, name: String)]
  private let otherwise: String

  /// The classes of direction (`Bidi_Class`).
  static let directions = UnicodeClasses(UnicodeTables.directions, otherwise: "L")
  /// The classes of joining (`Joining_Type`).
  static let joining = UnicodeClasses(UnicodeTables.joining, otherwise: "U")

  private init(_ table: StaticString, otherwise: String) {
    self.otherwise = otherwise
    var (firsts, entries): ([UInt32], [(last: UInt32, name: String)]) = ([], [])
    for word in table.description.split(separator: " ") {
      let parts = word.split { $0 == ":" || $0 == "-" }
      guard parts.count >= 2, let first = UInt32(parts[1], radix: 16),
        let last = UInt32(parts[parts.count - 1], radix: 16)
      else { continue }
      firsts.append(first)
      entries.append((last, String(parts[0])))
    }
    (self.firsts, self.entries) = (firsts, entries)
  }

  subscript(_ scalar: Unicode.Scalar) -> String {
    var (low, high) = (0, firsts.count)
    while low < high {
      let middle = (low + high) / 2
      if firsts[middle] <= scalar.value { low = middle + 1 } else { high = middle }
    }
    guard low > 0, entries[low - 1].last >= scalar.value else { return otherwise }
    return entries[low - 1].name
  }
}
