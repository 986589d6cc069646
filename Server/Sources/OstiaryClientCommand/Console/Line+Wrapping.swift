extension Line {
  /// The line in lines that a terminal of `width` columns shows without breaking a word. Later ones begin below the text of the first:
  /// after the gap before it, if it is a row with a label, or two columns in.
  ///
  /// A word that is longer than a line, such as an address, stays whole, so that it can be copied. What is to be pasted as a
  /// whole is not wrapped (``unbroken``).
  func wrapped(to width: Int) -> [Line] {
    guard !isUnbroken, width > 4, plain.displayWidth > width else { return [self] }
    let characters = spans.flatMap { span in span.text.map { (character: $0, style: span.style) } }
    let indent = Self.indent(of: characters.map(\.character), within: width)
    var lines: [[(character: Character, style: Style?)]] = [[]]
    var used = 0
    var index = 0
    while index < characters.count {
      // The spaces before a word belong to it, unless it begins a line.
      let gapEnd = characters[index...].firstIndex { $0.character != " " } ?? characters.count
      let wordEnd = characters[gapEnd...].firstIndex { $0.character == " " } ?? characters.count
      let (gap, word) = (characters[index..<gapEnd], characters[gapEnd..<wordEnd])
      let columns = word.reduce(0) { $0 + $1.character.displayWidth }
      let isFirst = lines.count == 1 && used <= indent
      if used > 0, !isFirst, used + gap.count + columns > width {
        lines.append(Array(repeating: (" ", nil), count: indent))
        used = indent
      } else {
        lines[lines.count - 1] += gap
        used += gap.count
      }
      lines[lines.count - 1] += word
      used += columns
      index = wordEnd
    }
    return lines.map { Line($0) }
  }

  /// The text of a question, in lines of whole words. What is typed follows it after its blank.
  /// - Parameter width: how many columns the terminal has, if that is known.
  func question(fitting width: Int?) -> String {
    guard let width else { return plain }
    let blank = plain.hasSuffix(" ") ? " " : ""
    let lines = Line(String(plain.dropLast(blank.count))).wrapped(to: width)
    return lines.map(\.plain).joined(separator: "\n") + blank
  }

  /// Where further lines begin: after the last gap of two spaces or more in the first half of the first line.
  private static func indent(of characters: [Character], within width: Int) -> Int {
    var (indent, column, gap) = (0, 0, 0)
    for character in characters {
      if character == " " {
        gap += 1
      } else {
        if gap >= 2 { indent = column }
        gap = 0
      }
      column += character.displayWidth
      if column > width / 2 { break }
    }
    return indent > 0 ? indent : 2
  }

  private init(_ characters: [(character: Character, style: Style?)]) {
    self = ""
    spans = []
    for (character, style) in characters {
      if let last = spans.indices.last, spans[last].style == style {
        spans[last].text.append(character)
      } else {
        spans.append(Span(text: String(character), style: style))
      }
    }
  }

  /// The line in another way of writing its characters.
  func written(in charset: LocaleCharset) -> Line {
    var line = self
    for index in line.spans.indices { line.spans[index].text = charset.text(line.spans[index].text) }
    return line
  }
}
