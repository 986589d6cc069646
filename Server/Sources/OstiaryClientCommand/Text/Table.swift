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
