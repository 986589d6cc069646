import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariant 13: clock skew is measured from the server's Date and signs nobody out")
struct ClockSkewTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func response(_ dates: String...) -> HTTPResponse {
    var response = HTTPResponse(status: .ok)
    response.headerFields[values: .date] = dates
    return response
  }

  @Test(
    "Invariant 13: the skew is the Date field minus this device's clock, in any of HTTP's three forms",
    arguments: [
      ("Fri, 15 Jan 2027 08:00:00 GMT", 0.0), ("Fri, 15 Jan 2027 10:00:00 GMT", 7_200.0),
      ("Thu, 14 Jan 2027 08:00:00 GMT", -86_400.0), ("Friday, 15-Jan-27 08:00:30 GMT", 30.0),
      ("Fri Jan 15 07:59:30 2027", -30.0),
    ])
  func measured(date: String, skew: Double) {
    #expect(response(date).clockSkew(at: now) == skew)
  }

  @Test(
    "Invariant 13: what is no date, or two of them, measures nothing",
    arguments: [
      [], [""], ["yesterday"], ["Fri, 15 Jan 2027 25:00:00 GMT"], ["Fri, 99 Jan 2027 08:00:00 GMT"],
      [String(repeating: "9", count: 100_000)],
      ["Fri, 15 Jan 2027 08:00:00 GMT", "Fri, 15 Jan 2027 10:00:00 GMT"],
    ])
  func unmeasured(dates: [String]) {
    var response = HTTPResponse(status: .ok)
    response.headerFields[values: .date] = dates
    #expect(response.clockSkew(at: now) == nil)
  }

  @Test(
    "Invariant 13: however far the server's clock is off, its session is used for as long as it lasts, then renewed",
    arguments: [-200_000_000.0, -7_200, 0, 7_200, 200_000_000])
  func tolerated(offset: Double) async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600), clockOffset: offset)
    let manager = fixture.manager()
    let http = AuthenticatedTransport(manager)
    #expect(try await manager.signIn(with: ManagerFixture.ann).clockSkew == offset)
    fixture.clock.advance(by: .seconds(300))
    _ = try await http.send(ManagerFixture.request())
    #expect(fixture.server.counts.renewals == 0)
    fixture.clock.advance(by: .seconds(300))
    _ = try await http.send(ManagerFixture.request())
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.server.counts.signIns == 1)
    #expect(fixture.recorder.kinds == [.signedIn, .renewed])
  }

  @Test("Invariant 13: a Date that is none, beside a good answer, leaves a good session without a skew")
  func garbage() async throws {
    let fixture = ManagerFixture()
    let server = fixture.server
    fixture.transport.on(.post, "/sign-in") { request in
      var response = server.respond(to: request)
      response.head.headerFields[.date] = "\u{0}not a date, and much too long: \(String(repeating: "x", count: 1_000))"
      return response
    }
    let manager = fixture.manager()
    #expect(try await manager.signIn(with: ManagerFixture.ann).clockSkew == 0)
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
  }
}
