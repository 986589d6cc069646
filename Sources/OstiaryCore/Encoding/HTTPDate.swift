package import Foundation

/// Dates in HTTP fields (RFC 9110 §5.6.7), read and written without formatters, locales and time zones.
package enum HTTPDate {
  /// The point in time that a field such as `Date` or `Last-Modified` names, in any of the three forms that a recipient
  /// has to know.
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT
  ///     Sunday, 06-Nov-94 08:49:37 GMT
  ///     Sun Nov  6 08:49:37 1994
  ///
  /// - Parameter now: decides the century of a year with two digits: what seems more than 50 years ahead was in the
  ///   past.
  /// - Returns: `nil` for anything else. The name of the weekday must be one, but is not checked against the date.
  package static func parse(_ text: String, now: Date) -> Date? {
    // The longest form is "Wednesday, 06-Nov-94 08:49:37 GMT".
    guard text.utf8.count <= 40 else { return nil }
    let parts = ASCII.trimmed(Array(text.utf8)).split(separator: 0x20, omittingEmptySubsequences: false)
    let first = String(decoding: parts.first ?? [], as: UTF8.self)
    if first.hasSuffix(",") {
      let name = String(first.dropLast())
      if CivilTime.weekdayNames.contains(name) { return fixdate(parts) }
      return longWeekdayNames.contains(name) ? rfc850(parts, now: now) : nil
    }
    return CivilTime.weekdayNames.contains(first) ? asctime(parts) : nil
  }

  /// The preferred form (`Sun, 06 Nov 1994 08:49:37 GMT`). Fractions of a second are cut off, and years outside 0…9999,
  /// which have no such form, become the nearest that has.
  package static func format(_ date: Date) -> String {
    let time = CivilTime(date)
    let weekday = CivilTime.weekdayNames[time.weekday]
    let month = CivilTime.monthNames[time.month - 1]
    let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined(separator: ":")
    return "\(weekday), \(padded(time.day, to: 2)) \(month) \(padded(time.year, to: 4)) \(clock) GMT"
  }

  private static let longWeekdayNames = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  private typealias Bytes = ArraySlice<UInt8>

  private static func fixdate(_ parts: [Bytes]) -> Date? {
    guard parts.count == 6, let day = number(parts[1], digits: 2), let month = month(parts[2]),
      let year = number(parts[3], digits: 4), parts[5].elementsEqual("GMT".utf8)
    else { return nil }
    return date(year, month, day, parts[4])
  }

  private static func rfc850(_ parts: [Bytes], now: Date) -> Date? {
    guard parts.count == 4, parts[3].elementsEqual("GMT".utf8) else { return nil }
    let dayMonthYear = parts[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard dayMonthYear.count == 3, let day = number(dayMonthYear[0], digits: 2), let month = month(dayMonthYear[1]),
      let short = number(dayMonthYear[2], digits: 2)
    else { return nil }
    let currentYear = CivilTime(now).year
    var year = currentYear - currentYear % 100 + short
    if year > currentYear + 50 { year -= 100 }
    return date(year, month, day, parts[2])
  }

  private static func asctime(_ parts: [Bytes]) -> Date? {
    // A day of one digit has a second space in front of it.
    let hasPadding = parts.count == 6 && parts[2].isEmpty
    let rest = hasPadding ? parts.dropFirst(3) : parts.dropFirst(2)
    guard rest.count == 3, parts.count > 1, let month = month(parts[1]),
      let day = number(rest[rest.startIndex], digits: hasPadding ? 1 : 2),
      let year = number(rest[rest.startIndex + 2], digits: 4)
    else { return nil }
    return date(year, month, day, rest[rest.startIndex + 1])
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int, _ clock: Bytes) -> Date? {
    let parts = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0, digits: 2) }
    guard parts.count == 3, numbers.count == 3 else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: numbers[0], minute: numbers[1], second: numbers[2]).date
  }

  private static func month(_ bytes: Bytes) -> Int? {
    CivilTime.monthNames.firstIndex { $0.utf8.elementsEqual(bytes) }.map { $0 + 1 }
  }

  private static func number(_ bytes: Bytes, digits: Int) -> Int? {
    guard bytes.count == digits, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 &- 48) }
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
