import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryDialect

@Suite("What a recorder says of a dialect's calls", .timeLimit(.minutes(5)))
struct DialectRecorderTests {
  private func dialect() throws -> Dialect {
    try Dialect(
      json: Data(
        #"""
        {"dialect": 1, "name": "draft", "proof": {"headers": {"Authorization": "Bearer {token}"}},
         "signIn": [{"method": "POST", "path": "/in/{username}", "headers": {"X-A": "b"},
           "body": {"json": {"user": "{username}", "password": "{password}"}},
           "reads": {"token": ["/nothing", "/token"], "renewalToken": "/refresh", "userID": "/user/id", "expiry": {"in": "/ttl"}}}],
         "who": {"method": "GET", "path": "/me", "reads": {"userID": "/id"}},
         "meanings": [{"when": {"pointer": "/code", "is": "wrong"}, "means": "wrongPassword"}]}
        """#.utf8))
  }

  private func manager(
    _ recorder: DialectRecorder, _ dialect: Dialect, _ server: LoopbackServer, _ transport: any Transport
  ) throws -> SessionManager {
    SessionManager(
      authenticator: try DialectAuthenticator(dialect: dialect, server: server.url(), replacing: recorder.replacements),
      transport: recorder.transport(over: transport))
  }

  @Test("DIALECT-N20: each read is told with the place where it was, or the places that were looked at; never a value")
  func reads() async throws {
    let server = try LoopbackServer { request in
      request.path == "/me"
        ? [.response(200, [("Content-Type", "application/json")], body: #"{"id":"planted-7"}"#)]
        : [
          .response(
            200, [("Content-Type", "application/json"), ("Set-Cookie", "sid=planted-cookie")],
            body: #"{"token":"planted-token","user":{"id":"planted-7"},"planted-name-0123456789":{"a":1}}"#)
        ]
    }
    defer { server.stop() }
    let dialect = try dialect()
    let recorder = DialectRecorder(dialect)
    let manager = try manager(recorder, dialect, server, PlatformTransport())
    _ = try await manager.signIn(with: .password(username: "planted-ann", password: "planted-pw"))
    _ = await manager.verify()
    let calls = recorder.calls
    #expect(calls.map(\.step).first == .signIn && calls.contains { $0.step == .who })
    let first = try #require(calls.first)
    #expect(first.place == "/signIn/0" && first.path == "/in/{username}" && first.status == 200)
    #expect(first.sent.contains { $0.name == "/password" && $0.template == "{password}" })
    let token = try #require(first.reads.first { $0.name == "token" })
    #expect(token.found == "“/token” of the JSON" && token.places.count == 2)
    #expect(first.reads.first { $0.name == "renewalToken" }?.found == nil)
    #expect(first.reads.first { $0.name == "expiry" }?.places == ["“/ttl” of the JSON"])
    #expect(first.offered.contains("/user/id") && first.offered.contains("cookie sid"))
    #expect(!"\(calls) \(recorder)".contains("planted"), "\(calls)")
  }

  @Test("DIALECT-N21: a refusal is told with its meaning, and a failure with its reason")
  func refusals() async throws {
    let server = try LoopbackServer(answering: [.response(401, body: #"{"code":"wrong","planted":"x"}"#)])
    let dialect = try dialect()
    let recorder = DialectRecorder(dialect)
    let manager = try manager(recorder, dialect, server, PlatformTransport())
    await #expect(throws: OstiaryError.self) {
      try await manager.signIn(with: .password(username: "ann", password: "pw"))
    }
    #expect(recorder.calls.first?.status == 401 && recorder.calls.first?.meaning == "wrongPassword")
    server.stop()
    await #expect(throws: OstiaryError.self) {
      try await manager.signIn(with: .password(username: "ann", password: "pw"))
    }
    #expect(recorder.calls.last?.status == nil && recorder.calls.last?.problem?.isEmpty == false)
  }

  @Test("DIALECT-N22: a path is recognised as what its template was filled to, below any other path")
  func paths() {
    let template = DialectTemplate("/v1/users/{id}/token")
    #expect(template.fits("/v1/users/a%2Fb/token") && template.fits("/app/v1/users/7/token"))
    #expect(!template.fits("/v1/users/7") && !template.fits("/v1/users/7/tokens") && !template.fits("/"))
  }

  @Test(
    "DIALECT-N26: a password that is the token is told as one, and of a redirect that is followed the last answer is the call's"
  )
  func passwordsAndRedirects() async throws {
    let dialect = try Dialect(
      json: Data(
        #"""
        {"dialect": 1, "name": "draft", "proof": {"basic": {"username": "{username}", "password": "{token}"}},
         "signIn": [{"method": "POST", "path": "/in", "redirects": "follow",
           "body": {"json": {"user": "{username}", "password": "{password}"}},
           "reads": {"token": {"applicationPassword": true}, "userID": "/id"}}],
         "renewal": {"by": "none"}}
        """#.utf8))
    let server = ScriptedTransport()
    server.on(.post, "/in") { _ in .status(.seeOther, headerFields: [.location: "/done"]) }
    server.on(.get, "/done") { _ in .json(["id": "7"]) }
    let recorder = DialectRecorder(dialect)
    let manager = SessionManager(
      authenticator: try DialectAuthenticator(
        dialect: dialect, server: try #require(URL(string: "https://a.example")), replacing: recorder.replacements),
      transport: recorder.transport(over: server))
    try await manager.signIn(with: .password(username: "ann", password: "planted-pw"))
    #expect(recorder.calls.map(\.place) == ["/signIn/0", "/signIn/0"])
    #expect(recorder.calls.map(\.status) == [303, 200])
    let token = try #require(recorder.calls.last?.reads.first { $0.name == "token" })
    #expect(token.found == "the password that was given" && token.form == nil)
    #expect(recorder.calls.last?.reads.first { $0.name == "userID" }?.found == "“/id” of the JSON")
    #expect(!"\(recorder.calls)".contains("planted"))
  }
}
