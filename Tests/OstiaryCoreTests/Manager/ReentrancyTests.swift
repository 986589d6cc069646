import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import Testing

/// An authenticator of an app's that looks at the session manager whenever it is asked something.
private struct CuriousClient: Authenticator {
  let client = CookieWorld.Client()
  let manager = Locked<SessionManager?>(nil)
  let looks = Locked(0)

  var kind: AuthenticatorKind { client.kind }
  var server: URL { client.server }

  /// On another thread, so that a lock that is held would be waited for and seen, rather than entered twice.
  private func look() {
    guard let manager = manager.withLock({ $0 }) else { return }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = manager.status
      done.signal()
    }
    guard done.wait(timeout: .now() + 60) == .success else { return }
    looks.withLock { $0 += 1 }
  }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    try await client.signIn(with: credential, in: context)
  }
  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    try await client.renew(session, in: context)
  }
  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    .valid(attributes: ["seen": .bool(true)])
  }
  func end(_ session: Session, in context: AuthenticationContext) async throws {}
  func attachment(for session: Session) -> ProofAttachment {
    look()
    return client.attachment(for: session)
  }
  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    look()
    return client.judge(response, to: request)
  }
  func isProof(cookieNamed name: String) -> Bool {
    look()
    return client.isProof(cookieNamed: name)
  }
}

@Suite("Invariant 8: no lock is held while the app's code runs", .timeLimit(.minutes(20)))
struct ReentrancyTests {
  @Test("The app's authenticator may look at the session manager from whatever it is asked")
  func authenticator() async throws {
    let world = CookieWorld()
    let client = CuriousClient()
    let manager = SessionManager(
      authenticator: client, transport: world.transport, store: world.store, clock: world.clock)
    client.manager.withLock { $0 = manager }
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(client.looks.withLock { $0 } >= 1, "shown after sign-in")
    world.answer(.get, "/things", with: "sid=two; Path=/; Secure; Domain=scripted.example", "perf=1; Path=/")
    let before = client.looks.withLock { $0 }
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    #expect(client.looks.withLock { $0 } >= before + 3, "judged, compared, shown")
    #expect(CookieWorld.cookie("sid", of: manager.current) == "two")
    _ = await manager.verify()
    #expect(manager.current?.attributes["seen"] == .bool(true))
    let asked = client.looks.withLock { $0 }
    let next = SessionManager(
      authenticator: client, transport: world.transport, store: world.store, clock: world.clock)
    client.manager.withLock { $0 = next }
    try await manager.flush()
    _ = await next.restore()
    #expect(next.status.isSignedIn)
    #expect(client.looks.withLock { $0 } > asked, "shown after restoring")
    client.manager.withLock { $0 = nil }
  }

  @Test("The app's log handler may look at the session manager, too")
  func logHandler() async throws {
    let world = CookieWorld()
    let known = Locked<SessionManager?>(nil)
    let seen = Locked<[Bool]>([])
    let manager = SessionManager(
      authenticator: world.client, transport: world.transport, store: world.store, clock: world.clock,
      logger: Logger(label: "test") { _ in
        CuriousLogHandler { if let manager = known.withLock({ $0 }) { seen.withLock { $0.append(manager.isBusy) } } }
      })
    known.withLock { $0 = manager }
    try await manager.signIn(with: ManagerFixture.ann)
    await manager.signOut()
    #expect(seen.withLock { $0 } == [false, false])
    known.withLock { $0 = nil }
  }
}

extension SessionManager {
  /// Whether its lock is held: looked at from another thread, which would wait for it.
  fileprivate var isBusy: Bool {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = self.status
      done.signal()
    }
    return done.wait(timeout: .now() + 60) != .success
  }
}

private struct CuriousLogHandler: LogHandler {
  let look: @Sendable () -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { look() }
}
