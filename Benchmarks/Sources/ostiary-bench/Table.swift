import Foundation

/// Lines up results.
enum Table {
  static func row(_ title: String, _ values: String...) -> String {
    values.reduce(title.padding(toLength: 56, withPad: " ", startingAt: 0)) { line, value in
      line + String(repeating: " ", count: max(1, 14 - value.count)) + value
    }
  }

  static func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
  }
}
