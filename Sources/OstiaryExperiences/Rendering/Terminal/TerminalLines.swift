/// Breaks text into the lines of a terminal: at spaces, between the characters of scripts that have none, and inside a
/// word only if it is wider than a line. No character is broken, as Unicode Standard Annex 29 tells them apart.
struct TerminalLines {
  /// The fewest columns that lines are broken for. A narrower terminal breaks them itself.
  static let fewestColumns = 12

  private let columns: Int
  private let indent: Int
  private var lines: [String] = []
  private var line = ""
  private var used = 0
  /// Whether the line has nothing yet but its indentation.
  private var isFresh = true
  /// How many parts of another direction are open.
  private var open = 0

  /// The lines of a text.
  /// - Parameters:
  ///   - columns: How many columns a line may have; `nil` for no limit.
  ///   - indent: How many spaces each line after the first begins with.
  static func of(_ text: String, columns: Int?, indent: Int = 0) -> [String] {
    guard let columns, TerminalColumns.of(text) > max(columns, fewestColumns) else { return [text] }
    var broken = TerminalLines(columns: max(columns, fewestColumns), indent: indent)
    broken.add(Array(text))
    broken.lines.append(broken.line)
    return broken.lines
  }

  private init(columns: Int, indent: Int) {
    self.columns = columns
    self.indent = min(indent, columns / 2)
  }

  private mutating func add(_ characters: [Character]) {
    var start = 0
    while start < characters.count {
      let wordStart = characters[start...].firstIndex { $0 != " " } ?? characters.count
      var end = wordStart
      while end < characters.count, characters[end] != " " {
        end += 1
        if end < characters.count, Self.canBreak(characters[end - 1], characters[end]) { break }
      }
      add(gap: wordStart - start, Array(characters[wordStart..<end]))
      start = end
    }
  }

  private mutating func add(gap: Int, _ word: [Character]) {
    let width = word.reduce(0) { $0 + TerminalColumns.of($1) }
    // Spaces at the end of a text that don't fit are not needed.
    if word.isEmpty, used + gap > columns { return }
    if !isFresh, used + gap + width > columns {
      begin()
    } else if !isFresh || lines.isEmpty {
      line += String(repeating: " ", count: gap)
      used += gap
    }
    for character in word {
      let width = TerminalColumns.of(character)
      if !isFresh, used + width > columns { begin() }
      if character == Self.isolate { open += 1 }
      if character == Self.end { open = max(open - 1, 0) }
      line.append(character)
      used += width
      isFresh = isFresh && width == 0
    }
  }

  /// Begins a line. A part of another direction ends with its line and is opened again in the next.
  private mutating func begin() {
    lines.append(line + String(repeating: Self.end, count: open))
    line = String(repeating: " ", count: indent) + String(repeating: Self.isolate, count: open)
    used = indent
    isFresh = true
  }

  // MARK: Where lines may end

  /// Begins a part whose direction its first letter decides (UAX #9: first strong isolate).
  static let isolate: Character = "\u{2068}"
  /// Ends it (pop directional isolate).
  static let end: Character = "\u{2069}"

  /// Whether a line may end between two characters that no space parts: where one of them is of a script without
  /// spaces, but not before what closes or goes on, nor after what opens (the rules of JLREQ §3.1.7 and §3.1.8 in
  /// short).
  private static func canBreak(_ before: Character, _ after: Character) -> Bool {
    guard isUnspaced(before) || isUnspaced(after) else { return false }
    return !opens(before) && !closes(after)
  }

  /// Korean is written with spaces, and keeps its words whole.
  private static func isUnspaced(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first, TerminalColumns.of(character) == 2 else { return false }
    return !(0xAC00...0xD7A3).contains(scalar.value) && !(0x1100...0x11FF).contains(scalar.value)
  }

  private static func opens(_ character: Character) -> Bool {
    switch character.unicodeScalars.first?.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: character == isolate
    }
  }

  private static func closes(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation, .otherPunctuation, .modifierLetter, .modifierSymbol: return true
    default: return character == end || TerminalColumns.of(character) == 0 || smallKana.contains(scalar)
    }
  }

  private static let smallKana = Set("ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ".unicodeScalars)
}
