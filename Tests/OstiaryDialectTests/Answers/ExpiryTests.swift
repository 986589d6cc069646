import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import Testing

@Suite("When a session is over")
struct ExpiryTests {
  func date(_ expiry: DialectExpiry, _ body: String, headerFields: HTTPFields = [:]) throws -> TimeInterval? {
    let call = DialectCall(.get, "/", reads: DialectReads(token: ["/token"], expiry: [expiry]))
    let answer = dialectAnswer(apiAnswer(body, headerFields: headerFields), call)
    return try answer.findings(DialectValues()).expiresAt?.timeIntervalSince(noon)
  }

  @Test("Seconds and milliseconds, as numbers and as texts")
  func durations() throws {
    #expect(try date(.duration(["/in"]), #"{"in":3600}"#) == 3600)
    #expect(try date(.duration(["/in"]), #"{"in":"3600"}"#) == 3600)
    #expect(try date(.duration(["/in"], .milliseconds), #"{"in":90000}"#) == 90)
    #expect(try date(.duration(["/in"]), #"{"in":1.5}"#) == 1.5)
    #expect(try date(.fixed(60), "{}") == 60)
    #expect(try date(.fixed(60_000, .milliseconds), "{}") == 60)
  }

  @Test(
    "Every form of a date",
    arguments: [
      (DialectExpiry.Form.rfc3339, "2026-11-27T13:00:00Z", 3600.0), (.rfc3339, "2026-11-27t15:00:00.5+02:00", 3600.5),
      (.rfc3339, "2026-11-27 08:00:00-0500", 3600), (.http, "Fri, 27 Nov 2026 13:00:00 GMT", 3600),
      (.iso8601NoZone(), "2026-11-27T13:00:00", 3600), (.iso8601NoZone(minutesFromUTC: 120), "2026-11-27T15:00", 3600),
      (.iso8601NoZone(), "2026-11-27T13:00:00Z", 3600), (.sql(), "2026-11-27 13:00:00", 3600),
      (.sql(minutesFromUTC: -300), "2026-11-27 08:00:00.250", 3600.25), (.epoch, "1795784400", 3600),
      (.epochMilliseconds, "1795784400000", 3600),
    ])
  func dates(_ form: DialectExpiry.Form, _ text: String, _ expected: TimeInterval) throws {
    #expect(try date(.date(["/at"], form), #"{"at":"\#(text)"}"#) == expected)
  }

  @Test("Epochs may be numbers")
  func epochs() throws {
    #expect(try date(.date(["/at"], .epoch), #"{"at":1795784400}"#) == 3600)
    #expect(try date(.date(["/at"], .epochMilliseconds), #"{"at":1795784400000}"#) == 3600)
  }

  @Test(
    "What is no date is none",
    arguments: [
      "2026-11-27T13:00:00", "2026-02-30T13:00:00Z", "2026-11-27T24:00:00Z", "2026-11-27", "26-11-27T13:00:00Z",
      "2026-11-27T13:00:00+25:00", "2026-11-27T13:00:00ZZ", "2026-11-27T13:00:00.Z", "", "tomorrow",
      "0000-01-01T00:00:00Z",
    ])
  func noDates(_ text: String) throws { #expect(try date(.date(["/at"], .rfc3339), #"{"at":"\#(text)"}"#) == nil) }

  @Test(
    "Zero, the past, the far future and nonsense count as none",
    arguments: [
      #"{"in":0}"#, #"{"in":-5}"#, #"{"in":0.2}"#, #"{"in":1e300}"#, #"{"in":"soon"}"#, #"{"in":null}"#, #"{"in":[1]}"#,
      #"{"in":true}"#, #"{"in":400000000}"#, "{}", "",
    ])
  func unbelievable(_ body: String) throws { #expect(try date(.duration(["/in"]), body) == nil) }

  @Test("A date that has passed counts as none, and so does the year 9999")
  func clamped() throws {
    #expect(try date(.date(["/at"], .rfc3339), #"{"at":"2020-01-01T00:00:00Z"}"#) == nil)
    #expect(try date(.date(["/at"], .rfc3339), #"{"at":"9999-12-31T23:59:59Z"}"#) == nil)
    // Milliseconds where seconds are expected.
    #expect(try date(.date(["/at"], .epoch), #"{"at":1795784400000}"#) == nil)
    #expect(try date(.date(["/at"], .epoch), #"{"at":1e18}"#) == nil)
  }

  @Test("A date is on the server's clock; a duration is not")
  func skew() throws {
    let ahead: HTTPFields = [.date: "Fri, 27 Nov 2026 12:10:00 GMT"]
    #expect(try date(.date(["/at"], .rfc3339), #"{"at":"2026-11-27T13:10:00Z"}"#, headerFields: ahead) == 3600)
    #expect(try date(.duration(["/in"]), #"{"in":3600}"#, headerFields: ahead) == 3600)
  }

  @Test("The exp of a JWT that was read in the same answer")
  func claims() throws {
    let token = jwt(#"{"exp":1795784400,"sub":"7"}"#)
    #expect(try date(.claim(of: "token"), #"{"token":"\#(token)"}"#) == 3600)
    #expect(try date(.claim(of: "token"), #"{"token":"\#(jwt(#"{"exp":"x"}"#))"}"#) == nil)
    for broken in ["a.b", "a.b.c", "a..c", "no", "\(token).d", "a.\(String(repeating: "A", count: 20_000)).c"] {
      let call = DialectCall(.get, "/", reads: DialectReads(expiry: [.claim(of: "other")]))
      let answer = dialectAnswer(apiAnswer("{}"), call)
      #expect(try answer.findings(DialectValues(["other": Secret(broken)])).expiresAt == nil)
    }
  }

  @Test("The first that is there counts")
  func first() throws {
    let call = DialectCall(
      .get, "/", reads: DialectReads(expiry: [.duration(["/a"]), .date(["/b"], .epoch), .fixed(60)]))
    #expect(try dialectAnswer(apiAnswer(#"{"b":1795784400}"#), call).findings(DialectValues()).expiresAt == noon + 3600)
    #expect(try dialectAnswer(apiAnswer("{}"), call).findings(DialectValues()).expiresAt == noon + 60)
  }
}

/// A JWT with these claims and a signature that is none.
func jwt(_ claims: String) -> String {
  let parts = [#"{"alg":"none"}"#, claims].map { Base64URL.encode(Data($0.utf8)) }
  return parts.joined(separator: ".") + ".c2ln"
}
