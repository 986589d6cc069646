/// A day of the Gregorian calendar, as RFC 3339 writes it (`full-date`).
public struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 1…9999
  public let year: Int
  /// 1…12
  public let month: Int
  /// 1…31
  public let day: Int

  /// A day, or `nil` where there is none of this number.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `2026-11-22` and nothing else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(Int?.some(0)) { value, byte in
        guard let value, byte &- 48 < 10 else { return nil }
        return value * 10 + Int(byte - 48)
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }

  public var description: String {
    func padded(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// The first day that Foundation's calendars count as this type does: before 1583 they follow the Julian calendar.
  static let firstOfCalendars = Self(1583, 1, 1)
  /// The last day that there is.
  static let lastOfCalendars = Self(9999, 12, 31)

  private init(_ year: Int, _ month: Int, _ day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days from 1 January 1970 to this one.
  var daysSince1970: Int {
    Self.days(before: year) + (1..<month).reduce(0) { $0 + Self.days(in: $1, of: year) } + day - 719_163
  }

  /// The day with this number.
  /// - Returns: `nil` before year 1 and after year 9999.
  init?(daysSince1970 days: Int) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    var left = days + 719_162
    var year = left * 400 / 146_097 + 1
    while Self.days(before: year) > left { year -= 1 }
    while Self.days(before: year + 1) <= left { year += 1 }
    left -= Self.days(before: year)
    var month = 1
    while left >= Self.days(in: month, of: year) {
      left -= Self.days(in: month, of: year)
      month += 1
    }
    self.init(year, month, left + 1)
  }

  /// The days of all years from 1 to the one before.
  private static func days(before year: Int) -> Int {
    let years = year - 1
    return years * 365 + years / 4 - years / 100 + years / 400
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
