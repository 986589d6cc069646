import Foundation
import HTTPTypes
import OstiaryTesting
import Testing

@testable import OstiaryCore

@Suite("Cookies and wrong clocks")
struct CookieAgeTests {
  private static let hour: Double = 3600
  private static let day: Double = 86_400

  private func response(_ field: String, date: Date? = nil) -> HTTPResponse {
    var response = HTTPResponse(status: .ok)
    response.headerFields.append(HTTPField(name: .setCookie, value: field))
    response.headerFields[.date] = date.map(HTTPDate.format)
    return response
  }

  private func expires(_ date: Date) -> String { "sid=1; Expires=\(HTTPDate.format(date))" }

  @Test("Bug-A04: Expires is read against the response's Date", arguments: [-30, -9, 0, 9, 720] as [Double])
  func serverClock(hoursFast: Double) throws {
    let request = try cookieRequest("https://example.org/")
    let server = cookieEpoch
    let device = server + hoursFast * Self.hour
    var jar = CookieJar()
    jar.storeAll(from: response(expires(server + 8 * Self.hour), date: server), to: request, now: device)
    #expect(jar.header(for: request, now: device) == "sid=1")
    #expect(jar.header(for: request, now: device + 8 * Self.hour - 1) == "sid=1")
    #expect(jar.header(for: request, now: device + 8 * Self.hour) == nil)
    jar.storeAll(from: response(expires(server - 1), date: server), to: request, now: device)
    #expect(jar.isEmpty, "A date before the response's own deletes.")
  }

  @Test("Bug-A04: within one start of the machine elapsed time decides, whatever the wall clock says")
  func elapsed() throws {
    let clock = ManualClock()
    let request = try cookieRequest("https://example.org/")
    var jar = CookieJar()
    jar.storeAll(from: response("sid=1; Max-Age=28800"), to: request, at: clock.moment)
    for days in [1.0, -1, 400, -400] {
      let right = clock.now
      clock.set(to: right + days * Self.day)
      #expect(
        jar.header(for: request, at: clock.moment, isProof: { _ in false })?.hasPrefix("sid=1") == true, "\(days) days")
      jar.storeAll(from: response("other=1"), to: request, at: clock.moment, isProof: { _ in false })
      #expect(jar.header(for: request, at: clock.moment, isProof: { _ in false }) == "sid=1; other=1")
      clock.set(to: right)
    }
    clock.set(to: clock.now - 400 * Self.day)
    clock.advance(by: .seconds(28_799))
    #expect(jar.header(for: request, at: clock.moment) == "sid=1; other=1")
    clock.advance(by: .seconds(1))
    #expect(jar.header(for: request, at: clock.moment) == "other=1", "That much time has certainly passed.")
  }

  @Test("Bug-A04: after another start, and without the time since boot, a clock never withholds or deletes proof")
  func wallClockAlone() throws {
    let request = try cookieRequest("https://example.org/")
    func isProof(_ name: String) -> Bool { name == "sid" }
    let clock = ManualClock()
    var jar = CookieJar()
    jar.storeAll(from: response("sid=1; Max-Age=60"), to: request, at: clock.moment, isProof: isProof)
    jar.storeAll(from: response("other=1; Max-Age=60"), to: request, at: clock.moment, isProof: isProof)
    clock.restartMachine()
    var unknown = jar
    for moment in [clock.moment, Moment(wall: clock.now)] {
      jar = unknown
      #expect(jar.header(for: request, at: moment, isProof: isProof) == "sid=1; other=1")
      let later = Moment(wall: moment.wall + Self.day, uptime: moment.uptime)
      #expect(jar.header(for: request, at: later, isProof: isProof) == "sid=1", "Only proof is shown to the server.")
      jar.storeAll(from: response("new=1"), to: request, at: later, isProof: isProof)
      #expect(jar.cookies.map(\.name) == ["sid", "new"], "Only what is no proof is cleared away.")
      jar.storeAll(from: response("sid=; Max-Age=0"), to: request, at: later, isProof: isProof)
      #expect(jar.cookies.map(\.name) == ["new"], "The server deletes it.")
    }
    unknown.removeExpired(now: .distantFuture)
    #expect(unknown.isEmpty)
  }

  @Test("Bug-A04: the moment is stored beside the age, and jars of the version before are read")
  func atRest() throws {
    let clock = ManualClock()
    let request = try cookieRequest("https://example.org/")
    var jar = CookieJar()
    jar.storeAll(from: response("sid=1; Max-Age=60"), to: request, at: clock.moment)
    jar.storeAll(from: response("plain=1"), to: request, at: clock.moment)
    let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
    #expect(copy == jar)
    clock.set(to: clock.now + Self.day)
    #expect(copy.header(for: request, at: clock.moment, isProof: { _ in false }) == "sid=1; plain=1")
    #expect(copy.cookies.map { $0.setAt != nil } == [true, false])
    let old = #"{"v":1,"c":[{"n":"sid","v":"1","d":"example.org","e":10,"c":0,"b":7,"u":"x","w":null}]}"#
    let read = try JSONDecoder().decode(CookieJar.self, from: Data(old.utf8))
    #expect(read.header(for: request, at: clock.moment) == "sid=1")
    #expect(read.header(for: request, now: clock.now) == nil)
  }

  @Test(
    "Bug-A04: a clock that tells nonsense keeps no cookie from its store",
    arguments: [
      Uptime(boot: "", seconds: 1), Uptime(boot: "x\n", seconds: 1), Uptime(boot: "x", seconds: .nan),
      Uptime(boot: "x", seconds: .infinity), Uptime(boot: String(repeating: "x", count: 65), seconds: 1),
    ])
  func nonsense(uptime: Uptime) throws {
    let request = try cookieRequest("https://example.org/")
    var jar = CookieJar()
    jar.store("sid=1; Max-Age=60", from: request, at: Moment(wall: cookieEpoch, uptime: uptime))
    #expect(try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar)) == jar)
    #expect(jar.header(for: request, now: cookieEpoch) == "sid=1")
  }
}
