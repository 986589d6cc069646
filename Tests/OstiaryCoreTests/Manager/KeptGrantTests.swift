import Foundation
import HTTPTypes
import Logging
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

/// What the server has given and not yet named a user for: a sign-in that waits its turn uses it for the same credential, and
/// for no other.
@Suite("What the server gave, and a sign-in that waits") struct KeptGrantTests {
  /// Tells whose a token is in a second step, which may fail.
  private struct TwoSteps: Authenticator {
    let inner = ScriptedAuthenticator()
    let lookUps: Locked<[OstiaryError?]>
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      var grant = try await inner.signIn(with: credential, in: context)
      grant.needsIdentification = true
      grant.user = .init(id: "unknown")
      return grant
    }
    func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
      if let error = lookUps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
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

  private let down = OstiaryError(.serverUnavailable, "503")

  private func manager(_ fixture: ManagerFixture, lookUps: [OstiaryError?]) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    return SessionManager(
      authenticator: TwoSteps(lookUps: Locked(lookUps)), transport: fixture.transport, store: fixture.store,
      configuration: configuration, clock: fixture.clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Begins a sign-in and, while its exchange is at the server, another one that waits for it.
  private func signIns(
    _ first: Credential, _ second: Credential, _ manager: SessionManager, _ fixture: ManagerFixture
  ) async throws -> (first: OstiaryError?, second: Session) {
    let gate = Gate()
    fixture.transport.inject(.hold(gate), into: .post("/sign-in"))
    let one = Task { await failure { try await manager.signIn(with: first) } }
    try await gate.waitForArrivals(1)
    fixture.transport.setFaults()
    let two = Task { try await manager.signIn(with: second) }
    try await waitUntil("both sign-ins") { manager.driver.withKept { $0.machine.waiters.count } >= 2 }
    gate.open()
    return (await one.value, try await two.value)
  }

  @Test("A sign-in that waited for one with the same credential goes on with what the server gave for it")
  func sameCredential() async throws {
    let fixture = ManagerFixture()
    let manager = manager(fixture, lookUps: [down])
    let (error, session) = try await signIns(ManagerFixture.ann, ManagerFixture.ann, manager, fixture)
    #expect(error?.code == .serverUnavailable)
    #expect(session.user.id == "ann")
    #expect(fixture.server.counts.signIns == 1, "the credential is shown once")
  }

  @Test("A sign-in that waited for another user's never lands on what the server gave for that one")
  func anotherCredential() async throws {
    let fixture = ManagerFixture()
    let manager = manager(fixture, lookUps: [down, down])
    #expect(await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code == .serverUnavailable)
    let (error, session) = try await signIns(ManagerFixture.ben, ManagerFixture.ann, manager, fixture)
    #expect(error?.code == .serverUnavailable)
    #expect(session.user.id == "ann")
    #expect(fixture.server.counts.signIns == 3)
  }

  @Test("A sign-in whose credential is gone with its caller asks no handler instead")
  func credentialGone() async throws {
    let fixture = ManagerFixture()
    let manager = manager(fixture, lookUps: [])
    let sent = fixture.transport.count
    // No work waits for this ticket; the exchange alone is looked at.
    manager.driver.perform(
      .exchange(Ticket(number: 99), Job(id: 1, need: .signIn(byHandler: false), owner: 99), nil))
    #expect(manager.driver.withKept { $0.question } == nil, "nothing is asked")
    #expect(fixture.transport.count == sent)
  }
}
