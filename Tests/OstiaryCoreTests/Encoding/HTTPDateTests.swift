import Foundation
import OstiaryCore
import Testing

@Suite("HTTP dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
  private let example = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    "All three forms are read",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "  Sun, 06 Nov 1994 08:49:37 GMT\t",
    ])
  func forms(text: String) {
    #expect(HTTPDate.parse(text, now: cookieEpoch) == example)
  }

  @Test("The preferred form is written, and read back, over five thousand days")
  func roundTrip() {
    #expect(HTTPDate.format(example) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.format(example + 0.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
    for step in 0..<5000 {
      // From the year 1700 on, two months and a bit at a time: leap years, centuries, times before 1970.
      let date = Date(timeIntervalSince1970: -8_520_336_000 + Double(step) * 5_301_301)
      #expect(HTTPDate.parse(HTTPDate.format(date), now: cookieEpoch) == date)
    }
  }

  @Test(
    "A year of two digits is never more than 50 years ahead",
    arguments: [("94", 1994), ("24", 2024), ("74", 2074), ("75", 1975)])
  func century(short: String, year: Int) throws {
    let date = try #require(HTTPDate.parse("Monday, 01-Jan-\(short) 00:00:00 GMT", now: cookieEpoch))
    #expect(HTTPDate.format(date).contains(" \(year) "))
  }

  @Test("Impossible and extreme dates have the nearest form")
  func extremes() {
    #expect(HTTPDate.format(Date(timeIntervalSince1970: 1e18)) == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(HTTPDate.format(Date(timeIntervalSince1970: -1e18)) == "Sat, 01 Jan 0000 00:00:00 GMT")
    #expect(HTTPDate.format(Date(timeIntervalSince1970: .nan)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.format(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(
      HTTPDate.parse("Thu, 31 Dec 1998 23:59:60 GMT", now: cookieEpoch) == Date(timeIntervalSince1970: 915_148_799))
  }

  @Test(
    "Anything else is no date",
    arguments: [
      "", " ", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "sun, 06 Nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994", "Sun Nov",
      "Sun Nov  ",
      "Xxx, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "784111777", "Sun, 06 Nov 1994 08:49:37 GMT, x",
      String(repeating: " ", count: 100_000), "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
  func noDates(text: String) {
    #expect(HTTPDate.parse(text, now: cookieEpoch) == nil)
  }
}

@Suite("Retry-After (RFC 9110 §10.2.3)")
struct RetryAfterTests {
  @Test(
    "Seconds and dates, from none to a day",
    arguments: [
      ("0", .zero), ("120", .seconds(120)), (" 7 ", .seconds(7)), ("007", .seconds(7)), ("86400", .seconds(86_400)),
      ("86401", .seconds(86_400)), (String(repeating: "9", count: 10_000), .seconds(86_400)),
      ("Mon, 01 Jan 2024 00:02:00 GMT", .seconds(120)), ("Sun, 31 Dec 2023 00:00:00 GMT", .zero),
      ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(86_400)), ("", nil), ("-1", nil), ("1.5", nil), ("1e3", nil),
      ("soon", nil), ("1 2", nil), ("٣", nil),
    ] as [(String, Duration?)])
  func parse(text: String, wait: Duration?) {
    #expect(RetryAfter.parse(text, now: cookieEpoch) == wait)
  }
}
