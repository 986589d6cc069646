internal import Foundation

/// The date of a cookie's `Expires` attribute: the forgiving algorithm of RFC 6265bis §5.1.1, step by step.
enum CookieDate {
  /// The date, or `nil` where the algorithm fails.
  static func parse(_ bytes: some Collection<UInt8>) -> Date? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?

    for token in bytes.split(whereSeparator: isDelimiter) {
      if time == nil, let found = parseTime(token) {
        time = found
      } else if day == nil, let found = parseNumber(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = parseMonth(token) {
        month = found
      } else if year == nil, let found = parseNumber(token, digits: 2...4) {
        year = found
      }
    }

    guard let time, let day, let month, var year else { return nil }
    switch year {
    case 70...99: year += 1900
    case 0...69: year += 2000
    default: break
    }
    guard year >= 1601, time.second <= 59 else { return nil }
    return CivilTime(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second
    ).date
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// `1*2DIGIT ":" 1*2DIGIT ":" 1*2DIGIT [ non-digit *OCTET ]`
  private static func parseTime(_ token: some Collection<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3,
      parts[0].allSatisfy(ASCII.isDigit), let hour = parseNumber(parts[0], digits: 1...2),
      parts[1].allSatisfy(ASCII.isDigit), let minute = parseNumber(parts[1], digits: 1...2),
      let second = parseNumber(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func parseMonth(_ token: some Collection<UInt8>) -> Int? {
    let name = token.prefix(3).map { ASCII.lowercased($0) }
    guard name.count == 3 else { return nil }
    return CivilTime.monthNames.firstIndex { $0.utf8.elementsEqual(name) { ASCII.lowercased($0) == $1 } }.map { $0 + 1 }
  }

  /// The number in front, when it has as many digits as allowed and no more follow.
  private static func parseNumber(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix(while: ASCII.isDigit)
    guard digits.contains(number.count) else { return nil }
    return number.reduce(0) { $0 * 10 + Int($1 &- 48) }
  }
}
