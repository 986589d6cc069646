import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import Testing

/// A server in memory, a way to it, and managers that share a store: what most tests of the session manager need.
struct ManagerFixture: Sendable {
  let clock: ManualClock
  let server: ScriptedServer
  let transport: ScriptedTransport
  let store: any SessionStore
  let recorder = EventRecorder()

  init(
    lifetime: Duration? = nil, renews: Bool = true, store: any SessionStore = EphemeralStore(),
    clockOffset: TimeInterval = 0, checkpoint: Checkpoint? = nil
  ) {
    let clock = ManualClock()
    self.clock = clock
    server = ScriptedServer(clock: clock, lifetime: lifetime, renews: renews, clockOffset: clockOffset)
    transport = server.transport(checkpoint: checkpoint)
    self.store = store
  }

  static let ann = Credential.password(username: "ann", password: "apple")
  static let ben = Credential.password(username: "ben", password: "banana")

  /// A manager on the fixture's store; what happens to it is recorded.
  func manager(
    _ credentials: CredentialSource = .manual, transport: (any Transport)? = nil, clock: (any SessionClock)? = nil,
    configure: (inout SessionConfiguration) -> Void = { _ in }
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    // Nothing in these tests waits: a retry follows at once unless the test says otherwise.
    configuration.retry = RetryPolicy(attempts: 2, base: .zero)
    configuration.storePatience = .zero
    configure(&configuration)
    let manager = SessionManager(
      authenticator: ScriptedAuthenticator(), transport: transport ?? self.transport, credentials: credentials,
      store: store, configuration: configuration, clock: clock ?? self.clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [recorder] in recorder.record($0) }
    return manager
  }

  /// A request that needs a session.
  static func request(_ path: String = "/things", method: HTTPRequest.Method = .get) -> TransportRequest {
    TransportRequest(
      HTTPRequest(method: method, scheme: "https", authority: "scripted.example", path: path))
  }
}

extension SessionStatus {
  var cause: Cause? { if case .signedOut(let cause) = self { cause } else { nil } }
  var error: OstiaryError? { if case .unknown(let error) = self { error } else { nil } }
}
