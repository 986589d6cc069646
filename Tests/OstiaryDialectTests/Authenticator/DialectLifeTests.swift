import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("The life of a session by a dialect")
struct DialectLifeTests {
  @Test("DIA-once: fifty tasks sign in once")
  func once() async throws {
    let api = TokenAPI()
    let manager = try api.manager()
    let callers = (0..<50).map { _ in Task { try await manager.session().user.id } }
    for caller in callers { #expect(try await caller.value == "7") }
    #expect(api.state.withLock { $0.logins } == 1)
    #expect(api.transport.count(.get, "/me") == 1)
  }

  @Test("DIA-memory: a wrong password is forgotten, and shown once")
  func wrongPassword() async throws {
    let api = TokenAPI()
    let manager = try api.manager(credentials: .upFront(.password(username: "ann", password: "wrong")))
    #expect(await failure { try await manager.session() }?.code == .invalidCredentials)
    #expect(await failure { try await manager.session() }?.code == .interactionRequired)
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("DIA-memory: an answer that the document does not name forgets no password, and is not repeated at once")
  func unnamed() async throws {
    let api = TokenAPI()
    let manager = try api.manager(retry: RetryPolicy(attempts: 2, base: .zero))
    api.answer("POST /login", apiAnswer("{}", status: .unprocessableContent))
    #expect(await failure { try await manager.session() }?.code == .dialectRefused)
    #expect(api.transport.count(.post, "/login") == 1)
    api.answer("POST /login", nil)
    #expect(try await manager.session().user.id == "7")
  }

  @Test("DIA-users: another user's sign-in begins with nothing of the one before")
  func users() async throws {
    let api = TokenAPI()
    let manager = try api.manager(credentials: .manual)
    let first = try await manager.signIn(with: TokenAPI.ann)
    #expect(await manager.signOut().isComplete)
    #expect(api.state.withLock { $0.ended } == ["planted-token-1"])
    api.answer("GET /me", .json(["id": "8", "name": "Bob"]))
    let second = try await manager.signIn(
      with: .password(username: "bob", password: Secret(TokenAPI.secrets[0])))
    #expect(second.user.id == "8")
    #expect(second.attributes.isEmpty)
    #expect(second.proof.tokens["token"] != first.proof.tokens["token"])
    #expect(api.transport.requests.filter { $0.path == "/login" }.allSatisfy { $0.cookies == nil })
  }

  @Test("DIA-verify: good, over, another user's, and nothing said")
  func verify() async throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator()
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    let session = try await authenticator.identify(grant, in: api.context).session(authenticator)
    guard case .valid(let attributes) = try await authenticator.verify(session, in: api.context) else {
      Issue.record("not valid")
      return
    }
    #expect(attributes == ["role": "admin"])
    api.answer("GET /me", .json(["id": "8"]))
    guard case .invalid(let reason) = try await authenticator.verify(session, in: api.context) else {
      Issue.record("valid")
      return
    }
    #expect(reason == "The token is another user's.")
    for answer in [
      TransportResponse.status(.unauthorized), apiAnswer(#"{"code":"token_not_valid"}"#, status: .unauthorized),
    ] {
      api.answer("GET /me", answer)
      guard case .invalid = try await authenticator.verify(session, in: api.context) else {
        Issue.record("valid")
        continue
      }
    }
    for answer in [
      TransportResponse.status(.serviceUnavailable), .status(.forbidden), .html("<p>"),
      .html("<p>", status: .unauthorized), .status(.found), .status(.tooManyRequests),
    ] {
      api.answer("GET /me", answer)
      #expect(await failure { try await authenticator.verify(session, in: api.context) } != nil)
    }
    let mute = try api.authenticator { $0.who = nil }
    let silence = await failure { try await mute.verify(session, in: api.context) }
    #expect(silence?.code == .nothingToAsk && silence?.disposition == .misuse)
  }

  @Test("Invariant 3: a bare 401 of a request is asked about, and a session that is good stays")
  func doubtful() async throws {
    let api = TokenAPI()
    let manager = try api.manager()
    _ = try await manager.session()
    api.answer("GET /things", .status(.unauthorized))
    let transport = AuthenticatedTransport(manager)
    #expect(try await transport.send(api.things).status == .unauthorized)
    #expect(api.transport.count(.get, "/me") == 2)
    #expect(api.state.withLock { $0.renewals } == 0)
    #expect(manager.status.isSignedIn)
  }

  @Test("DIA-end: a session is over by a mark in the answer to its renewal, and the cause says so")
  func ended() async throws {
    let api = TokenAPI()
    let manager = try api.manager(credentials: .manual)
    try await manager.signIn(with: TokenAPI.ann)
    api.dropTokens()
    api.state.withLock { $0.refreshTokens = [] }
    _ = try? await AuthenticatedTransport(manager).send(api.things)
    #expect(manager.current == nil)
    #expect(manager.lastSignOut?.cause == .rejectedByServer)
    #expect(manager.lastSignOut?.detail?.contains("can't be renewed") == true)
  }

  @Test("DIA-signout: signing out tells the server, and asks it afterwards where the document can")
  func signOut() async throws {
    let api = TokenAPI()
    let manager = try api.manager(credentials: .manual)
    try await manager.signIn(with: TokenAPI.ann)
    let report = await manager.signOut(confirming: true)
    guard case .confirmed = report.confirmation else {
      Issue.record("not confirmed")
      return
    }
    #expect(api.state.withLock { $0.ended } == ["planted-token-1"])
    try await manager.signIn(with: TokenAPI.ann)
    api.answer("POST /logout", .status(.internalServerError))
    #expect(await manager.signOut().serverError?.code == .serverUnavailable)
    #expect(manager.current == nil)
    let endless = try api.manager(credentials: .manual) { $0.end = nil }
    try await endless.signIn(with: TokenAPI.ann)
    guard case .localOnly = await endless.signOut(confirming: true).confirmation else {
      Issue.record("confirmed")
      return
    }
  }

  @Test("A session comes back from its store, with what later calls need")
  func restart() async throws {
    let api = TokenAPI()
    let store = EphemeralStore()
    _ = try await api.manager(store: store).session()
    let second = try api.manager(credentials: .manual, store: store)
    #expect(await second.restore().isSignedIn)
    api.clock.advance(by: .seconds(3600))
    #expect(try await second.session().proof.tokens["token"]?.reveal() == "planted-token-2")
  }

  @Test("DIA-line: one line makes a manager")
  func line() async throws {
    let api = TokenAPI()
    let url = try #require(TokenAPI.url)
    let manager = try SessionManager(
      dialect: TokenAPI.dialect(), server: url, transport: api.transport, credentials: .upFront(TokenAPI.ann),
      clock: api.clock)
    #expect(try await manager.session().user.id == "7")
    #expect(manager.authenticator.kind == AuthenticatorKind("dialect:token-api"))
  }

  @Test("A builder makes the same dialect")
  func builder() throws {
    let dialect = TokenAPI.dialect()
    var builder = DialectBuilder(dialect.name)
    for call in dialect.signIn { builder = builder.signIn(call) }
    for continuation in dialect.continuations { builder = builder.answering(continuation.kind, continuation.call) }
    builder = builder.renewing(dialect.renewal, dialect.renew).proof(dialect.proof)
    if let who = dialect.who { builder = builder.who(who) }
    if let end = dialect.end { builder = builder.end(end) }
    for meaning in dialect.meanings { builder = builder.meaning(meaning.meaning, when: meaning.condition) }
    #expect(try builder.dialect() == dialect)
    #expect(throws: DialectError.self) { try DialectBuilder("empty").dialect() }
  }

  @Test("Closures read the token, change the grant and have the last look at requests")
  func replaced() async throws {
    let api = TokenAPI()
    var replacements = DialectReplacements()
    replacements.readToken = { response, step in
      step == .signIn ? response.head.headerFields[.eTag].map { Secret($0) } : nil
    }
    replacements.grant = { grant, json, step in
      var grant = grant
      grant.attributes["step"] = .string(step.rawValue)
      grant.attributes["more"] = json?["more"]
      return grant
    }
    replacements.prepare = { request, step in if step == .signIn { request.timeout = .seconds(15) } }
    api.answer("POST /login", apiAnswer(#"{"more":1}"#, headerFields: [.eTag: "planted-token-7"]))
    let authenticator = try api.authenticator(replacing: replacements)
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-7")
    #expect(grant.attributes == ["step": "signIn", "more": 1])
    #expect(api.transport.requests.first?.timeout == .seconds(15))
  }
}
