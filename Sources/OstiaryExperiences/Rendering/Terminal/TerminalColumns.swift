/// How many columns of a terminal text takes.
public enum TerminalColumns {
  /// How many columns of a terminal a text takes.
  public static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// How many columns a character takes that is read as one (Unicode Standard Annex 29): two for a wide one (Annex 11)
  /// and for a picture of several code points; none for joiners, marks and controls of direction.
  ///
  /// A mark that is written beside its letter, as in Devanagari, takes a column, and so does each letter of a cluster:
  /// terminals go by code points there.
  public static func of(_ character: Character) -> Int {
    var columns = 0
    for scalar in character.unicodeScalars {
      if isWide(scalar) || scalar == "\u{FE0F}" { return 2 }
      if !isWithoutWidth(scalar) { columns += 1 }
    }
    return columns
  }

  /// The ranges of wide characters, in order.
  private static let wide: [ClosedRange<UInt32>] = TerminalWidths.wide.withUTF8Buffer { bytes in
    bytes.split(separator: UInt8(ascii: " ")).compactMap { word in
      let ends = word.split(separator: UInt8(ascii: "-")).compactMap {
        UInt32(String(decoding: $0, as: UTF8.self), radix: 16)
      }
      guard let first = ends.first, let last = ends.last, first <= last else { return nil }
      return first...last
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    // The letters that flags are made of are shown as pictures, two together.
    if (0x1F1E6...0x1F1FF).contains(scalar.value) { return true }
    guard !isMark(scalar) else { return false }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(scalar.value)
  }

  /// Whether a terminal shows nothing for it, or shows it over what stands before it.
  private static func isWithoutWidth(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    // The vowels and final consonants of Hangul join the consonant before them.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return true }
    return isMark(scalar) || scalar.properties.generalCategory == .format
      || scalar.properties.isDefaultIgnorableCodePoint
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
