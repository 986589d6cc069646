import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 3: only a definite word from the server ends a session")
struct TerminalAnswersTests {
  /// Everything that can come back instead of an answer about the session.
  static let passing: [(name: String, fault: Fault)] = [
    ("connection refused", .refuseConnection),
    ("connection lost before the server acted", .dropBeforeServerActs),
    ("response lost after the server acted", .dropAfterServerActed),
    ("not HTTP", .garbage),
    ("noise instead of JSON", .garble(seed: 7)),
    ("a reset after the head", .reset),
    ("a gigabyte announced", .announce(bytes: 1 << 30)),
    ("an endless body", .endless),
    ("429", .status(.tooManyRequests)),
    ("500", .status(.internalServerError)),
    ("502", .status(.badGateway)),
    ("503", .status(.serviceUnavailable)),
    ("404", .status(.notFound)),
    ("204", .status(.noContent)),
    ("a captive portal's redirect", .redirect(to: "http://portal.example/login")),
    ("a captive portal's page", .page("<html><body>Welcome to the hotel</body></html>")),
  ]

  @Test("A renewal that gets no word about the session keeps it", arguments: passing.map(\.name))
  func renewal(name: String) async throws {
    let fault = try #require(Self.passing.first { $0.name == name }?.fault)
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .milliseconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(fault, into: .post("/renew"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    let error = try #require(await failure { try await http.send(ManagerFixture.request()) })
    #expect(error.isTransient, "\(error)")
    #expect(manager.status.cause == nil, "nobody is signed out")
    #expect(fixture.recorder.count(.signedOut) == 0)
    guard case .present = await fixture.store.load(manager.key) else {
      Issue.record("the stored session is gone")
      return
    }
  }

  @Test("After a passing failure the next request renews and goes through")
  func recovers() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(.refuseConnection, into: .post("/renew"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    _ = await failure { try await http.send(ManagerFixture.request()) }
    #expect(manager.status.error?.code == .cannotConnect)
    fixture.clock.advance(by: .seconds(2))
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    #expect(manager.status.isSignedIn)
  }

  @Test("An application's own error answers say nothing about the session", arguments: [400, 403, 404, 409, 500, 503])
  func application(code: Int) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.transport.inject(.status(.init(code: code)), into: .get("/things"))
    let response = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    #expect(response.status.code == code)
    #expect(manager.status.isSignedIn)
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  @Test("The server's word that the session is over ends it, here and in the store, with a cause")
  func definite() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.dropSessions()
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .interactionRequired)
    #expect(manager.status.cause == .rejectedByServer)
    #expect(try await !fixture.store.holdsSession(for: manager.key))
    #expect(fixture.recorder.events.last?.kind == .signedOut)
  }

  @Test("LOST-1: a refusal that follows a lost answer of the same renewal tells of it", arguments: [true, false])
  func lostAnswer(isLost: Bool) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    if isLost {
      // The server has given a new renewal token, and takes the old one, which is shown again, for stolen.
      fixture.transport.inject(.dropAfterServerActed, into: .post("/renew"), at: .nth(1))
    } else {
      fixture.server.dropSessions()
    }
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .interactionRequired)
    #expect(manager.status.cause == .rejectedByServer)
    let details = fixture.recorder.events.filter { $0.kind == .failed || $0.kind == .signedOut }.map { $0.detail ?? "" }
    #expect(!details.isEmpty)
    #expect(details.allSatisfy { $0.contains("was lost before") == isLost }, "\(details)")
  }

  @Test("LOST-1: so does a refusal of the same renewal in later work, when the first gave up")
  func lostAnswerOfEarlierWork() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(.dropAfterServerActed, into: .post("/renew"), at: .nth(1))
    let http = AuthenticatedTransport(manager)
    let lost = await failure { try await http.send(ManagerFixture.request()) }
    #expect(lost?.isTransient == true)
    fixture.clock.advance(by: .seconds(2))
    let refused = await failure { try await http.send(ManagerFixture.request()) }
    #expect(refused?.code == .interactionRequired)
    #expect(manager.status.cause == .rejectedByServer)
    let detail = fixture.recorder.events.last { $0.kind == .signedOut }?.detail ?? ""
    #expect(detail.contains("was lost before"), "\(detail)")
  }

  @Test("A refused password given up front is shown once, then forgotten")
  func upFront() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(.password(username: "ann", password: "wrong")))
    let http = AuthenticatedTransport(manager)
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .invalidCredentials)
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .interactionRequired)
    #expect(fixture.server.counts.refusedSignIns == 1)
  }
}
