internal import Foundation

/// The tables *answer → meaning* of the documentation, as a test reads them.
package enum AnswerTable {
  /// Why a table was not found.
  package struct NotThere: Error {
    package let heading: String
  }

  /// The rows of the first table below a heading, without its header and ruler.
  /// - Parameters:
  ///   - article: the article's path below `Sources/`.
  ///   - heading: the heading's text, without its number signs.
  /// - Returns: the cells of each row, trimmed, and otherwise as they are written: with backquotes and escaped bars.
  package static func rows(ofArticle article: String, heading: String) throws -> [[String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/\(article)")
    let lines = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("#") && text(ofHeading: $0) == heading }) else {
      throw NotThere(heading: heading)
    }
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
    let table = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    guard table.count > 2 else { throw NotThere(heading: heading) }
    return table.dropFirst(2).map(cells)
  }

  /// What a cell says: without its backquotes, its bars not escaped.
  package static func text(ofCell cell: String) -> String {
    cell.trimmingCharacters(in: ["`"]).replacing("\\|", with: "|")
  }

  private static func text(ofHeading line: String) -> String {
    line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
  }

  /// The cells of a line. A bar behind a backslash belongs to a cell.
  package static func cells(_ line: String) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in line {
      if character == "|", !isEscaped { cells.append("") } else { cells[cells.count - 1].append(character) }
      isEscaped = character == "\\" && !isEscaped
    }
    // A row begins and ends with a bar.
    return cells.dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
