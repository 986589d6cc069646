import Foundation
import Testing

@testable import OstiaryExperiences

@Suite("Views: date picker")
struct DayChoiceTests {
  private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

  private func choice(
    _ value: String? = nil, from first: String? = nil, to last: String? = nil, autofill: String? = nil,
    isRequired: Bool = true
  ) throws -> DayChoice {
    let constraints = Experience.Constraints(
      minimum: try first.map { .day(try day($0)) }, maximum: try last.map { .day(try day($0)) })
    return DayChoice(
      FieldSnapshot(
        key: "k", kind: .date, label: "K", value: value, isRequired: isRequired, constraints: constraints,
        autofill: autofill))
  }

  @Test("Bug-D08 A date picker offers the days that the field's rules accept")
  func range() throws {
    let both = try choice(from: "1900-01-01", to: "2020-12-31")
    #expect(try both.first == day("1900-01-01") && both.last == day("2020-12-31"))
    let open = try choice()
    #expect(try open.first == day("1583-01-01") && open.last == day("9999-12-31"))
    let early = try choice(from: "0800-12-25")
    #expect(try early.first == day("1583-01-01"), "calendars before are Julian")
    let empty = try choice(from: "2030-01-01", to: "2020-01-01")
    #expect(empty.first <= empty.last, "a range that holds no day never traps")
  }

  @Test("Bug-D08 The day that is entered stays among those offered, and an optional one can be taken back")
  func chosen() throws {
    let late = try choice("2026-11-22", from: "1900-01-01", to: "2020-12-31")
    #expect(try late.day == day("2026-11-22") && late.last == day("2026-11-22"))
    let early = try choice("1899-05-05", from: "1900-01-01")
    #expect(try early.first == day("1899-05-05"))
    let odd = try choice("soon")
    #expect(odd.day == nil)
    #expect(try !choice().canBeEmpty)
    #expect(try choice(isRequired: false).canBeEmpty)
  }

  @Test(
    "Bug-D08 A date picker begins with today, a day of birth thirty years before, or the nearest day that is offered")
  func suggestion() throws {
    let today = try day("2026-11-22")
    #expect(try choice().suggestion(today: today) == today)
    #expect(try choice(autofill: "bday").suggestion(today: today) == day("1996-11-22"))
    #expect(try choice(autofill: "bday").suggestion(today: day("2024-02-29")) == day("1994-02-28"))
    #expect(try choice(to: "2020-12-31").suggestion(today: today) == day("2020-12-31"))
    #expect(try choice(from: "2027-01-01").suggestion(today: today) == day("2027-01-01"))
    #expect(try choice("2001-02-03").suggestion(today: today) == day("2001-02-03"))
  }

  @Test(
    "Bug-D08 A day of a date picker is the same day in every time zone",
    arguments: [
      "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "America/Sao_Paulo", "Europe/Berlin",
    ])
  func zones(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    for text in [
      "1583-01-01", "1900-02-28", "1969-12-31", "1970-01-01", "2000-02-29", "2018-11-04", "2026-03-29", "9999-12-31",
    ] {
      let day = try day(text)
      #expect(CalendarDay(day.noon(in: zone), in: zone) == day, "\(text) in \(name)")
    }
    let dates = try choice(from: "2011-12-30", to: "2011-12-30").dates(in: zone)
    #expect(dates.lowerBound == dates.upperBound)
  }

  @Test("Bug-D08 A moment that no calendar has is no day")
  func extremes() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e12] {
      #expect(CalendarDay(Date(timeIntervalSince1970: seconds), in: .gmt) == nil, "\(seconds)")
    }
    #expect(CalendarDay(Date(timeIntervalSince1970: 253_402_300_800), in: .gmt) == nil, "year 10000")
  }

  @Test("Bug-D08 Days and their numbers agree with each other over all years")
  func numbers() throws {
    #expect(try day("1970-01-01").daysSince1970 == 0)
    #expect(try day("2000-03-01").daysSince1970 == 11_017)
    var number = -719_162
    #expect(try CalendarDay(daysSince1970: number) == day("0001-01-01"))
    while number <= 2_932_896 {
      let day = try #require(CalendarDay(daysSince1970: number))
      if day.daysSince1970 != number { Issue.record("\(day) has not the number \(number)") }
      number += 97
    }
    #expect(try CalendarDay(daysSince1970: 2_932_896) == day("9999-12-31"))
    #expect(CalendarDay(daysSince1970: -719_163) == nil && CalendarDay(daysSince1970: 2_932_897) == nil)
    #expect(CalendarDay(daysSince1970: .max) == nil && CalendarDay(daysSince1970: .min) == nil)
  }
}
