import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A server may have begun a session whose answer is on its way when the sign-in is given up. Only that answer names it.
@Suite("Answers to a sign-in that come too late", .timeLimit(.minutes(5)))
struct LateExchangeTests {
  enum Ending: String, CaseIterable, Sendable {
    case signOut, beginSignOut, cancellation

    func perform(_ manager: SessionManager) async {
      switch self {
      case .signOut: #expect(await manager.signOut().isComplete)
      case .beginSignOut: manager.beginSignOut()
      case .cancellation: #expect(manager.cancelSignIn())
      }
    }
  }

  @Test(
    "Bug-F12: a session that the server begins for a sign-in under way is ended there when its answer comes",
    arguments: Ending.allCases, [true, false])
  func answered(_ ending: Ending, isAnswered: Bool) async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(isAnswered ? .holdResponse(gate) : .hold(gate), into: .post("/sign-in"))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let caller = Task { await failure { try await manager.session() } }
    try await gate.waitForArrivals(1)
    #expect(fixture.server.signedInUsers == (isAnswered ? ["ann"] : []))
    await ending.perform(manager)
    #expect(await caller.value != nil)
    gate.open()
    try await manager.flush()
    #expect(fixture.server.counts.signIns == 1)
    #expect(fixture.server.signedInUsers == [])
    #expect(manager.current == nil && fixture.recorder.count(.signedIn) == 0)
    #expect(try await !fixture.store.holdsSession(for: manager.key))
  }

  @Test("Bug-F12: the next user's sign-in does not wait for the answer to the earlier one, and keeps its session")
  func nextUser() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"), at: .nth(1))
    let manager = fixture.manager()
    let ann = Task { await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    #expect(await ann.value == .signedOut)
    let session = try await manager.signIn(with: ManagerFixture.ben)
    gate.open()
    try await manager.flush()
    #expect(fixture.server.signedInUsers == ["ben"])
    #expect(manager.current == session)
  }

  @Test("Bug-F12: a server that never answers holds up no sign-out, and a flush for the patience alone")
  func neverAnswered() async throws {
    let fixture = ManagerFixture()
    let never = Gate()
    fixture.transport.inject(.holdResponse(never), into: .post("/sign-in"))
    let manager = fixture.manager { $0.patience = .seconds(30) }
    let caller = Task { await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code }
    try await never.waitForArrivals(1)
    #expect(await manager.signOut().isComplete)
    #expect(await caller.value == .signedOut)
    let flush = Task { try await manager.flush() }
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(31))
    try await flush.value
    // The request is given up.
    try await waitUntil("the end of the request") { never.waiting == 0 }
  }

  @Test("Proof that the caller handed over is ended with a sign-out, and not with a cancellation")
  func handedOver() async throws {
    for ending in Ending.allCases {
      let fixture = ManagerFixture()
      let context = AuthenticationContext(transport: fixture.transport, clock: fixture.clock)
      let proof = try await ScriptedAuthenticator().signIn(with: ManagerFixture.ann, in: context).proof
      let gate = Gate()
      fixture.transport.inject(.holdResponse(gate), into: .get("/me"), at: .nth(1))
      let manager = fixture.manager()
      let caller = Task { await failure { try await manager.signIn(with: .proof(proof)) } }
      try await gate.waitForArrivals(1)
      await ending.perform(manager)
      #expect(await caller.value != nil)
      gate.open()
      try await manager.flush()
      #expect(fixture.server.signedInUsers == (ending == .cancellation ? ["ann"] : []))
      #expect(manager.current == nil)
    }
  }

  /// Asks a person before the first request.
  private struct AskingClient: Authenticator {
    let question: Gate
    let client = ScriptedAuthenticator()
    var kind: AuthenticatorKind { client.kind }
    var server: URL { client.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      // A page that is closed says nothing more.
      try? await question.pass()
      return try await client.signIn(with: credential, in: context)
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      try await client.verify(session, in: context)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      try await client.end(session, in: context)
    }
    func attachment(for session: Session) -> ProofAttachment { client.attachment(for: session) }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      client.judge(response, to: request)
    }
  }

  @Test("A credential that has not left yet stays here, and a person who is asked is told", arguments: Ending.allCases)
  func notBegun(_ ending: Ending) async throws {
    let fixture = ManagerFixture()
    let question = Gate()
    let sent = Locked(0)
    let transport = ScriptedTransport(clock: fixture.clock) { _ in
      sent.withLock { $0 += 1 }
      return .status(.ok)
    }
    let manager = SessionManager(
      authenticator: AskingClient(question: question), transport: transport, clock: fixture.clock)
    let caller = Task { await failure { try await manager.signIn(with: ManagerFixture.ann) } }
    try await question.waitForArrivals(1)
    await ending.perform(manager)
    #expect(await caller.value != nil)
    try await manager.flush()
    try await waitUntil("the end of the question") { question.waiting == 0 }
    for _ in 0..<100 { await Task.yield() }
    #expect(sent.withLock { $0 } == 0)
  }
}
