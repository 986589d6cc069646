/// Wraps the parser's help at the terminal's width. The parser wraps neither the line of the usage nor a list, whose further lines
/// would begin at the margin.
enum HelpLayout {
  /// A width at which the parser wraps nothing.
  static let unlimited = 1_000_000
  /// The column at which the parser puts the text of an option.
  private static let textColumn = 26
  /// The narrowest column of text that begins below another text, and the margin of further lines where there is no room for it.
  private static let leastWidth = 30
  private static let narrowIndent = 8

  /// The help, wrapped; another text, such as a completion script, as it is.
  static func wrapped(_ text: String, to width: Int) -> String {
    guard text.hasPrefix("OVERVIEW:") || text.hasPrefix("USAGE:") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { lines(of: $0, width) }
      .joined(separator: "\n")
  }

  /// One line as lines that fit. A word that is longer than a line stays whole.
  static func lines(of line: some StringProtocol, _ width: Int) -> [String] {
    guard line.count > width else { return [String(line)] }
    let textIndent = indent(of: String(line))
    let indent = width - textIndent < leastWidth ? min(textIndent, narrowIndent) : textIndent
    var (lines, current, isEmpty) = ([String](), "", true)
    for word in words(of: line) {
      // Blanks before a word belong to it: they align what follows a label.
      if !isEmpty, current.count + word.count > width {
        lines.append(current)
        current = String(repeating: " ", count: indent) + word.drop { $0 == " " }
      } else {
        current += word
      }
      isEmpty = false
    }
    return lines + [current]
  }

  /// Where the further lines of a line begin: below its text, not below its label.
  private static func indent(of line: String) -> Int {
    if let label = line.prefixMatch(of: #/(?i:usage): /#) { return label.output.count }
    let margin = line.prefix { $0 == " " }.count
    if margin == 2, line.dropFirst(2).hasPrefix("-") || line.dropFirst(2).hasPrefix("<") { return textColumn }
    if let label = line.prefixMatch(of: #/ +\S+(?: \S+)* {2,}/#) { return label.output.count }
    return margin
  }

  /// The words, each with the blanks before it. What stands in brackets is one word.
  private static func words(of line: some StringProtocol) -> [String] {
    let isUsage = line.lowercased().hasPrefix("usage:")
    var (words, current, depth) = ([String](), "", 0)
    for character in line {
      if character == " ", depth == 0, current.contains(where: { $0 != " " }) {
        words.append(current)
        current = ""
      }
      if isUsage, character == "[" { depth += 1 }
      if isUsage, character == "]" { depth -= 1 }
      current.append(character)
    }
    return words + [current]
  }
}
