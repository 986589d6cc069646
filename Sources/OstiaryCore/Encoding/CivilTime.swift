internal import Foundation

/// A date and a time of day in UTC, in the proleptic Gregorian calendar, without calendars and formatters.
struct CivilTime: Equatable {
  var year: Int
  /// 1…12
  var month: Int
  /// 1…31
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0

  static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The point in time, or `nil` when there is no such day or time. The 61st second of a minute is its 60th: leap
  /// seconds have no number of their own in POSIX time.
  var date: Date? {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let seconds = ((daysSinceEpoch * 24 + hour) * 60 + minute) * 60 + min(second, 59)
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// 0 is Sunday.
  var weekday: Int { ((daysSinceEpoch % 7) + 11) % 7 }

  /// The UTC date and time of a point in time, clamped to the years 0…9999; fractions of a second are cut off.
  init(_ date: Date) {
    let interval = date.timeIntervalSince1970
    let clamped = interval.isNaN ? 0 : min(max(interval, -62_167_219_200), 253_402_300_799)
    let seconds = Int(clamped.rounded(.down))
    var days = seconds / 86_400
    var rest = seconds % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    // Eras of 400 years that begin on the 1st of March, so that the leap day is a year's last.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3_600
    minute = rest / 60 % 60
    second = rest % 60
  }

  init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  private var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
