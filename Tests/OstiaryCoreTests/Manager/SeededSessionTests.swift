import Foundation
import HTTPTypes
import Logging
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

@Suite("Signing in with what the server gave elsewhere")
struct SeededSessionTests {
  /// Tells whose a token is in a second step, which may fail.
  private struct Identifying: Authenticator {
    let inner = ScriptedAuthenticator()
    var failures = Locked<[OstiaryError]>([])
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await inner.signIn(with: credential, in: context)
    }
    func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
      if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      return try await inner.signIn(with: .proof(grant.proof), in: context)
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      try await inner.verify(session, in: context)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      try await inner.end(session, in: context)
    }
    func attachment(for session: Session) -> ProofAttachment { inner.attachment(for: session) }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      inner.judge(response, to: request)
    }
  }

  /// What the server gives, as another part of the program got it.
  private func grant(_ fixture: ManagerFixture, _ credential: Credential = ManagerFixture.ann) async throws
    -> SessionGrant
  {
    try await ScriptedAuthenticator().signIn(
      with: credential, in: AuthenticationContext(transport: fixture.transport, clock: fixture.clock))
  }

  private func unidentified(_ fixture: ManagerFixture) async throws -> SessionGrant {
    var grant = try await grant(fixture)
    grant.needsIdentification = true
    grant.user = .init(id: "unknown")
    return grant
  }

  private func manager(_ fixture: ManagerFixture, failures: [OstiaryError]) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    let manager = SessionManager(
      authenticator: Identifying(failures: Locked(failures)), transport: fixture.transport, store: fixture.store,
      configuration: configuration, clock: fixture.clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    manager.onEvent { [recorder = fixture.recorder] in recorder.record($0) }
    return manager
  }

  @Test("A grant becomes the session without a request, and the event says that the app asked for it")
  func seeded() async throws {
    let fixture = ManagerFixture()
    let grant = try await grant(fixture)
    let sent = fixture.transport.count
    let manager = fixture.manager()
    let session = try await manager.signIn(with: grant)
    #expect(session.user.id == "ann")
    #expect(session.proof == grant.proof)
    #expect(manager.current == session)
    #expect(fixture.transport.count == sent)
    #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
    #expect(fixture.recorder.events.map(\.cause) == [.requestedByApp])
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
  }

  @Test("The grant is in the store before a caller or an event sees the session")
  func savedFirst() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let grant = try await grant(fixture)
    let manager = fixture.manager()
    let gate = Gate()
    store.inject(.hold(gate), into: .save)
    let signIn = Task { try await manager.signIn(with: grant) }
    try await gate.waitForArrivals(1)
    #expect(manager.current == nil)
    #expect(fixture.recorder.events.isEmpty)
    gate.open()
    let session = try await signIn.value
    #expect(await fixture.manager().restore().isSignedIn)
    #expect(manager.current == session)
  }

  @Test("Where there is a session already, known or stored, the grant is refused and remains the caller's")
  func alreadySignedIn() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let grant = try await grant(fixture, ManagerFixture.ben)
    for other in [manager, fixture.manager()] {
      #expect(await failure { try await other.signIn(with: grant) }?.code == .alreadySignedIn)
      #expect(other.current?.user.id == "ann")
    }
    #expect(fixture.server.counts.signOuts == 0)
    await manager.signOut()
    #expect(try await manager.signIn(with: grant).user.id == "ben")
  }

  @Test("A grant whose user is not known is identified first")
  func identified() async throws {
    let fixture = ManagerFixture()
    let manager = manager(fixture, failures: [])
    #expect(try await manager.signIn(with: unidentified(fixture)).user.id == "ann")
    #expect(fixture.recorder.events.map(\.user) == ["ann"])
  }

  @Test("A look-up that fails for a while costs nothing: the same grant is signed in with again, and never ended")
  func identifiedLater() async throws {
    let fixture = ManagerFixture()
    let manager = manager(fixture, failures: [OstiaryError(.serverUnavailable, "503")])
    let grant = try await unidentified(fixture)
    #expect(await failure { try await manager.signIn(with: grant) }?.code == .serverUnavailable)
    #expect(try await manager.signIn(with: grant).user.id == "ann")
    #expect(fixture.server.signedInUsers == ["ann"])
    #expect(fixture.server.counts.signOuts == 0)
  }

  @Test("A grant that is handed over twice at once is not ended when the second takes the place of the first")
  func twice() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = manager(fixture, failures: [OstiaryError(.serverUnavailable, "503")])
    let grant = try await unidentified(fixture)
    let gate = Gate()
    store.inject(.hold(gate), into: .load, at: .nth(1))
    let first = Task { await failure { try await manager.signIn(with: grant) }?.code }
    try await gate.waitForArrivals(1)
    let second = Task { await failure { try await manager.signIn(with: grant) }?.code }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(await first.value == .serverUnavailable)
    _ = await second.value
    _ = try? await manager.signIn(with: grant)
    #expect(manager.current?.user.id == "ann")
    #expect(!fixture.recorder.kinds.contains(.discarded))
    #expect(fixture.server.counts.signOuts == 0)
  }

  @Test("A store that can't be written keeps no grant out: it is the session, and is written later")
  func unsaved() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let grant = try await grant(fixture)
    let manager = fixture.manager()
    store.inject(.unavailable, into: .save, at: .nth(1))
    #expect(try await manager.signIn(with: grant).user.id == "ann")
    try await manager.flush()
    #expect(await fixture.manager().restore().isSignedIn)
  }

  @Test("A sign-out meanwhile ends the grant at the server")
  func signedOutMeanwhile() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let grant = try await grant(fixture)
    let manager = fixture.manager()
    let gate = Gate()
    store.inject(.hold(gate), into: .save, at: .nth(1))
    let signIn = Task { await failure { try await manager.signIn(with: grant) }?.code }
    try await gate.waitForArrivals(1)
    let signOut = Task { await manager.signOut() }
    #expect(await signIn.value == .signedOut)
    gate.open()
    _ = await signOut.value
    try await manager.flush()
    #expect(fixture.server.signedInUsers.isEmpty)
    #expect(await fixture.manager().restore().isSignedIn == false)
  }
}
