import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import TestSupport

/// A server for several processes, on a real socket. A renewal token works once; a process that shows it again ends the
/// session, unless what it was exchanged for has not been used.
final class ProcessServer: Sendable {
  let clock = ShiftedClock()
  let server: ScriptedServer
  let socket: LoopbackServer
  private let things: Locked<Int>
  /// Hears of a request that has been carried out and not yet answered: its path, and which process asked.
  let onRequest: Locked<@Sendable (String, Int) -> Void>
  /// Whether the server answers that it can't end sessions now.
  let refusesSignOut: Locked<Bool>
  /// Where answers to renewals wait.
  let answersToRenewals: Gate

  init(forgivesLostAnswers: Bool = true) throws {
    let server = ScriptedServer(clock: clock, lifetime: .seconds(600), forgivesLostAnswers: forgivesLostAnswers)
    let things = Locked(0)
    let onRequest = Locked<@Sendable (String, Int) -> Void>({ _, _ in })
    let refusesSignOut = Locked(false)
    let answersToRenewals = Gate()
    answersToRenewals.open()
    self.server = server
    self.things = things
    self.onRequest = onRequest
    self.refusesSignOut = refusesSignOut
    self.answersToRenewals = answersToRenewals
    socket = try LoopbackServer { request in
      var head = HTTPRequest(
        method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "x", path: request.target)
      head.headerFields = request.fields
      let number = request.fields[Self.process].flatMap { Int($0) } ?? 0
      if request.path == "/sign-out", refusesSignOut.withLock({ $0 }) { return [.response(503)] }
      let answer = server.respond(to: TransportRequest(head, body: request.body))
      if request.path == "/things" { things.withLock { $0 += 1 } }
      onRequest.withLock { $0 }(request.path, number)
      let response = LoopbackServer.Action.response(
        answer.status.code, answer.head.headerFields.map { ($0.name.rawName, $0.value) }, body: answer.text)
      return request.path == "/renew" ? [.wait(answersToRenewals), response] : [response]
    }
  }

  deinit {
    socket.stop()
  }

  private static let process = HTTPField.Name("X-Process") ?? .userAgent

  var url: URL { socket.url("") }

  /// How many requests for things have come, with any answer.
  var requestsForThings: Int { things.withLock { $0 } }

  /// A manager in this process, as a program has one that starts anew.
  func manager(_ store: any SessionStore, key: String, patience: Duration = .seconds(60)) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.patience = patience
    configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(5))
    return SessionManager(
      authenticator: ScriptedAuthenticator(server: url), transport: SocketTransport(connections: 2), store: store,
      key: SessionKey(key), configuration: configuration, clock: clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// A request that needs a session.
  func request() throws -> TransportRequest { try .get(url.appending(path: "things")) }
}
