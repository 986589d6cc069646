/// Looks a word up in a sorted table without reading the table first: a table of thousands of words is rarely asked.
enum SortedWords {
  /// What stands behind `key:` in a table of words that are sorted by their bytes, with one space between two.
  static func value(of key: String, in table: StaticString) -> String? {
    guard !key.isEmpty else { return nil }
    let wanted = Array(key.utf8) + [UInt8(ascii: ":")]
    return table.withUTF8Buffer { bytes in
      var (low, high) = (0, bytes.count)
      while low < high {
        let start = start(of: (low + high) / 2, from: low, in: bytes)
        let end = bytes[start..<high].firstIndex(of: UInt8(ascii: " ")) ?? high
        let word = bytes[start..<end]
        if word.starts(with: wanted) { return String(decoding: word.dropFirst(wanted.count), as: UTF8.self) }
        if word.lexicographicallyPrecedes(wanted) { low = min(end + 1, high) } else { high = max(start - 1, low) }
      }
      return nil
    }
  }

  /// Where the word begins that a place is in.
  private static func start(of place: Int, from low: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var start = place
    while start > low, bytes[start - 1] != UInt8(ascii: " ") { start -= 1 }
    return start
  }
}
