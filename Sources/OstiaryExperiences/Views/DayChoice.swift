public import Foundation

/// The days that a calendar offers for a field, and the one that is chosen.
public struct DayChoice: Sendable, Hashable {
  /// The day that is chosen; `nil` for none yet.
  public let day: CalendarDay?
  /// The first day that can be chosen. It is never after ``last``.
  public let first: CalendarDay
  /// The last day that can be chosen.
  public let last: CalendarDay
  /// Whether the choice can be taken back.
  public let canBeEmpty: Bool
  /// Whether a day of birth is asked for.
  private let isBirthday: Bool

  /// What a field offers. The day that it has already is among them, also where its rules refuse it.
  public init(_ field: FieldSnapshot) {
    let day = field.value.flatMap { CalendarDay($0) }
    var days = (first: CalendarDay.firstOfCalendars, last: CalendarDay.lastOfCalendars)
    if case .day(let first) = field.constraints.minimum { days.first = max(first, days.first) }
    if case .day(let last) = field.constraints.maximum { days.last = min(last, days.last) }
    if days.first > days.last { days = (CalendarDay.firstOfCalendars, CalendarDay.lastOfCalendars) }
    if let day { days = (min(day, days.first), max(day, days.last)) }
    self.day = day
    (first, last) = days
    canBeEmpty = !field.isRequired
    let tokens = (field.autofill ?? "").lowercased().split(separator: " ")
    isBirthday = tokens.contains("bday")
  }

  /// The day to begin with, where none is chosen: today, or for a day of birth the same day thirty years ago; the nearest day that
  /// can be chosen where that one can't be.
  public func suggestion(today: CalendarDay) -> CalendarDay {
    if let day { return day }
    let year = today.year - 30
    let past =
      CalendarDay(year: year, month: today.month, day: today.day)
      ?? CalendarDay(year: year, month: today.month, day: 28)
    return min(max(isBirthday ? past ?? today : today, first), last)
  }

  /// The moments that a date picker may offer: from the noon of the first day to the noon of the last one.
  public func dates(in zone: TimeZone) -> ClosedRange<Date> {
    // Zones have moved across the date line: order is not taken for granted.
    let (start, end) = (first.noon(in: zone), last.noon(in: zone))
    return start...max(start, end)
  }
}

extension CalendarDay {
  /// The day of a moment.
  /// - Returns: `nil` before year 1 and after year 9999.
  public init?(_ date: Date, in zone: TimeZone) {
    // A moment beyond all calendars, or one that is no number, is not a zone's to judge.
    guard abs(date.timeIntervalSince1970) < 400_000_000_000 else { return nil }
    let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
    self.init(daysSince1970: Int((seconds / 86_400).rounded(.down)))
  }

  /// Noon of the day, the hour that no change of clocks moves to another day.
  public func noon(in zone: TimeZone) -> Date {
    let noon = Date(timeIntervalSince1970: Double(daysSince1970) * 86_400 + 43_200)
    return noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon)))
  }
}
