/// Writes texts in the lines of a terminal. Texts of documents, of users and of the app can't steer it.
struct TerminalWriter {
  private let layout: TerminalLayout
  /// Whether the texts around are written from right to left.
  private let isRightToLeft: Bool

  init(_ layout: TerminalLayout, isRightToLeft: Bool) {
    self.layout = layout
    self.isRightToLeft = isRightToLeft
  }

  /// A text in lines, each with its end, which may have several of its own.
  func text(_ text: String) -> String {
    Self.plain(text, keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false)
      .map { lines(String($0), indent: 0) }.joined()
  }

  /// A line with a mark before it. Further lines begin below the text.
  func line(_ mark: String, _ text: String) -> String {
    lines(mark + part(Self.plain(text)), indent: TerminalColumns.of(mark))
  }

  /// A heading, underlined.
  func heading(_ text: String) -> String {
    let lines = TerminalLines.of(Self.plain(text), columns: layout.columns)
    let width = lines.map { TerminalColumns.of($0) }.max() ?? 0
    let underline = String(repeating: "=", count: min(width, max(layout.columns ?? 72, 0)))
    return (lines + [underline]).map { $0 + "\n" }.joined()
  }

  /// Things to choose from, one a line, with their texts below each other.
  func list(_ rows: [(mark: String, text: String)]) -> String {
    let width = rows.map { TerminalColumns.of($0.mark) }.max() ?? 0
    return rows.map { row in
      let gap = String(repeating: " ", count: width - TerminalColumns.of(row.mark) + 1)
      return lines(part(row.mark) + gap + part(Self.plain(row.text)), indent: width + 1)
    }.joined()
  }

  /// Things to choose from in one line, if they fit, or as a list.
  func row(_ rows: [(mark: String, text: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let line = rows.map { "\(part($0.mark)) \(part(Self.plain($0.text)))" }.joined(separator: "  ")
    let isFitting = layout.columns.map { TerminalColumns.of(line) <= $0 } ?? true
    return isFitting ? line + "\n" : list(rows)
  }

  /// A question in lines. The last one is where the answer is typed.
  func question(_ text: String) -> (before: String, last: String) {
    // Room for the space before the answer.
    var lines = TerminalLines.of(text, columns: layout.columns.map { $0 - 1 })
    let last = lines.popLast() ?? ""
    return (lines.map { $0 + "\n" }.joined(), last + " ")
  }

  private func lines(_ text: String, indent: Int) -> String {
    TerminalLines.of(text, columns: layout.columns, indent: indent).map { $0 + "\n" }.joined()
  }

  // MARK: Characters

  /// A part of a line, apart from what stands around it where their directions differ.
  func part(_ text: String) -> String {
    guard layout.isolatesDirections, isMixed(text) else { return text }
    return "\(TerminalLines.isolate)\(text)\(TerminalLines.end)"
  }

  /// Whether a text has letters or digits of the other direction.
  private func isMixed(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      if Self.isRightToLeft(scalar) { return !isRightToLeft }
      let isLeftToRight =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "\u{200E}"
      return isRightToLeft && isLeftToRight
    }
  }

  /// The blocks whose letters are written from right to left (DerivedBidiClass.txt), and the mark that is one.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F: true
    default: false
    }
  }

  /// Text that can't move the cursor, change colours or reorder a line: control characters and the controls that embed
  /// a direction are left out. Marks that are a letter of a direction stay: numbers in texts from right to left need
  /// them. Documents and properties come from elsewhere.
  static func plain(_ text: String, keepsLines: Bool = false) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where keepsLines: plain.append(scalar)
      case "\n", "\t", "\r": plain.append(" ")
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{2028}", "\u{2029}": continue
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): continue
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }
}
