import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@Suite("A server that can't answer now")
struct UnavailableTests {
  private let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/?secret")

  private func error(_ status: Int, _ fields: HTTPFields = [:], now: Date = cookieEpoch) -> OstiaryError? {
    OstiaryError(
      unavailable: HTTPResponse(status: .init(code: status), headerFields: fields), to: request, now: now, "The org")
  }

  @Test("Bug-A15: one table says which status means it", arguments: 100..<600)
  func table(status: Int) {
    let expected = [408, 425, 429].contains(status) || status >= 500
    #expect((error(status) != nil) == expected)
    guard let error = error(status) else { return }
    #expect(error.code == .serverUnavailable)
    #expect(error.isTransient)
    #expect(error.retryAfter == nil)
    #expect(error.message == "The org can't answer now (\(status)).")
    #expect(error.host == "example.org")
  }

  @Test(
    "Bug-A15: a date to wait for is read against the response's Date, whatever this device's clock says",
    arguments: [-10_800.0, 0, 10_800])
  func serverClock(skew: Double) {
    let server = cookieEpoch + skew
    func wait(_ text: String) -> Duration? {
      error(503, [.date: HTTPDate.format(server), .retryAfter: text])?.retryAfter
    }
    #expect(wait(HTTPDate.format(server + 120)) == .seconds(120))
    #expect(wait(HTTPDate.format(server - 120)) == .zero)
    #expect(wait("120") == .seconds(120))
    #expect(wait(HTTPDate.format(server + 1e7)) == RetryAfter.maximum)
    #expect(wait("soon") == nil)
  }
}
