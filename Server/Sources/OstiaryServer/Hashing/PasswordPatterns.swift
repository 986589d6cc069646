/// Patterns that make a password long and not harder to guess.
enum PasswordPatterns {
  /// A pattern followed by at most this many characters is still a pattern: the `q` of `aaaaaaaaaaaaaaaq`.
  private static let tail = 3

  /// Whether a block of at most eight characters, repeated at least twice, makes up all but the tail.
  static func isRepetition(_ text: [Unicode.Scalar]) -> Bool {
    guard text.count >= 8 else { return false }
    return (1...8).contains { period in
      let same = text.indices.dropFirst(period).prefix { text[$0] == text[$0 - period] }.count
      return same >= max(period, 4) && period + same >= text.count - tail
    }
  }

  /// Whether the text runs along rows, up or down, from any place to any other, in pieces of at least four, but for
  /// the tail.
  static func isRun(_ text: [Unicode.Scalar]) -> Bool {
    guard text.count >= 8 else { return false }
    var position = 0
    while position < text.count {
      let length = rows.map { runLength(text[position...], along: $0) }.max() ?? 0
      guard length >= 4 else { break }
      position += length
    }
    return position > 0 && position >= text.count - tail
  }

  private static func runLength(_ text: ArraySlice<Unicode.Scalar>, along row: [Unicode.Scalar]) -> Int {
    guard let first = text.first, let start = row.firstIndex(of: first) else { return 0 }
    return max(common(text, row[start...]), common(text, row[...start].reversed()))
  }

  private static func common(_ one: some Sequence<Unicode.Scalar>, _ other: some Sequence<Unicode.Scalar>) -> Int {
    zip(one, other).prefix { $0 == $1 }.count
  }

  private static let rows: [[Unicode.Scalar]] = [
    "abcdefghijklmnopqrstuvwxyz", "01234567890", "12345678901234567890", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
    "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1q2w3e4r5t6y7u8i9o0p",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "qazwsxedcrfvtgbyhnujm",
  ].map { Array($0.unicodeScalars) }
}
