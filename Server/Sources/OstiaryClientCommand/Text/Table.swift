/// Rows of text with aligned columns.
package struct Table: Sendable {
  private let header: [String]
  private var rows: [[String]] = []

  package init(_ header: [String]) {
    self.header = header
  }

  /// Adds a row. Cells beyond the header's columns are left out.
  package mutating func add(_ cells: [String]) {
    rows.append(cells.prefix(header.count).map(\.printable))
  }

  /// The lines for a terminal of so many columns: those of ``lines``, or each row as a list below its first cell if they are wider.
  /// - Parameter width: `nil` for no limit.
  func lines(fitting width: Int?) -> [Line] {
    guard let width, lines.contains(where: { $0.plain.displayWidth > width }) else { return lines }
    let label = header.map(\.count).max() ?? 0
    return rows.enumerated().flatMap { number, cells -> [Line] in
      // A column without a name has a mark of the row.
      let mark = header.first == " " ? cells.first ?? " " : " "
      let named = zip(header, cells).filter { $0.0 != " " && !$0.1.isEmpty }
      let list = named.enumerated().map { index, cell -> Line in
        "\(index == 0 ? mark : " ") \(cell.0.padded(to: label), .dim)  \(cell.1)"
      }
      return (number == 0 ? [] : [""]) + list
    }
  }

  /// The lines, the header dim.
  package var lines: [Line] {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    func text(_ cells: [String]) -> String {
      var line = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return [Line(text(header), .dim)] + rows.map { Line(text($0)) }
  }
}
