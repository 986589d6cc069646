/// Whether a field accepts a number, as far as the texts tell by which it can be written. It never says no where there
/// is one.
struct NumberTexts {
  let lengths: ClosedRange<Int>
  let range: ValueRange
  let pattern: Pattern?

  /// How many digits a `Double` always holds exactly.
  private static let exactDigits = 15

  var exist: Bool {
    range.least <= range.most && [false, true].contains { hasWhole($0) || hasOther($0) }
  }

  /// Whole numbers, with zeros before them where the text must be longer.
  private func hasWhole(_ isNegative: Bool) -> Bool {
    let sign = isNegative ? "-" : ""
    let (low, high) = isNegative ? (-range.most, -range.least) : (range.least, range.most)
    let (least, most) = (max(0, low.rounded(.up)), high.rounded(.down))
    guard least <= most else { return false }
    return lengths.contains { length in
      let digits = length - sign.utf8.count
      guard digits > 0, digits > Self.exactDigits || least < Self.power(digits) else { return false }
      guard let pattern else { return true }
      return pattern.hasMatch(
        between: sign + Self.written(least, digits, otherwise: "0"),
        and: sign + Self.written(most, digits, otherwise: "9"))
    }
  }

  /// A whole number in so many digits; only a digit so often where it has more of them, or more than are held exactly.
  private static func written(_ number: Double, _ digits: Int, otherwise digit: String) -> String {
    guard number < power(min(digits, exactDigits)) else { return String(repeating: digit, count: digits) }
    let text = String(Int(number))
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// Decimals, and numbers with an exponent: by their form and size.
  private func hasOther(_ isNegative: Bool) -> Bool {
    guard isNegative ? range.least <= 0 : range.most >= 0 else { return false }
    let signs = isNegative ? 1 : 0
    func hasText(_ form: TextShape.NumberForm) -> Bool {
      // A digit, the point or the sign of the exponent, and a digit.
      let least = max(lengths.lowerBound, 3 + signs)
      guard least <= lengths.upperBound else { return false }
      guard let pattern else { return true }
      return pattern.hasMatch(of: least...lengths.upperBound, in: .number(form, isNegative: isNegative))
    }
    let digits = max(0, lengths.upperBound - signs - 2)
    let isInReach = (isNegative ? -range.most : range.least) < Self.power(digits)
    return isInReach && hasText(.decimals) || hasText(.exponent)
  }

  /// A power of ten.
  static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }
}

/// The numbers and days that fields accept which must have the same value.
struct ValueRange {
  private(set) var least = -Double.infinity
  private(set) var most = Double.infinity
  private(set) var first = "0001-01-01"
  private(set) var last = "9999-12-31"

  init(_ fields: [Experience.Field]) {
    for field in fields {
      switch (field.kind, field.constraints.minimum) {
      case (.number, .number(let number)) where number > least: least = number
      case (.date, .day(let day)): first = max(first, day.description)
      default: break
      }
      switch (field.kind, field.constraints.maximum) {
      case (.number, .number(let number)) where number < most: most = number
      case (.date, .day(let day)): last = min(last, day.description)
      default: break
      }
    }
  }
}
