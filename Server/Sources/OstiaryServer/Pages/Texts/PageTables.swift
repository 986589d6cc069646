/// The tables of `ServerText`, a language a file.
enum PageTables: LanguageTables {
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
