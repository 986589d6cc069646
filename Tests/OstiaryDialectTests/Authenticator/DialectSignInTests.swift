import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Signing in by a dialect")
struct DialectSignInTests {
  @Test("DIA-signin: a password gives tokens, and who says whose they are")
  func signIn() async throws {
    let api = TokenAPI()
    let manager = try api.manager()
    let session = try await manager.session()
    #expect(session.user == Session.User(id: "7", displayName: "Ann"))
    #expect(session.proof.tokens["token"]?.reveal() == "planted-token-1")
    #expect(session.proof.tokens["renewalToken"]?.reveal() == "planted-refresh-1")
    #expect(session.attributes == ["role": "admin"])
    #expect(session.expiresAt == api.clock.now.addingTimeInterval(3600))
    #expect(session.kind == AuthenticatorKind("dialect:token-api"))
    #expect(session.proof.tokens.values.allSatisfy { $0.reveal() != TokenAPI.secrets[0] })
    let login = try #require(api.transport.requests.first)
    #expect(
      login.body.map { String(decoding: $0, as: UTF8.self) } == #"{"username":"ann","password":"planted-password"}"#)
    #expect(login.head.headerFields[.accept] == "application/json")
    #expect(login.authorization == nil)
  }

  @Test("DIA-who: a look-up that fails repeats itself alone; the password is not shown again")
  func identification() async throws {
    let api = TokenAPI()
    api.answer("GET /me", .status(.serviceUnavailable))
    let manager = try api.manager()
    #expect(await failure { try await manager.session() }?.code == .serverUnavailable)
    api.answer("GET /me", nil)
    api.clock.advance(by: .seconds(600))
    #expect(try await manager.session().user.id == "7")
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("DIA-who: a bare refusal of the new session is no word about it")
  func refusedIdentification() async throws {
    let api = TokenAPI()
    api.answer("GET /me", .status(.unauthorized))
    let grant = try await api.authenticator().signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.needsIdentification)
    let error = await failure { try await api.authenticator().identify(grant, in: api.context) }
    #expect(error?.code == .dialectRefused)
    #expect(error?.disposition == .misuse)
  }

  @Test("Without who, the user is the name that was given")
  func unasked() async throws {
    let api = TokenAPI()
    let grant = try await api.authenticator { $0.who = nil }.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.user.id == "ann")
    #expect(!grant.needsIdentification)
  }

  @Test("An empty user name or password is not sent", arguments: [("", "x"), ("  ", "x"), ("ann", "")])
  func empty(_ name: String, _ password: String) async throws {
    let api = TokenAPI()
    let error = await failure {
      try await api.authenticator().signIn(
        with: .password(username: name, password: Secret(password)), in: api.context)
    }
    #expect(error?.code == .invalidInput)
    #expect(api.transport.count == 0)
  }

  @Test("DIA-prepare: the cookies and values of a call before are sent with the sign-in")
  func prepared() async throws {
    let api = TokenAPI()
    api.transport.on(.get, "/csrf") { _ in
      TransportResponse.html(#"<meta name="csrf" content="m1">"#).adding([.setCookie: "sid=s1; Path=/"])
    }
    let authenticator = try api.authenticator { dialect in
      dialect.prepare = [
        DialectCall(
          .get, "/csrf", reads: DialectReads(values: [DialectNamedRead("csrf", DialectRead(.meta("csrf")))]))
      ]
      dialect.signIn[0].headers = [DialectField("X-CSRF", "{csrf}")]
    }
    _ = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    let login = try #require(api.transport.requests.last)
    #expect(login.cookies == "sid=s1")
    #expect(login.head.headerFields[try #require(HTTPField.Name("X-CSRF"))] == "m1")
  }

  @Test(
    "DIA-session-cookie: a sign-in that sets no session's cookie is none, though one was set before that is sent twice")
  func noSessionCookie() async throws {
    let api = TokenAPI()
    api.transport.on(.get, "/csrf") { _ in
      TransportResponse.status(.noContent, headerFields: [.setCookie: "XSRF-TOKEN=x1; Path=/"])
    }
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      dialect.prepare = [DialectCall(.get, "/csrf")]
      dialect.signIn[0].reads = DialectReads()
      dialect.signIn[0].success = .status(200...204)
      dialect.renewal = .none
      dialect.renew = nil
      dialect.proof = DialectProof(.cookies(["*"], csrf: DialectCSRF(.cookie("XSRF-TOKEN"), header: "X-XSRF-TOKEN")))
    }
    api.answer("POST /login", .html("<h1>Hotel</h1>"))
    let error = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.isTransient == true)
    api.answer("POST /login", .status(.noContent, headerFields: [.setCookie: "sid=s1; Path=/"]))
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.cookies.count == 2)
  }

  @Test("DIA-prepare: a value that was not there is an error that names it and the call")
  func unprepared() async throws {
    let api = TokenAPI()
    api.transport.on(.get, "/csrf") { _ in .html("<p>") }
    let authenticator = try api.authenticator { dialect in
      dialect.prepare = [
        DialectCall(
          .get, "/csrf", reads: DialectReads(values: [DialectNamedRead("csrf", DialectRead(.meta("csrf")))]))
      ]
      dialect.signIn[0].headers = [DialectField("X-CSRF", "{csrf}")]
    }
    let error = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("csrf") == true)
    #expect(error?.message.contains("/signIn/0") == true)
  }

  @Test("Several calls make a sign-in, each with what those before gave")
  func several() async throws {
    let api = TokenAPI()
    api.transport.on(.post, "/flow") { _ in .json(["flow": "f 1"]) }
    api.transport.on(.post, "/flow/f%201") { _ in .json(["access": "planted-token-9"]) }
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      dialect.signIn.insert(
        DialectCall(.post, "/flow", reads: DialectReads(values: [DialectNamedRead("flow", "/flow")])), at: 0)
      dialect.signIn[1].path = "/flow/{flow}"
    }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(grant.proof.tokens["token"]?.reveal() == "planted-token-9")
    #expect(grant.proof.tokens["value.flow"] == nil)
  }

  @Test("DIA-resume: what the server has given before a call fails is kept, and only the rest is repeated")
  func resumed() async throws {
    let api = TokenAPI()
    let change: @Sendable (inout Dialect) -> Void = { dialect in
      dialect.who = nil
      dialect.signIn[0].reads.values = [DialectNamedRead("tenant", "/expires_in")]
      dialect.signIn.append(
        DialectCall(
          .get, "/me", query: [DialectField("tenant", "{tenant}")], carriesProof: true,
          reads: DialectReads(userID: ["/id"], userName: ["/name"])))
    }
    let manager = try api.manager(change)
    api.answer("GET /me", .status(.serviceUnavailable))
    #expect(await failure { try await manager.session() }?.code == .serverUnavailable)
    api.answer("GET /me", nil)
    api.clock.advance(by: .seconds(600))
    let session = try await manager.session()
    #expect(session.user == Session.User(id: "7", displayName: "Ann"))
    #expect(session.proof.tokens.keys.sorted() == ["renewalToken", "token"])
    #expect(api.state.withLock { $0.logins } == 1)
    #expect(api.transport.requests.last?.path == "/me?tenant=3600")
    #expect(api.transport.requests.last?.token == "planted-token-1")
  }

  @Test("DIA-resume: a token of a sign-in that comes to nothing is ended at the server")
  func givenBack() async throws {
    let api = TokenAPI()
    api.answer("GET /me", apiAnswer(#"{"change":true}"#, status: .forbidden))
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      dialect.signIn.append(
        DialectCall(
          .get, "/me", carriesProof: true,
          meanings: [DialectMeaning(when: .pointer("/change", .equals(true)), .passwordChange)]))
    }
    let error = await failure { try await authenticator.signIn(with: TokenAPI.ann, in: api.context) }
    #expect(error?.code == .passwordChangeNeeded)
    #expect(api.state.withLock { $0.ended } == ["planted-token-1"])
  }

  @Test("DIA-kept: a value that a later call names is kept with the session")
  func kept() async throws {
    let api = TokenAPI()
    api.answer("POST /login", .json(["access": "planted-token-1", "device": "d1"]))
    let authenticator = try api.authenticator { dialect in
      dialect.who = nil
      dialect.signIn[0].reads.values = [DialectNamedRead("deviceID", "/device")]
      dialect.end = DialectCall(.post, "/logout", body: .json(["device": "{deviceID}"]))
    }
    let grant = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    try await authenticator.end(grant.session(authenticator), in: api.context)
    #expect(api.transport.requests.last?.members == ["device": "d1"])
  }

  @Test("DIA-takeover: a token from elsewhere is believed after the server was asked")
  func takeOver() async throws {
    let api = TokenAPI()
    let first = try await api.manager().session()
    let proof = Proof(tokens: ["token": try #require(first.proof.tokens["token"])])
    let manager = try api.manager(credentials: .manual)
    #expect(try await manager.signIn(with: .proof(proof)).user.id == "7")
    #expect(api.state.withLock { $0.logins } == 1)
  }

  @Test("DIA-takeover: one that the server refuses is invalid, and one that can't be asked about is not taken")
  func refusedTakeOver() async throws {
    let api = TokenAPI()
    let authenticator = try api.authenticator()
    func take(_ tokens: [String: Secret], _ authenticator: DialectAuthenticator) async -> OstiaryError? {
      await failure { try await authenticator.signIn(with: .proof(Proof(tokens: tokens)), in: api.context) }
    }
    let refused = await take(["token": "planted-nothing"], authenticator)
    #expect(refused?.code == .invalidCredentials)
    #expect(refused?.disposition == .terminal)
    #expect(await take(["token": "two\r\nlines"], authenticator)?.code == .invalidInput)
    #expect(await take([:], authenticator)?.code == .unsupportedCredential)
    let mute = try api.authenticator { $0.who = nil }
    #expect(await take(["token": "planted-nothing"], mute)?.code == .unsupportedCredential)
    api.answer("GET /me", .status(.badGateway))
    #expect(await take(["token": "planted-nothing"], authenticator)?.code == .serverUnavailable)
  }

  @Test("DIA-takeover: a renewal token from elsewhere renews")
  func renewalTakeOver() async throws {
    let api = TokenAPI()
    let first = try await api.manager().session()
    let proof = Proof(tokens: ["renewalToken": try #require(first.proof.tokens["renewalToken"])])
    let session = try await api.manager(credentials: .manual).signIn(with: .proof(proof))
    #expect(session.user.id == "7")
    #expect(session.proof.tokens["renewalToken"]?.reveal() == "planted-refresh-2")
  }

  @Test("Roles, addresses and settings that do not fit are refused before anything is sent")
  func misuse() throws {
    let dialect = TokenAPI.dialect { $0.settings = [DialectSetting("key", isSecret: true)] }
    let url = try #require(TokenAPI.url)
    func make(_ servers: [String: URL], _ settings: [String: Secret]) -> OstiaryError? {
      return #expect(throws: OstiaryError.self) {
        try DialectAuthenticator(dialect: dialect, servers: servers, settings: settings)
      }
    }
    #expect(make(["server": url], [:])?.message.contains("key") == true)
    #expect(make(["server": url], ["key": "k", "other": "o"])?.message.contains("other") == true)
    #expect(make(["server": url, "auth": url], ["key": "k"])?.message.contains("auth") == true)
    #expect(make([:], ["key": "k"])?.code == .invalidInput)
    for address in ["ftp://api.test", "https://u:p@api.test", "https://api.test?x=1", "file:///x"] {
      let other = try #require(URL(string: address))
      #expect(make(["server": other], ["key": "k"])?.code == .invalidInput)
    }
    #expect(throws: DialectError.self) {
      try DialectAuthenticator(
        dialect: TokenAPI.dialect { $0.signIn[0].path = "/login/{password}" }, server: url, settings: [:])
    }
  }

  @Test("The server's address may have a path; all calls are below it")
  func base() async throws {
    let api = TokenAPI()
    api.transport.on(.post, "/v1/login") { _ in .json(["access": "planted-token-1"]) }
    let authenticator = try DialectAuthenticator(
      dialect: TokenAPI.dialect { $0.who = nil }, server: try #require(URL(string: "https://api.test/v1/")))
    _ = try await authenticator.signIn(with: TokenAPI.ann, in: api.context)
    #expect(api.transport.requests.map(\.path) == ["/v1/login"])
  }
}

extension TransportResponse {
  /// The response with more fields.
  func adding(_ fields: HTTPFields) -> TransportResponse {
    var response = self
    for field in fields { response.head.headerFields.append(field) }
    return response
  }
}
