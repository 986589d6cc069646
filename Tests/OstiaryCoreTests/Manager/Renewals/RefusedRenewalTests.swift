import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A server that refuses renewals and does not say why ends no session. Each process would try for ever, and its user never know.
@Suite("Renewals that the server goes on refusing without a reason", .timeLimit(.minutes(20)))
struct RefusedRenewalTests {
  /// Refuses renewals in words that say nothing while it is told to.
  private struct Unclear: Authenticator {
    let inner = ScriptedAuthenticator()
    let isRefusing = Locked(true)
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await inner.signIn(with: credential, in: context)
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      guard isRefusing.withLock({ $0 }) else { return try await inner.renew(session, in: context) }
      throw OstiaryError(.unclearRefusal, "The server answered 400.")
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

  private let fixture = ManagerFixture(lifetime: .seconds(600))
  private let authenticator = Unclear()

  /// A program that has just begun.
  private func process(_ credentials: CredentialSource = .manual) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    let manager = SessionManager(
      authenticator: authenticator, transport: fixture.transport, credentials: credentials, store: fixture.store,
      configuration: configuration, clock: fixture.clock)
    manager.onEvent { [recorder = fixture.recorder] in recorder.record($0) }
    return manager
  }

  private func signedIn() async throws {
    try await process().signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
  }

  private func error(_ manager: SessionManager) async -> OstiaryError? { await failure { try await manager.session() } }

  @Test(
    "LOST-5: after three refusals in a minute and more the user must sign in again, in every process, and the session is kept"
  )
  func acrossProcesses() async throws {
    try await signedIn()
    for _ in 0..<2 {
      let error = await error(process())
      #expect(error?.code == .unclearRefusal && error?.isTransient == true)
      fixture.clock.advance(by: .seconds(40))
    }
    for number in 3...4 {
      let manager = process()
      let error = try #require(await error(manager))
      #expect(error.code == .interactionRequired && error.disposition == .terminal)
      #expect((error.underlying as? OstiaryError)?.code == .unclearRefusal)
      #expect(error.message.contains("It has done so \(number) times since"), "\(error.message)")
      #expect(error.message.contains("is kept") && error.advice.contains("Sign in again"), "\(error)")
      let event = try #require(manager.history.last)
      #expect(event.kind == .failed && event.cause == .renewalRefused)
      #expect(event.detail?.contains("\(number) times") == true)
      #expect(manager.current != nil, "the session is kept")
    }
    #expect(try await fixture.store.holdsSession(for: process().key))
    #expect(fixture.recorder.count(.signedOut) == 0)
  }

  @Test("LOST-5: many at once are no reason to ask the user")
  func atOnce() async throws {
    try await signedIn()
    for _ in 0..<20 {
      #expect(await error(process())?.code == .unclearRefusal)
      fixture.clock.advance(by: .seconds(1))
    }
  }

  @Test("LOST-5: a renewal that succeeds begins anew")
  func recovers() async throws {
    try await signedIn()
    for _ in 0..<2 {
      _ = await error(process())
      fixture.clock.advance(by: .seconds(100))
    }
    authenticator.isRefusing.withLock { $0 = false }
    #expect(await error(process()) == nil)
    authenticator.isRefusing.withLock { $0 = true }
    fixture.clock.advance(by: .seconds(700))
    #expect(await error(process())?.code == .unclearRefusal)
  }

  @Test("LOST-5: a sign-in takes the place of the session when it is there, and not before", arguments: [1, 3])
  func signIn(refusals: Int) async throws {
    try await signedIn()
    for _ in 1..<refusals {
      _ = await error(process())
      fixture.clock.advance(by: .seconds(60))
    }
    let manager = process()
    #expect(await error(manager) != nil)
    let old = try #require(manager.current?.version.lineage)
    let wrong = Credential.password(username: "ann", password: "wrong")
    #expect(await failure { try await manager.signIn(with: wrong) }?.code == .invalidCredentials)
    #expect(manager.current?.version.lineage == old, "a sign-in that fails loses nothing")
    let new = try await manager.signIn(with: ManagerFixture.ann)
    #expect(new.version.lineage != old)
    #expect(try await process().session() == new)
    #expect(fixture.recorder.count(.signedOut) == 0)
  }

  @Test("LOST-5: a program that asks its user does so at once where processes before it were refused")
  func asks() async throws {
    try await signedIn()
    for _ in 0..<2 {
      _ = await error(process())
      fixture.clock.advance(by: .seconds(60))
    }
    let asked = Locked(0)
    let manager = process(
      .onRequest { _ in
        asked.withLock { $0 += 1 }
        return ManagerFixture.ann
      })
    #expect(try await manager.session().user.id == "ann")
    #expect(asked.withLock { $0 } == 1)
    #expect(fixture.recorder.count(.signedOut) == 0)
  }
}
