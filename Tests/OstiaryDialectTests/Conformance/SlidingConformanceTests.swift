import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

/// A server over real HTTP whose sessions are cookies with another value after each answer. It takes every value that it has given.
@Suite("Sessions that slide, over real HTTP", .timeLimit(.minutes(20)))
struct SlidingConformanceTests {
  private struct State: Sendable {
    var number = 0
    var logins = 0
    var checks = 0
  }

  private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
    let cookie = request.fields[.cookie] ?? ""
    return state.withLock { state in
      if request.path == "/login" { state.logins += 1 }
      if request.path == "/me" { state.checks += 1 }
      guard request.path == "/login" || cookie.contains("sid=planted-sid-") else { return .response(401, body: "{}") }
      state.number += 1
      return .response(
        200,
        [
          ("Content-Type", "application/json"),
          ("Set-Cookie", "sid=planted-sid-\(state.number); Path=/; HttpOnly; Max-Age=1800"),
        ], body: #"{"id":"7"}"#)
    }
  }

  @Test("DIA-C19: 50 tasks at once each get another cookie; one sign-in is enough, also for the next program")
  func manyAtOnce() async throws {
    let state = Locked(State())
    let server = try LoopbackServer { request in [Self.answer(request, state)] }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    func manager(_ credentials: CredentialSource) throws -> SessionManager {
      SessionManager(
        authenticator: try DialectAuthenticator(dialect: SlidingAPI.dialect(), server: server.url()),
        transport: SocketTransport(connections: 8), credentials: credentials, store: FileStore(folder: folder.store))
    }
    let first = try manager(.upFront(.password(username: "ann", password: "planted-password")))
    let things = try TransportRequest.get(server.url("/things"))
    let http = AuthenticatedTransport(first)
    let good = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { try await http.send(things).status == .ok } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(good == 50)
    #expect(first.current?.expiresAt != nil)
    try await first.flush()
    let second = try manager(.manual)
    #expect(try await AuthenticatedTransport(second).send(things).status == .ok)
    #expect(state.withLock { $0.logins } == 1 && state.withLock { $0.checks } == 1)
    #expect(!"\(first.history)".contains("planted"))
  }
}
