/// A length of time as a person writes it: `90`, `90s`, `5m`, `2h`, `1d`.
struct TimeSpan: Sendable, Equatable {
  /// The time.
  let duration: Duration

  /// Reads a text; `nil` for one that is none, for no time at all, and for more than a year.
  init?(_ text: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits),
      case let (seconds, overflows) = count.multipliedReportingOverflow(by: unit ?? 1), !overflows,
      (1...31_536_000).contains(seconds)
    else { return nil }
    duration = .seconds(seconds)
  }
}
