extension Setting {
  /// `true` or `false`.
  package static func flag(_ name: String, _ path: WritableKeyPath<Root, Bool>) -> Setting {
    value(name, path, "true or false", of: [.flag]) { $0.bool }
  }

  /// A whole number.
  package static func number<Number: FixedWidthInteger>(
    _ name: String, _ path: WritableKeyPath<Root, Number>, _ range: ClosedRange<Int64>? = nil
  ) -> Setting {
    let limits = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    return value(name, path, "a whole number\(limits)", of: [.number]) { value in
      value.wholeNumber.flatMap { number in range?.contains(number) ?? true ? Number(exactly: number) : nil }
    }
  }

  /// A time in seconds, at most a day.
  package static func seconds(
    _ name: String, _ path: WritableKeyPath<Root, Double>, from least: Double = 0.001
  ) -> Setting {
    value(name, path, wantedSeconds(least), of: [.number]) { readSeconds($0, least) }
  }

  /// A time in seconds, at most a day, which is kept in whole milliseconds.
  package static func seconds(
    _ name: String, _ path: WritableKeyPath<Root, Duration>, from least: Double = 0.001
  ) -> Setting {
    value(name, path, wantedSeconds(least), of: [.number]) { value in
      readSeconds(value, least).map { .milliseconds(Int64(($0 * 1_000).rounded(.up))) }
    }
  }

  /// One of several words.
  package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ path: WritableKeyPath<Root, Choice>
  ) -> Setting {
    value(name, path, wanted(Choice.self), of: [.text]) { $0.string.flatMap { Choice(rawValue: $0) } }
  }

  /// One of several words; `null` for none.
  package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ path: WritableKeyPath<Root, Choice?>
  ) -> Setting {
    value(name, path, wanted(Choice.self), of: [.text, .null]) { value -> Choice?? in
      value == .null ? .some(nil) : value.string.flatMap { Choice(rawValue: $0) }.map { .some($0) }
    }
  }

  private static func wantedSeconds(_ least: Double) -> String { "a number of seconds from \(least) to 86400" }

  private static func readSeconds(_ value: JSONValue, _ least: Double) -> Double? {
    value.double.flatMap { (least...86_400).contains($0) ? $0 : nil }
  }

  private static func wanted<Choice: CaseIterable & RawRepresentable<String>>(_ choice: Choice.Type) -> String {
    let words = choice.allCases.map { "“\($0.rawValue)”" }
    return words.count > 1 ? "one of \(words.joined(separator: ", "))" : words.joined()
  }
}

extension JSONValue {
  /// A whole number, however it is written.
  package var wholeNumber: Int64? {
    if case .integer(let value) = self { value } else { double.flatMap { Int64(exactly: $0) } }
  }
}
