import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Requests that are not the session's")
struct PassingThroughTests {
  @Test(
    "Invariant 11: a request to another origin carries no proof and needs no session",
    arguments: [
      "https://other.example", "http://scripted.example", "https://scripted.example:8443", "https://a.scripted.example",
      "https://example", "https://scripted.example.evil.example",
    ])
  func elsewhere(origin: String) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    fixture.transport.on(.get, "/elsewhere") { _ in .status(.ok) }
    let request = try TransportRequest.get(try #require(URL(string: origin + "/elsewhere")))
    let http = AuthenticatedTransport(manager)
    #expect(try await http.send(request).status == .ok)
    #expect(fixture.server.counts.signIns == 0)
    _ = try await manager.session()
    #expect(try await http.send(request).status == .ok)
    let sent = fixture.transport.requests.filter { $0.head.path == "/elsewhere" }
    #expect(sent.count == 2)
    #expect(sent.allSatisfy { $0.head.headerFields[.authorization] == nil && $0.head.headerFields[.cookie] == nil })
    var head = request.head
    #expect(manager.attach(to: &head) == .notCovered)
  }

  @Test(
    "The same origin in another spelling is the same origin",
    arguments: ["HTTPS://scripted.example", "https://SCRIPTED.example", "https://scripted.example:443"])
  func spelling(origin: String) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let parts = origin.split(separator: "/")
    var head = HTTPRequest(
      method: .get, scheme: String(parts[0].dropLast()), authority: String(parts[1]), path: "/things")
    guard case .attached = manager.attach(to: &head) else {
      Issue.record("not attached")
      return
    }
    #expect(head.headerFields[.authorization] != nil)
  }

  @Test("Attaching without a session says so and changes nothing")
  func noSession() throws {
    let fixture = ManagerFixture()
    var head = ManagerFixture.request().head
    #expect(fixture.manager().attach(to: &head) == .noSession)
    #expect(head.headerFields.isEmpty)
  }

  @Test("A streamed response is judged like a whole one, and arrives whole")
  func streaming() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let response = try await AuthenticatedTransport(manager).stream(ManagerFixture.request())
    #expect(response.head.status == .ok)
    let body = try await response.body.collect(upTo: 1_000)
    #expect(String(decoding: body, as: UTF8.self).contains("ann"))
    #expect(fixture.server.counts.renewals == 1)
  }
}
