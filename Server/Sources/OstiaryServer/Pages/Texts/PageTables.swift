/// The tables of texts, a language a file.
enum PageTables {
  /// The tables by language (BCP 47), each complete: the languages are those of `AccountTables`.
  static let all: [String: [ServerText: String]] = [
    "en": english,
    "de": german,
    "fr": french,
    "es": spanish,
    "pt": portuguese,
    "pl": polish,
    "uk": ukrainian,
    "tr": turkish,
    "ar": arabic,
    "he": hebrew,
    "hi": hindi,
    "ja": japanese,
    "ko": korean,
    "zh-Hans": simplifiedChinese,
    "zh-Hant": traditionalChinese,
  ]
}

extension PageTables {
  /// The parts of a text: between each two stands a value, whose name is the second of the two.
  static func parts(of text: String) -> [(value: String?, text: String)] {
    let open = "{{"
    let close = "}}"
    let pieces = text.split(separator: open, omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      let halves = piece.split(separator: close, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard index > 0, halves.count == 2 else { return (nil, String(piece)) }
      return (halves[0], halves[1])
    }
  }
}
