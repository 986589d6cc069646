import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Renewing a session by a dialect")
struct DialectRenewalTests {
  /// A grant, its authenticator and its API.
  func signedIn(
    _ change: (inout Dialect) -> Void = { _ in }
  ) async throws -> (TokenAPI, DialectAuthenticator, Session) {
    let api = TokenAPI()
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      change(&dialect)
    }
    return (
      api, authenticator, try await authenticator.signIn(with: TokenAPI.ann, in: api.context).session(authenticator)
    )
  }

  static func slide(_ dialect: inout Dialect) {
    dialect.renewal = DialectRenewal(by: .token)
    dialect.renew = DialectCall(
      .post, "/slide", reads: DialectReads(token: ["/access"], expiry: [.duration(["/expires_in"])]))
  }

  @Test("DIA-renew: fifty tasks make one call, by a renewal token and by the token itself", arguments: [true, false])
  func once(_ isByToken: Bool) async throws {
    let api = TokenAPI()
    let manager = try api.manager { if isByToken { Self.slide(&$0) } }
    _ = try await manager.session()
    api.clock.advance(by: .seconds(3600))
    let callers = (0..<50).map { _ in Task { try await manager.session().proof.tokens["token"]?.reveal() } }
    for caller in callers { #expect(try await caller.value == "planted-token-2") }
    #expect(api.state.withLock { $0.renewals } == 1)
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("DIA-renew: fifty requests that are refused renew once, and are sent again")
  func refused() async throws {
    let api = TokenAPI()
    let manager = try api.manager()
    _ = try await manager.session()
    api.dropTokens()
    let transport = AuthenticatedTransport(manager)
    let gate = Gate()
    api.transport.inject(.hold(gate), into: .get("/things"), at: .first(50))
    let callers = (0..<50).map { _ in Task { try await transport.send(api.things).status.code } }
    try await gate.waitForWaiting(50)
    gate.open()
    for caller in callers { #expect(try await caller.value == 200) }
    #expect(api.state.withLock { $0.renewals } == 1)
  }

  @Test(
    "A renewal token that rotates is the one that is shown next; one that the answer has not is kept",
    arguments: [true, false])
  func rotation(_ isRotating: Bool) async throws {
    let (api, authenticator, session) = try await signedIn()
    api.state.withLock { $0.isRotating = isRotating }
    if !isRotating { api.state.withLock { $0.hasRefreshTokens = false } }
    guard case .renewed(let grant) = try await authenticator.renew(session, in: api.context) else {
      Issue.record("not renewed")
      return
    }
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-2")
    #expect(grant.proof.tokens["renewalToken"]?.reveal() == (isRotating ? "planted-refresh-2" : "planted-refresh-1"))
    #expect(grant.user.id == "ann")
    #expect(grant.expiresAt == api.clock.now.addingTimeInterval(3600))
  }

  @Test("DIA-none: what can't be renewed needs a credential")
  func needsCredential() async throws {
    for renewal in [DialectRenewal.none, DialectRenewal(by: .credential)] {
      let (api, authenticator, session) = try await signedIn { dialect in
        dialect.renewal = renewal
        dialect.renew = nil
      }
      guard case .needsCredential = try await authenticator.renew(session, in: api.context) else {
        Issue.record("renewed")
        continue
      }
      #expect(api.state.withLock { $0.renewals } == 0)
    }
    // A server that gave no renewal token.
    let api = TokenAPI()
    api.state.withLock { $0.hasRefreshTokens = false }
    let authenticator = try api.authenticator { $0.who = nil }
    let session = try await authenticator.signIn(with: TokenAPI.ann, in: api.context).session(authenticator)
    guard case .needsCredential = try await authenticator.renew(session, in: api.context) else {
      Issue.record("renewed")
      return
    }
  }

  @Test("DIA-credential: a session that a credential renews asks its source again, once for fifty tasks")
  func credential() async throws {
    let api = TokenAPI()
    let asked = Locked(0)
    let source = CredentialSource.onRequest { _ in
      asked.withLock { $0 += 1 }
      return TokenAPI.ann
    }
    let manager = try api.manager(credentials: source) { dialect in
      dialect.renewal = DialectRenewal(by: .credential)
      dialect.renew = nil
    }
    _ = try await manager.session()
    api.dropTokens()
    let transport = AuthenticatedTransport(manager)
    let callers = (0..<50).map { _ in Task { try await transport.send(api.things).status.code } }
    for caller in callers { #expect(try await caller.value == 200) }
    #expect(asked.withLock { $0 } == 2)
    #expect(api.state.withLock { $0.logins } == 2)
  }

  // MARK: Refusals

  @Test("DIA-mark: a refusal with a mark is terminal, and says what may be behind it")
  func marked() async throws {
    let (api, authenticator, session) = try await signedIn { $0.renewal.grace = 10 }
    api.state.withLock { $0.refreshTokens = [] }
    let error = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(error?.code == .renewalRefused)
    #expect(error?.disposition == .terminal)
    #expect(error?.message.contains("lost") == true)
    #expect(error?.message.contains("10 seconds") == true)
    #expect((error?.underlying as? DialectPlace)?.inDocument == "/meanings/0")
  }

  @Test(
    "DIA-mark: a refusal without a mark ends nothing, also where the session is refused, too", arguments: [400, 401])
  func unmarked(_ status: Int) async throws {
    let (api, authenticator, session) = try await signedIn { $0.verify = DialectCall(.get, "/check") }
    api.answer("POST /refresh", apiAnswer("{}", status: .init(code: status)))
    let kept = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(kept?.code == .unexpectedResponse)
    #expect(kept?.isTransient == true)
    api.dropTokens()
    let unclear = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(unclear?.code == .unclearRefusal)
    #expect(unclear?.isTransient == true)
  }

  @Test("A meaning of a status alone ends nothing, either")
  func bareMeaning() async throws {
    let (api, authenticator, session) = try await signedIn { dialect in
      dialect.meanings = [DialectMeaning(when: .status(401), .expired)]
    }
    api.state.withLock { $0.refreshTokens = [] }
    #expect(await failure { try await authenticator.renew(session, in: api.context) }?.code == .unclearRefusal)
  }

  @Test(
    "Invariant 3: no other answer is a word about the session",
    arguments: [
      TransportResponse.status(.tooManyRequests), .status(.serviceUnavailable), .status(.forbidden), .status(.notFound),
      .status(.found), .html("<p>", status: .unauthorized), .html("<p>"),
      apiAnswer(#"{"code":"token_not_valid"}"#, status: .serviceUnavailable),
      apiAnswer(#"{"code":"token_not_valid"}"#, status: .tooManyRequests),
    ])
  func others(_ answer: TransportResponse) async throws {
    let (api, authenticator, session) = try await signedIn { dialect in
      dialect.meanings = [DialectMeaning(when: .pointer("/code", .equals("token_not_valid")), .endedForGood)]
    }
    api.answer("POST /refresh", answer)
    let error = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(error != nil)
    #expect(error?.disposition != .terminal)
  }

  @Test("Another user's token is terminal")
  func anotherUser() async throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator { $0.renew?.reads.userID = ["/user"] }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    let session = try await authenticator.identify(grant, in: api.context).session(authenticator)
    #expect(session.user.id == "7")
    api.answer("POST /refresh", .json(["access": "planted-token-5", "user": "eve"]))
    let error = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(error?.code == .anotherUser)
    #expect(error?.disposition == .terminal)
  }

  // MARK: Lost and unreadable answers

  @Test("DIA-lost: a lost answer of a server that repeats it is asked for again, and nothing is lost")
  func lostAndRepeated() async throws {
    let api = TokenAPI()
    api.state.withLock { $0.isRotating = false }
    let manager = try api.manager(retry: RetryPolicy(attempts: 1, base: .zero))
    _ = try await manager.session()
    api.clock.advance(by: .seconds(3600))
    api.transport.inject(.dropAfterServerActed, into: .post("/refresh"), at: .nth(1))
    #expect(try await manager.session().proof.tokens["renewalToken"]?.reveal() == "planted-refresh-3")
    #expect(api.state.withLock { $0.renewals } == 2)
  }

  @Test("DIA-lost: what a lost answer means is explained by what the document says of the server")
  func lostWords() async throws {
    for (after, code, words) in [
      (DialectRenewal.AfterLostAnswer.sendSameAgain, OstiaryError.Code.connectionLost, "sent again"),
      (.ask, .unreadableAnswer, "does not repeat"),
    ] {
      let (api, authenticator, session) = try await signedIn {
        $0.renewal.afterLostAnswer = after
        $0.renewal.grace = 30
      }
      api.transport.inject(.dropAfterServerActed, into: .post("/refresh"))
      let error = await failure { try await authenticator.renew(session, in: api.context) }
      #expect(error?.code == code)
      #expect(error?.isTransient == true)
      #expect(error?.message.contains(words) == true)
      #expect(error?.message.contains("30 seconds") == true)
    }
  }

  @Test("DIA-lost: a request that never left is none of a lost answer")
  func neverLeft() async throws {
    let (api, authenticator, session) = try await signedIn { $0.renewal.afterLostAnswer = .ask }
    api.transport.inject(.refuseConnection, into: .post("/refresh"))
    #expect(await failure { try await authenticator.renew(session, in: api.context) }?.code == .cannotConnect)
  }

  @Test("DIA-lost: a strict server's lost answer ends nothing; the user is asked while the old session is kept")
  func lostAtStrictServer() async throws {
    let api = TokenAPI()
    let events = EventRecorder()
    let manager = try api.manager(credentials: .manual) { dialect in
      dialect.renewal.afterLostAnswer = .ask
      dialect.meanings = []
    }
    manager.onEvent { events.record($0) }
    try await manager.signIn(with: TokenAPI.ann)
    api.clock.advance(by: .seconds(3595))
    api.transport.inject(.dropAfterServerActed, into: .post("/refresh"))
    for _ in 0..<4 {
      _ = try? await manager.session()
      api.clock.advance(by: .seconds(900))
    }
    #expect(events.count(.signedOut) == 0)
    #expect(manager.current != nil)
    #expect(manager.history.contains { $0.detail?.contains("does not repeat") == true })
  }

  @Test("LOST-1: a refusal after a lost answer that the server does not repeat tells of it")
  func lostThenRefused() async throws {
    let api = TokenAPI()
    let manager = try api.manager(credentials: .manual) { $0.renewal.afterLostAnswer = .ask }
    try await manager.signIn(with: TokenAPI.ann)
    api.clock.advance(by: .seconds(3600))
    api.transport.inject(.dropAfterServerActed, into: .post("/refresh"), at: .nth(1))
    _ = try? await manager.session()
    #expect(manager.history.allSatisfy { $0.kind != .signedOut })
    for _ in 0..<3 {
      api.clock.advance(by: .seconds(900))
      _ = try? await manager.session()
    }
    let end = manager.history.last { $0.kind == .signedOut }
    #expect(end?.detail?.contains("was lost before") == true, "\(end?.detail ?? "kept")")
  }

  @Test("DIA-rotated: a renewal whose token can't be used keeps the newer renewal token")
  func unusable() async throws {
    for body in [#"{"refresh":"planted-refresh-9"}"#, #"{"refresh":"planted-refresh-9","access":"a\nb"}"#] {
      let (api, authenticator, session) = try await signedIn()
      api.answer("POST /refresh", apiAnswer(body))
      guard case .renewed(let grant) = try await authenticator.renew(session, in: api.context) else {
        Issue.record("not renewed")
        continue
      }
      #expect(grant.proof.tokens["renewalToken"]?.reveal() == "planted-refresh-9")
      #expect(grant.proof.tokens["token"] == session.proof.tokens["token"])
      #expect(grant.expiresAt == session.expiresAt)
    }
  }

  @Test("A renewal of which nothing can be read ends nothing", arguments: ["{}", "", "[", #"{"access":5}"#])
  func unreadable(_ body: String) async throws {
    let (api, authenticator, session) = try await signedIn()
    api.answer("POST /refresh", apiAnswer(body))
    let error = await failure { try await authenticator.renew(session, in: api.context) }
    #expect(error?.code == .unreadableAnswer)
    #expect(error?.isTransient == true)
  }
}
