internal import Foundation
internal import OstiaryCore

/// Dates as APIs write them, read without formatters, calendars and locales.
package enum DialectDate {
  /// The date that a value names in a form; `nil` for anything else.
  /// - Parameter now: decides the century of an HTTP date with two digits for its year.
  static func parse(_ value: JSONValue, _ form: DialectExpiry.Form, now: Date) -> Date? {
    switch form {
    case .http: return value.string.flatMap { HTTPDate.parse($0, now: now) }
    case .epoch: return value.numberOrText.flatMap(date(secondsSince1970:))
    case .epochMilliseconds: return value.numberOrText.flatMap { date(secondsSince1970: $0 / 1000) }
    case .rfc3339: return value.string.flatMap { civil($0, minutesFromUTC: nil) }
    case .iso8601NoZone(let minutes), .sql(let minutes):
      return value.string.flatMap { civil($0, minutesFromUTC: minutes ?? 0) }
    }
  }

  /// A date of the years 1 to 9999.
  static func date(secondsSince1970 seconds: Double) -> Date? {
    guard seconds.isFinite, (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  /// `2026-11-27T05:49:00.123+01:00`: a blank may stand for the `T`, seconds and their fraction may be absent.
  /// - Parameter minutesFromUTC: how far the zone is ahead of UTC where the text has none; `nil` refuses such a text.
  static func civil(_ text: String, minutesFromUTC: Int?) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    var scanner = Scanner(bytes: Array(ASCII.trimmed(Array(text.utf8))))
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
      let day = scanner.number(2), scanner.take("T") || scanner.take("t") || scanner.take(" "),
      let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2)
    else { return nil }
    var second = 0
    var fraction = 0.0
    if scanner.take(":") {
      guard let number = scanner.number(2) else { return nil }
      second = number
      if scanner.take(".") || scanner.take(",") {
        guard let part = scanner.fraction() else { return nil }
        fraction = part
      }
    }
    guard let offset = scanner.isAtEnd ? minutesFromUTC : scanner.zone(), scanner.isAtEnd,
      (1...9999).contains(year), (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second), abs(offset) < 24 * 60
    else { return nil }
    let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
    return Date(timeIntervalSince1970: TimeInterval(minutes * 60 + min(second, 59)) + fraction)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// In the proleptic Gregorian calendar, by eras of 400 years that begin on the 1st of March.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
      position += 1
      return true
    }

    mutating func number(_ digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      let text = bytes[position..<(position + digits)]
      guard text.allSatisfy(ASCII.isDigit) else { return nil }
      position += digits
      return text.reduce(0) { $0 * 10 + Int($1 &- 48) }
    }

    mutating func fraction() -> Double? {
      let digits = bytes[position...].prefix(while: ASCII.isDigit)
      guard !digits.isEmpty else { return nil }
      position += digits.count
      return Double("0." + String(decoding: digits.prefix(9), as: UTF8.self))
    }

    /// Minutes ahead of UTC: `Z`, `+02:00`, `+0200`, `+02`.
    mutating func zone() -> Int? {
      if take("Z") || take("z") { return 0 }
      _ = take(" ")
      let sign = take("+") ? 1 : take("-") ? -1 : 0
      guard sign != 0, let hours = number(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 60 }
      _ = take(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 60 + minutes)
    }
  }
}
