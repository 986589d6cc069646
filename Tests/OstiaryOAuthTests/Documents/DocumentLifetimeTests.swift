import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryOAuth

@Suite("How long a document is fresh", .timeLimit(.minutes(20)))
struct DocumentLifetimeTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func lifetime(_ fields: HTTPFields) -> TimeInterval {
    DocumentLifetime.of(HTTPResponse(status: .ok, headerFields: fields), at: now)
  }

  @Test("FIND-12: what a cache has kept it for counts")
  func age() {
    #expect(lifetime([.cacheControl: "max-age=3000", .age: "1000"]) == 2000)
    #expect(lifetime([.cacheControl: "max-age=3000", .age: "2999"]) == 300)
    #expect(lifetime([.cacheControl: "max-age=3000", .age: "x"]) == 3000)
  }

  @Test("FIND-12: without max-age, Expires counts by the server's clock")
  func expires() {
    #expect(lifetime([.expires: HTTPDate.format(now.addingTimeInterval(1800))]) == 1800)
    let hour = now.addingTimeInterval(3600)
    #expect(
      lifetime([.date: HTTPDate.format(hour), .expires: HTTPDate.format(hour.addingTimeInterval(1800))]) == 1800)
    #expect(lifetime([.expires: "0"]) == 300)
    #expect(lifetime([.cacheControl: "max-age=900", .expires: "0"]) == 900)
  }

  @Test(
    "FIND-12: what can't be read counts as not said",
    arguments: ["max-age=", "max-age=-5", "max-age=1e9", "max-age", "=", ",,,", "max-age=\u{661}"])
  func unreadable(_ control: String) {
    #expect(lifetime([.cacheControl: control]) == 3600)
  }

  @Test("FIND-12: numbers of any length are read without overflowing")
  func long() {
    #expect(lifetime([.cacheControl: "max-age=" + String(repeating: "9", count: 400)]) == 86_400)
    #expect(lifetime([.cacheControl: "max-age=5", .age: String(repeating: "9", count: 400)]) == 300)
  }
}
