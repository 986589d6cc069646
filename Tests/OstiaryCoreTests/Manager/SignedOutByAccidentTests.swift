import Foundation
import HTTPTypes
import Logging
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

/// The ways in which sessions were lost by accident, as far as the session manager decides. Each failed before the session's
/// state was a machine.
@Suite("Signed out by accident", .timeLimit(.minutes(20))) struct SignedOutByAccidentTests {
  // MARK: Layers

  /// A lower layer of a stack that the user has declined to sign in to.
  private struct DecliningLayer: Transport {
    let inner: any Transport
    let isDeclining: Locked<Bool>
    let path: String

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      if isDeclining.withLock({ $0 }), request.head.path == path {
        throw OstiaryError(.interactionCancelled, "The gateway's dialog was declined.", requestMayHaveExecuted: false)
      }
      return try await inner.send(request)
    }
    func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(request) }
  }

  @Test("Bug-A01: a lower layer that was declined ends no session of the layer above")
  func lowerLayer() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let isDeclining = Locked(false)
    let manager = fixture.manager(
      transport: DecliningLayer(inner: fixture.transport, isDeclining: isDeclining, path: "/renew"))
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
    isDeclining.withLock { $0 = true }
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    #expect(manager.status.isSignedIn)
    #expect(fixture.recorder.count(.signedOut) == 0)
    #expect(manager.history.last { $0.kind == .failed }?.cause == .lowerLayer)
    #expect(try await fixture.store.holdsSession(for: manager.key))
    isDeclining.withLock { $0 = false }
    _ = try await manager.session()
    #expect(fixture.server.counts.renewals == 1 && fixture.server.counts.signIns == 1)
  }

  @Test("Bug-A01: a lower layer that was declined does not cost the credential given up front")
  func lowerLayerUpFront() async throws {
    let fixture = ManagerFixture()
    let isDeclining = Locked(true)
    let manager = fixture.manager(
      .upFront(ManagerFixture.ann),
      transport: DecliningLayer(inner: fixture.transport, isDeclining: isDeclining, path: "/sign-in"))
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    isDeclining.withLock { $0 = false }
    #expect(try await manager.session().user.id == "ann")
  }

  // MARK: Cancelling

  @Test("Bug-A03: cancelling does not end a renewal, whose proof is kept")
  func cancelledRenewal() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/renew"))
    let renewal = Task { try await manager.session() }
    try await gate.waitForArrivals(1)
    #expect(!manager.cancelSignIn())
    gate.open()
    let session = try await renewal.value
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
    fixture.clock.advance(by: .seconds(700))
    fixture.transport.setFaults()
    #expect(try await manager.session().version.isLater(than: session.version))
    #expect(fixture.server.counts.reusedRenewalTokens == 0 && fixture.recorder.count(.signedOut) == 0)
  }

  @Test("Bug-A23: cancelled work has a code of its own")
  func cancelledCode() {
    #expect(SessionDriver.wrap(CancellationError()).code == .cancelled)
    #expect(SessionDriver.wrap(CancellationError()).isTransient)
  }

  // MARK: Two steps

  /// A server that tells whose a token is in a second step.
  private struct TwoSteps: Authenticator {
    let inner = ScriptedAuthenticator()
    let lookUps: Locked<[OstiaryError?]>
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }

    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      if case .request(let request) = credential {
        _ = try await context.transport.send(request)
        throw OstiaryError(.unsupportedCredential, "Only to see it sent.")
      }
      let known = credential.isByHandler ? ManagerFixture.ann : credential
      var grant = try await inner.signIn(with: known, in: context)
      grant.needsIdentification = true
      grant.user = .init(id: "unknown")
      return grant
    }
    func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
      if let error = lookUps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
      var grant = grant
      grant.user = .init(id: "ann")
      return grant
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      try await inner.renew(session, in: context)
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

  private func manager(
    _ authenticator: any Authenticator, _ fixture: ManagerFixture, credentials: CredentialSource = .manual,
    attempts: Int = 0
  ) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: attempts, base: .zero)
    configuration.storePatience = .zero
    return SessionManager(
      authenticator: authenticator, transport: fixture.transport, credentials: credentials, store: fixture.store,
      configuration: configuration, clock: fixture.clock,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test("Bug-A05: a look-up that fails costs no token: only the second step is repeated")
  func identified() async throws {
    let fixture = ManagerFixture()
    let down = OstiaryError(.serverUnavailable, "503")
    let manager = manager(TwoSteps(lookUps: Locked([down])), fixture)
    #expect(await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code == .serverUnavailable)
    #expect(fixture.server.counts.signIns == 1)
    #expect(try await manager.signIn(with: ManagerFixture.ann).user.id == "ann")
    #expect(fixture.server.counts.signIns == 1, "the exchange is not repeated")
    #expect(fixture.server.signedInUsers == ["ann"])
  }

  @Test("Bug-A16: a request that must not be sent again is not, as a credential either")
  func requestOnce() async throws {
    let fixture = ManagerFixture()
    let manager = manager(TwoSteps(lookUps: Locked([])), fixture, attempts: 2)
    fixture.transport.inject(.dropAfterServerActed, into: .post("/own"))
    var request = ManagerFixture.request("/own", method: .post)
    request.replay = .never
    _ = await failure { try await manager.signIn(with: .request(request)) }
    #expect(fixture.transport.count(.post, "/own") == 1)
  }

  @Test("Bug-A08: what a person has signed in to is kept though the store is unavailable")
  func keptFromHandler() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = manager(TwoSteps(lookUps: Locked([])), fixture, credentials: .byHandler)
    _ = await manager.restore()
    store.inject(.unavailable, into: .exclusiveAccess)
    store.inject(.unavailable, into: .save)
    #expect(try await manager.session().user.id == "ann")
    #expect(try await manager.session().user.id == "ann")
    #expect(fixture.server.counts.signIns == 1)
    store.heal()
    try await manager.flush()
    #expect(try await store.holdsSession(for: manager.key))
  }

  // MARK: Answers

  @Test("Bug-A12: a renewal whose answer can't be read is not sent again in one go")
  func unreadable() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
    fixture.transport.inject(.page("<html>busy</html>"), into: .post("/renew"))
    _ = await failure { try await manager.session() }
    #expect(fixture.transport.count(.post, "/renew") == 1)
    #expect(manager.status.isSignedIn && fixture.recorder.count(.signedOut) == 0)
  }

  /// Refuses renewals in words that say nothing.
  private struct Unclear: Authenticator {
    let inner = ScriptedAuthenticator()
    var kind: AuthenticatorKind { inner.kind }
    var server: URL { inner.server }
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      try await inner.signIn(with: credential, in: context)
    }
    func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
      throw OstiaryError(.unclearRefusal, "400 without a reason")
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

  @Test("Bug-A13: an unclear refusal is confirmed, then a person is asked, and the session is kept meanwhile")
  func unclear() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let asked = Locked(0)
    let manager = manager(
      Unclear(), fixture,
      credentials: .onRequest { _ in
        asked.withLock { $0 += 1 }
        throw OstiaryError(.interactionCancelled, "Not now.")
      })
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(700))
    #expect(await failure { try await manager.session() }?.code == .unclearRefusal)
    #expect(asked.withLock { $0 } == 0, "not before it is confirmed")
    fixture.clock.advance(by: .seconds(400))
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    #expect(asked.withLock { $0 } == 1)
    #expect(manager.status.isSignedIn)
    #expect(try await fixture.store.holdsSession(for: manager.key))
    #expect(manager.history.allSatisfy { $0.kind != .signedOut })
  }

  // MARK: Signing out and in

  @Test("Bug-A18: a sign-out returns when no write under way can bring the session back")
  func signOutDuringWrite() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.storePatience = .seconds(60) }
    let save = Gate()
    store.inject(.hold(save), into: .save, at: .nth(1))
    let signIn = Task { await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code }
    try await save.waitForArrivals(1)
    let signOut = Task { await manager.signOut() }
    #expect(await signIn.value == .signedOut)
    save.open()
    _ = await signOut.value
    #expect(try await !store.holdsSession(for: manager.key))
    #expect(fixture.server.signedInUsers.isEmpty)
  }

  @Test("Bug-A19: a sign-in looks at the store before it is refused for a session that another process has ended")
  func signInAfterSignOutElsewhere() async throws {
    let fixture = ManagerFixture()
    let here = fixture.manager()
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    await there.signOut()
    #expect(try await here.signIn(with: ManagerFixture.ben).user.id == "ben")
  }

  @Test("Bug-A20: a sign-out in a process that believes itself signed out ends what is stored")
  func signOutOfAnother() async throws {
    let fixture = ManagerFixture()
    let here = fixture.manager()
    _ = await here.restore()
    let there = fixture.manager()
    try await there.signIn(with: ManagerFixture.ann)
    #expect(await here.signOut().isComplete)
    #expect(try await !fixture.store.holdsSession(for: here.key))
    #expect(fixture.server.signedInUsers.isEmpty)
    #expect(await failure { try await there.session() }?.code != nil)
    #expect(there.current == nil)
  }

  @Test("A sign-out that is still owed to a locked store ends no later sign-in")
  func owedSignOut() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    store.lock()
    #expect(await manager.signOut().storeError?.code == .storeUnavailable)
    store.unlock()
    try await manager.signIn(with: ManagerFixture.ben)
    try await manager.flush()
    #expect(manager.current?.user.id == "ben")
    #expect(try await store.holdsSession(for: manager.key))
    #expect(fixture.server.signedInUsers == ["ben"])
  }

  // MARK: Several processes

  /// One process's view of a shared store: only its own writes can fail.
  private struct OwnView: SessionStore {
    let shared: EphemeralStore
    let failsSaves: Locked<Int>
    func load(_ key: SessionKey) async -> StoreReading { await shared.load(key) }
    func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      let fails = failsSaves.withLock { left in
        left -= 1
        return left < 0
      }
      if fails { throw OstiaryError(.storeUnavailable, "The disk is full.") }
      try await shared.save(data, for: key, replacing: expected)
    }
    func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      try await shared.remove(key, ifHolding: expected)
    }
    func accounts() async throws -> [SessionKey] { try await shared.accounts() }
    var exclusiveAccessCanBeLost: Bool { false }
    func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result { try await shared.withExclusiveAccess(to: key, patience: patience, body) }
  }

  @Test("Bug-A31: exclusive access is kept until a renewed proof is stored")
  func held() async throws {
    let shared = EphemeralStore()
    let fixture = ManagerFixture(lifetime: .seconds(600), store: shared)
    // The sign-in, and the write that shows that the store can be written.
    let left = Locked(2)
    let faulty = ManagerFixture(lifetime: .seconds(600), store: OwnView(shared: shared, failsSaves: left))
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    configuration.storePatience = .zero
    configuration.patience = .zero
    func manager(_ store: any SessionStore) -> SessionManager {
      SessionManager(
        authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: store,
        configuration: configuration, clock: fixture.clock,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    let here = manager(faulty.store)
    let there = manager(shared)
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    fixture.clock.advance(by: .seconds(700))
    let renewed = try await here.session()
    #expect(here.history.contains { $0.kind == .writeDelayed })
    let code = await failure { try await there.session() }?.code
    #expect(code == .storeUnavailable, "the other waits, and shows nothing")
    #expect(fixture.server.counts.renewals == 1 && fixture.server.counts.reusedRenewalTokens == 0)
    left.withLock { $0 = 100 }
    try await here.flush()
    #expect(try await there.session().version == renewed.version)
    #expect(fixture.server.counts.renewals == 1)
  }

  /// A server whose session is the cookie `sid`, with no other way to renew it.
  private struct CookieClient: Authenticator {
    let kind = AuthenticatorKind("cookie")
    let server = ScriptedAuthenticator.defaultServer
    func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
      let request = try TransportRequest.post(
        server.appending(path: "sign-in"), body: Data(), contentType: "text/plain")
      let response = try await context.transport.send(request)
      var jar = CookieJar()
      jar.storeAll(from: response.head, to: request.head, now: context.clock.now)
      return SessionGrant(user: .init(id: "ann"), proof: Proof(cookies: jar))
    }
    func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
      var head = try HTTPRequest(.get, to: server.appending(path: "check"))
      head.headerFields[.cookie] = session.proof.cookies.header(for: head, now: context.clock.now)
      let response = try await context.transport.send(TransportRequest(head))
      return response.status == .ok ? .valid(attributes: nil) : .invalid(reason: "401")
    }
    func end(_ session: Session, in context: AuthenticationContext) async throws {}
    func attachment(for session: Session) -> ProofAttachment {
      ProofAttachment(origins: [Origin(server)].compactMap { $0 }, cookies: session.proof.cookies)
    }
    func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
      response.status == .unauthorized ? .rejected(reason: "401", mayHaveExecuted: false) : .accepted
    }
    func isProof(cookieNamed name: String) -> Bool { name == "sid" }
  }

  /// The server for it: which values it accepts, and which it gives next.
  private final class CookieServer: Sendable {
    let good = Locked<Set<String>>(["one"])
    let next = Locked<[String]>([])

    func transport(_ clock: ManualClock) -> ScriptedTransport {
      let transport = ScriptedTransport(clock: clock)
      transport.on(.post, "/sign-in") { _ in .status(.ok, headerFields: [.setCookie: "sid=one; Path=/"]) }
      for path in ["/things", "/check"] {
        transport.on(.get, path) { [self] request in
          let cookie = request.head.headerFields[.cookie] ?? ""
          guard good.withLock({ $0.contains(String(cookie.dropFirst(4))) }) else { return .status(.unauthorized) }
          guard let value = next.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .status(.ok) }
          good.withLock { _ = $0.insert(value) }
          return .status(.ok, headerFields: [.setCookie: "sid=\(value); Path=/"])
        }
      }
      return transport
    }
  }

  private func pair(
    _ server: CookieServer, _ store: any SessionStore
  ) async throws -> (here: SessionManager, there: SessionManager, transport: ScriptedTransport) {
    let clock = ManualClock()
    let transport = server.transport(clock)
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    configuration.storePatience = .zero
    func manager() -> SessionManager {
      SessionManager(
        authenticator: CookieClient(), transport: transport, store: store, configuration: configuration, clock: clock,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    let here = manager()
    let there = manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    return (here, there, transport)
  }

  private func get(_ manager: SessionManager) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status
  }

  @Test("Bug-A06: of two cookies that two processes were given at the same time, both are kept")
  func both() async throws {
    let server = CookieServer()
    let (here, there, transport) = try await pair(server, EphemeralStore())
    let late = Gate()
    server.next.withLock { $0 = ["three"] }
    transport.inject(.holdResponse(late), into: .get("/things"), at: .nth(1))
    let request = Task { try await get(there) }
    try await late.waitForArrivals(1)
    server.next.withLock { $0 = ["two"] }
    #expect(try await get(here) == .ok)
    late.open()
    #expect(try await request.value == .ok)
    // The server's grace for all but one ends, whichever it is.
    server.good.withLock { $0 = ["two"] }
    #expect(try await get(there) == .ok)
    #expect(try await get(here) == .ok)
    #expect(here.lastSignOut == nil && there.lastSignOut == nil)
  }

  @Test("Bug-A07: a cookie that a verification brings is kept")
  func verified() async throws {
    let server = CookieServer()
    let (here, _, _) = try await pair(server, EphemeralStore())
    server.next.withLock { $0 = ["two"] }
    #expect(await here.verify().isSignedIn)
    server.good.withLock { $0 = ["two"] }
    #expect(try await get(here) == .ok)
  }

  @Test("Bug-A38: a refusal of an older cookie in another process does not end the session of the newer one")
  func refusedElsewhere() async throws {
    let server = CookieServer()
    let store = FaultyStore()
    let (here, there, _) = try await pair(server, store)
    server.next.withLock { $0 = ["two"] }
    let save = Gate()
    store.inject(.hold(save), into: .save, at: .nth(1))
    let request = Task { try await get(here) }
    try await save.waitForArrivals(1)
    server.good.withLock { $0 = ["two"] }
    _ = await failure { try await get(there) }
    #expect(there.current == nil)
    save.open()
    #expect(try await request.value == .ok)
    #expect(try await get(here) == .ok)
    #expect(here.lastSignOut == nil)
    #expect(try await store.holdsSession(for: here.key), "it is written back")
    #expect(try await get(there) == .ok, "and the other process goes on with it")
  }
}
