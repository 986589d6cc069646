import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// Work that does not end, or does not listen to a cancellation, holds up nothing else.
@Suite("Work that is stuck", .timeLimit(.minutes(5)))
struct StuckWorkTests {
  @Test("Bug-A29: a write that hangs delays an answer with a cookie for the patience alone, and no cancelled caller")
  func hungWrite() async throws {
    let world = CookieWorld()
    let manager = world.manager(.upFront(ManagerFixture.ann), storePatience: .seconds(5))
    let http = AuthenticatedTransport(manager)
    _ = try await manager.session()
    let gate = Gate()
    world.store.inject(.hold(gate), into: .save)
    world.answer(.get, "/rotate", with: "sid=two; Path=/; Secure; Domain=scripted.example")
    world.answer(.get, "/again", with: "sid=three; Path=/; Secure; Domain=scripted.example")

    let first = Task { try await http.send(ManagerFixture.request("/rotate")).status }
    try await gate.waitForArrivals(1)
    let second = Task { try await http.send(ManagerFixture.request("/again")).status }
    try await waitUntil("the third cookie") { CookieWorld.cookie("sid", of: manager.current) == "three" }
    second.cancel()
    // A caller that has left waits for no write; what the answer brought is kept.
    _ = try? await second.value
    let answered = Gate()
    let answer = Task {
      let status = try await first.value
      try await answered.pass()
      return status
    }
    try await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(6))
    // The write still hangs.
    defer { gate.open() }
    try await answered.waitForArrivals(1)
    #expect(CookieWorld.cookie("sid", of: manager.current) == "three")
    gate.open()
    answered.open()
    #expect(try await answer.value == .ok)
    world.store.heal()
    try await manager.flush()
    #expect(CookieWorld.cookie("sid", of: await world.stored()) == "three")
  }

  @Test("Bug-A29: an app that ignores a cancellation is not asked a second time while it still asks")
  func questionThatGoesOn() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    let asking = Locked((now: 0, most: 0))
    let manager = fixture.manager(
      .onRequest { _ in
        asking.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        _ = await Task { try await gate.pass() }.result
        asking.withLock { $0.now -= 1 }
        return ManagerFixture.ann
      })
    let http = AuthenticatedTransport(manager)
    let first = Task { try await http.send(ManagerFixture.request()).status }
    try await gate.waitForArrivals(1)
    #expect(manager.cancelSignIn())
    #expect(await failure { try await first.value }?.code == .interactionCancelled)
    let second = Task { try await http.send(ManagerFixture.request()).status }
    // Without the guard the app is asked within these.
    for _ in 0..<2000 { await Task.yield() }
    // The late answer belongs to the sign-in that was cancelled; the next one asks anew.
    gate.open()
    #expect(try await second.value == .ok)
    #expect(asking.withLock { $0.most } == 1)
  }

  @Test("Bug-A29: a question that the app never answers keeps the next one from being asked for the patience alone")
  func questionThatNeverEnds() async throws {
    let fixture = ManagerFixture()
    let (first, never) = (Gate(), Gate())
    let asked = Locked(0)
    let manager = fixture.manager(
      .onRequest { _ in
        let number = asked.withLock {
          $0 += 1; return $0
        }
        if number == 1 {
          _ = try? await first.pass()
          _ = await Task { try await never.pass() }.result
        }
        return ManagerFixture.ann
      }
    ) { $0.patience = .seconds(30) }
    let http = AuthenticatedTransport(manager)
    let cancelled = Task { try await http.send(ManagerFixture.request()).status }
    try await first.waitForArrivals(1)
    #expect(manager.cancelSignIn())
    #expect(await failure { try await cancelled.value }?.code == .interactionCancelled)
    let next = Task { try await http.send(ManagerFixture.request()).status }
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(31))
    #expect(try await next.value == .ok)
    #expect(asked.withLock { $0 } == 2)
    never.open()
  }

  /// Signs in as the cookie's client does, with proof that wants each refused request again.
  private struct NonceClient: Authenticator {
    final class Nonce: RequestProof {
      func attach(to request: inout HTTPRequest, body: Data?) {}
      func review(
        _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
      ) -> ProofReview {
        response.status == .unauthorized && repetitions == 0 ? .again([]) : .undecided
      }
    }
    let client = CookieWorld.Client()
    let nonce = Nonce()
    var kind: AuthenticatorKind { client.kind }
    var server: URL { client.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await client.signIn(with: credential, in: context)
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      try await client.verify(session, in: context)
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {
      try await client.end(session, in: context)
    }
    func attachment(for session: Session) -> ProofAttachment {
      ProofAttachment(
        origins: [Origin(server)].compactMap { $0 }, cookies: session.proof.cookies, perRequest: nonce)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      client.judge(response, to: request)
    }
    func isProof(cookieNamed name: String) -> Bool { client.isProof(cookieNamed: name) }
  }

  @Test("Bug-A29: a cookie of an answer after which a request is sent again for its proof is absorbed")
  func cookieOfARepetition() async throws {
    let world = CookieWorld()
    let manager = SessionManager(
      authenticator: NonceClient(), transport: world.transport, credentials: .upFront(ManagerFixture.ann),
      store: world.store, clock: world.clock)
    world.transport.on(.get, "/things") { request in
      let isNew = request.head.headerFields[.cookie]?.contains("sid=two") == true
      return .status(
        isNew ? .ok : .unauthorized, headerFields: [.setCookie: "sid=two; Path=/; Secure; Domain=scripted.example"])
    }
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    #expect(CookieWorld.cookie("sid", of: manager.current) == "two")
    #expect(CookieWorld.cookie("sid", of: await world.stored()) == "two")
  }
}
