import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Redirect follower")
struct RedirectFollowerTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private static func answer(_ status: Int, _ fields: [(HTTPField.Name, String)] = [], _ body: String = "")
    -> TransportResponse
  {
    TransportResponse(
      HTTPResponse(
        status: .init(code: status), headerFields: HTTPFields(fields.map { HTTPField(name: $0.0, value: $0.1) })),
      body: Data(body.utf8))
  }

  @Test("Cookies of every hop are kept, and go only where they belong")
  func cookies() async throws {
    let transport = ScriptedTransport(handler: { request in
      switch request.head.path {
      case "/login":
        Self.answer(302, [(.setCookie, "s=1; Path=/app"), (.setCookie, "r=1; Path=/"), (.location, "/app/!h1/")])
      case "/app/!h1/": Self.answer(303, [(.setCookie, "t=2; Secure"), (.location, "https://other.example/x")])
      case "/x": Self.answer(302, [(.setCookie, "o=3"), (.location, "https://app.example/app/end")])
      default: Self.answer(200, [(.setCookie, "r=; Max-Age=0; Path=/")], "done")
      }
    })
    var jar = CookieJar()
    var request = try TransportRequest.get(#require(URL(string: "https://app.example/login")))
    request.head.headerFields[.cookie] = "own=0"
    let (response, redirects) = try await RedirectFollower(transport: transport).send(request, jar: &jar) { [now] in now
    }
    #expect(response.text == "done")
    #expect(response.url?.absoluteString == "https://app.example/app/end")
    #expect(redirects.compactMap { $0.url?.path() } == ["/login", "/app/!h1/", "/x"])
    #expect(transport.requests.map { $0.head.headerFields[.cookie] } == ["own=0", "own=0; s=1; r=1", nil, "s=1; r=1"])
    #expect(Set(jar.cookies.map(\.name)) == ["s", "t", "o"])
  }

  @Test("An error on the way leaves the cookies that were set before it")
  func failure() async throws {
    let transport = ScriptedTransport(handler: { _ in Self.answer(302, [(.setCookie, "a=1"), (.location, "/again")]) })
    var jar = CookieJar()
    let request = try TransportRequest.get(#require(URL(string: "https://app.example/")))
    await #expect(throws: OstiaryError(.tooManyRedirects, "")) {
      try await RedirectFollower(transport: transport).send(request, jar: &jar) { [now] in now }
    }
    #expect(transport.count == 11)
    #expect(jar.count == 1)
  }

  @Test("A context follows with its own transport and clock")
  func context() async throws {
    let clock = ManualClock(now: now)
    let transport = ScriptedTransport(handler: { request in
      request.head.path == "/"
        ? Self.answer(302, [(.setCookie, "a=1; Max-Age=10"), (.location, "/b")]) : Self.answer(200)
    })
    let context = AuthenticationContext(transport: transport, clock: clock)
    var jar = CookieJar()
    let request = try TransportRequest.get(#require(URL(string: "https://app.example/")))
    let response = try await context.exchange(request, jar: &jar)
    #expect(response.status == .ok)
    #expect(transport.requests.last?.head.headerFields[.cookie] == "a=1")
    #expect(jar.header(for: request.head, now: now.addingTimeInterval(9)) == "a=1")
    #expect(jar.header(for: request.head, now: now.addingTimeInterval(11)) == nil)
    let kept = try await context.exchange(request, jar: &jar, redirects: .none)
    #expect(kept.status == .found)
  }
}
