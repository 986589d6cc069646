import Foundation
import HTTPTypes
import Logging
import Ostiary
import OstiaryCore
import OstiaryGateway
import OstiaryTesting

/// A manager for a strict server, and what happened to it.
struct SchemeFixture: Sendable {
  let transport: any Transport
  let manager: SessionManager
  let recorder = EventRecorder()
  /// How often a credential was asked for.
  let asked: Locked<Int>
  let server: URL

  init(
    _ server: StrictServer, base: String = "/", password: Secret = "apple", user: String = "ann",
    store: any SessionStore = EphemeralStore(), replays: Int = 1,
    configure: (inout HTTPAuthenticationConfiguration) -> Void = { _ in }
  ) throws {
    var choices = HTTPAuthenticationConfiguration()
    configure(&choices)
    let asked = Locked(0)
    try self.init(
      server.url(base), choices, store: store, replays: replays, asked: asked,
      credentials: .onRequest { _ in
        asked.withLock { $0 += 1 }
        return .password(username: user, password: password)
      })
  }

  init(
    _ url: URL, _ choices: HTTPAuthenticationConfiguration, store: any SessionStore = EphemeralStore(),
    replays: Int = 1, asked: Locked<Int> = Locked(0), credentials: CredentialSource, transport: (any Transport)? = nil
  ) throws {
    self.asked = asked
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 1, base: .zero)
    configuration.maximumReplays = replays
    let transport = transport ?? PlatformTransport()
    self.transport = transport
    server = url
    manager = SessionManager(
      authenticator: try HTTPAuthentication(server: url, configuration: choices), transport: transport,
      credentials: credentials, store: store, configuration: configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [recorder] in recorder.record($0) }
  }

  var app: AuthenticatedTransport { AuthenticatedTransport(manager) }

  func send(
    _ path: String, method: HTTPRequest.Method = .get, body: String? = nil, replay: ReplayPolicy = .ifSafe
  ) async throws -> TransportResponse {
    guard let url = URL(string: path, relativeTo: server)?.absoluteURL else { throw StrictServer.NotStarted() }
    return try await app.send(
      TransportRequest(try HTTPRequest(method, to: url), body: body.map { Data($0.utf8) }, replay: replay))
  }

  var credentialsAsked: Int { asked.withLock { $0 } }
}

/// The error that `work` throws, as ours.
func schemeFailure(_ work: () async throws -> some Sendable) async -> OstiaryError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? OstiaryError
  }
}
