import Foundation

/// Lines up results and says which bars are met.
struct Table {
  private struct Row {
    let name: String
    let title: String
    let sorted: [Double]
    let bar: Bar

    var median: Double { sorted[sorted.count / 2] }
  }

  private var rows: [Row] = []

  /// Adds what was measured.
  mutating func add(_ name: String, _ title: String, _ samples: [Double], _ bar: Bar) {
    guard !samples.isEmpty else { return }
    rows.append(Row(name: name, title: title, sorted: samples.sorted(), bar: bar))
  }

  /// Prints everything.
  /// - Returns: whether all bars are met.
  @discardableResult
  func show(_ heading: String, unit: String) -> Bool {
    print(Self.line(heading, "median \(unit)", "10–90 %", "× raw", "bar", ""))
    var isGood = true
    for row in rows {
      let count = row.sorted.count
      let range = "\(Self.number(row.sorted[count / 10]))–\(Self.number(row.sorted[count - 1 - count / 10]))"
      var (ratio, bar, verdict) = ("", "", "")
      switch row.bar {
      case .none: break
      case .atMost(let limit):
        bar = "≤ \(Self.number(limit)) \(unit)"
        verdict = row.median <= limit ? "met" : "MISSED"
      case .beyond(let name, let limit):
        guard let raw = rows.first(where: { $0.name == name }) else { break }
        ratio = "+\(Self.number(row.median - raw.median))"
        bar = "≤ +\(Self.number(limit)) \(unit)"
        verdict = row.median - raw.median <= limit ? "met" : "MISSED"
      case .times(let name, let limit):
        guard let raw = rows.first(where: { $0.name == name }) else { break }
        ratio = Self.number(row.median / raw.median)
        guard let limit else { break }
        bar = "≤ \(Self.number(limit)) ×"
        verdict = row.median <= limit * raw.median ? "met" : "MISSED"
      }
      if verdict == "MISSED" { isGood = false }
      print(Self.line(row.title, Self.number(row.median), range, ratio, bar, verdict))
    }
    return isGood
  }

  private static func line(_ title: String, _ values: String...) -> String {
    let widths = [11, 17, 8, 13, 8]
    let cells = zip(values, widths).map { value, width in
      String(repeating: " ", count: max(1, width - value.count)) + value
    }
    let line = title + String(repeating: " ", count: max(1, 62 - title.count)) + cells.joined()
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  static func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
  }
}
