import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryOAuth

/// OpenID Connect Back-Channel Logout 1.0 §2.6: one thing is wrong in each case.
@Suite("OpenID-5: logout tokens", .timeLimit(.minutes(20)))
struct LogoutTokenTests {
  private static let event = "http://schemas.openid.net/event/backchannel-logout"

  private let stub: OpenIDStub
  private let used = UsedIDsInMemory()

  init() throws { stub = try OpenIDStub() }

  private func right() -> [String: JSONValue] {
    let now = Int64(stub.oauth.clock.now.timeIntervalSince1970)
    return [
      "iss": .string(OpenIDStub.issuer), "aud": "app", "sub": "ann", "sid": "session-1", "iat": .integer(now),
      "exp": .integer(now + 120), "jti": "j1", "events": .object([Self.event: .object([:])]),
    ]
  }

  private func verify(
    _ claims: [String: JSONValue], type: String? = "logout+jwt", key: SigningKey? = nil,
    policy: (inout IDTokenPolicy) -> Void = { _ in }
  ) async throws -> LogoutToken {
    let text = try (key ?? stub.state.withLock { $0.signer }).sign(claims, type: type)
    return try await stub.client(policy: policy).logoutToken(text, onceBy: used, in: stub.oauth.context)
  }

  private func refusal(_ work: () async throws -> LogoutToken) async -> JOSEError.Code? {
    let error = await failure(work)
    guard error?.code == .logoutRefused, error?.disposition == .terminal else { return nil }
    return (error?.underlying as? JOSEError)?.code
  }

  @Test(
    "OpenID-5: oidcc-client-test-rp-backchannel-rpinitlogout: a right token is believed, of each type that it may have",
    arguments: ["logout+jwt", "application/logout+jwt", "JWT", nil])
  func believed(_ type: String?) async throws {
    let token = try await verify(right(), type: type)
    #expect(token.subject == "ann" && token.sessionID == "session-1" && token.id == "j1")
    #expect(!"\(token)".contains("session-1"))
  }

  @Test("OpenID-5: a user or a session alone is enough")
  func alone() async throws {
    var one = right()
    one["sid"] = nil
    #expect(try await verify(one).sessionID == nil)
    var other = right()
    other["sub"] = nil
    other["jti"] = "j2"
    #expect(try await verify(other).subject == nil)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let code: JOSEError.Code
    let change: @Sendable (inout [String: JSONValue]) -> Void
    var testDescription: String { name }

    init(_ name: String, _ code: JOSEError.Code, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void) {
      self.name = name
      self.code = code
      self.change = change
    }
  }

  static let cases: [Case] = [
    Case("oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss", .wrongIssuer) { $0["iss"] = "https://other.test" },
    Case("oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud", .wrongAudience) { $0["aud"] = "other" },
    Case("oidcc-client-test-rp-backchannel-rpinitlogout-no-event", .wrongClaim) { $0["events"] = nil },
    Case("oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event", .wrongClaim) {
      $0["events"] = .object(["http://schemas.openid.net/event/other": .object([:])])
    },
    Case("an event that is no object", .wrongClaim) { $0["events"] = .object([Self.event: true]) },
    Case("oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce", .wrongClaim) { $0["nonce"] = "n" },
    Case("neither sub nor sid", .claimMissing) {
      $0["sub"] = nil
      $0["sid"] = nil
    },
    Case("sid that is no text", .claimMissing) { $0["sid"] = 1 },
    Case("expired", .expired) { $0["exp"] = 1 },
    Case("no exp", .claimMissing) { $0["exp"] = nil },
    Case("no iat", .claimMissing) { $0["iat"] = nil },
    Case("issued in the future", .notYetValid) { $0["iat"] = .integer(Int64($0["iat"]?.double ?? 0) + 61) },
    Case("valid for years", .tooOld) { $0["exp"] = .integer(Int64($0["iat"]?.double ?? 0) + 100_000_000) },
    Case("no jti", .claimMissing) { $0["jti"] = nil },
  ]

  @Test("OpenID-5: a logout token with one wrong claim is refused", arguments: cases)
  func refused(_ one: Case) async throws {
    var claims = right()
    one.change(&claims)
    #expect(await refusal { try await verify(claims) } == one.code)
  }

  @Test("OpenID-5: oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg: another key, or another algorithm")
  func signature() async throws {
    let attacker = try SigningKey.make(.es256, id: "k1")
    #expect(await refusal { try await verify(right(), key: attacker) } == .wrongSignature)
    #expect(await refusal { try await verify(right()) { $0.algorithms = [.rs256] } } == .algorithmNotAllowed)
  }

  @Test("OpenID-5: oidcc-client-test-rp-backchannel-rpinitlogout-alg-none: a token that is not signed")
  func unsigned() async throws {
    let head = StrictBase64URL.encode(Array(#"{"alg":"none"}"#.utf8))
    let body = StrictBase64URL.encode(CompactJSON.object(right()) ?? [])
    let client = try stub.client()
    let code = await refusal {
      try await client.logoutToken(Secret("\(head).\(body)."), onceBy: used, in: stub.oauth.context)
    }
    #expect(code == .unsigned)
  }

  @Test("OpenID-5: an ID token is no logout token, and an access token neither", arguments: ["at+jwt", "dpop+jwt"])
  func otherKind(_ type: String) async throws {
    #expect(await refusal { try await verify(right(), type: type) } == .wrongType)
    var claims = right()
    claims["events"] = nil
    #expect(await refusal { try await verify(claims, type: "JWT") } == .wrongClaim)
  }

  @Test("OpenID-5: a token is good once, until it has expired")
  func once() async throws {
    _ = try await verify(right())
    #expect(await refusal { try await verify(right()) } == .usedBefore)
    var other = right()
    other["jti"] = "j2"
    _ = try await verify(other)
  }

  @Test("OpenID-5: a token whose sessions can't be ended now is good again, and is used up once they are")
  func endedLater() async throws {
    let text = try stub.state.withLock { $0.signer }.sign(right(), type: "logout+jwt")
    let client = try stub.client()
    let ended = Locked<[String]>([])
    func logOut(_ error: OstiaryError? = nil) async throws -> LogoutToken {
      try await client.logOut(by: text, onceBy: used, in: stub.oauth.context) { token in
        if let error { throw error }
        ended.withLock { $0.append(token.id) }
      }
    }
    let away = OstiaryError(.storeUnavailable, "The store is away.")
    #expect(await failure { try await logOut(away) }?.code == .storeUnavailable)
    #expect(ended.withLock { $0 } == [])
    #expect(try await logOut().id == "j1")
    #expect(await refusal { try await logOut() } == .usedBefore)
    #expect(ended.withLock { $0 } == ["j1"])
    // A memory that takes nothing back goes on as before.
    let strict = StrictMemory()
    let error = await failure {
      try await client.logOut(by: text, onceBy: strict, in: stub.oauth.context) { _ in throw away }
    }
    #expect(error?.code == .storeUnavailable)
    #expect(
      await refusal { try await client.logOut(by: text, onceBy: strict, in: stub.oauth.context) { _ in } }
        == .usedBefore)
  }

  private struct StrictMemory: UsedIDs {
    private let ids = Locked<Set<String>>([])

    func use(_ id: String, until end: Date, at now: Date) -> Bool { ids.withLock { $0.insert(id).inserted } }
  }

  @Test(
    "OpenID-5: by a clock that is a day behind, a logout token and an ID token are judged by the server's, once an answer has told it"
  )
  func clockBehind() async throws {
    let client = try stub.client()
    stub.state.withLock { $0.clockAhead = 86_400 }
    var claims = right()
    claims["iat"] = claims["iat"].map { .integer(Int64($0.double ?? 0) + 86_400) }
    claims["exp"] = claims["exp"].map { .integer(Int64($0.double ?? 0) + 86_400) }
    let signer = stub.state.withLock { $0.signer }
    let logout = try signer.sign(claims, type: "logout+jwt")
    let early = await refusal { try await client.logoutToken(logout, onceBy: used, in: stub.oauth.context) }
    #expect(early == .notYetValid)
    let manager = try stub.manager(stub.authenticator(client))
    let session = try await manager.session()
    #expect(try await client.logoutToken(logout, onceBy: used, in: stub.oauth.context).ends(session) == false)
    claims["events"] = nil
    let alone = try await client.idToken(
      signer.sign(claims), expecting: IDTokenExpectation(), in: stub.oauth.context)
    #expect(alone.subject == "ann")
  }

  @Test("OpenID-5: keys that can't be had refuse nothing, and use no token up")
  func keysAway() async throws {
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    #expect(await failure { try await verify(right()) }?.isTransient == true)
    stub.state.withLock { $0.keysFailure = nil }
    _ = try await verify(right())
  }

  @Test("OpenID-5: names are remembered to their end, and none is forgotten early")
  func memory() {
    let start = Date(timeIntervalSince1970: 0)
    var list = UsedIDList(capacity: 2)
    #expect(list.use("a", until: start + 10, at: start) == .new)
    #expect(list.use("b", until: start + 20, at: start) == .new)
    #expect(list.use("c", until: start + 20, at: start) == .full)
    #expect(list.use("a", until: start + 30, at: start + 9) == .used)
    #expect(list.use("c", until: start + 20, at: start + 10) == .new)
    #expect(list.use("b", until: start + 20, at: start + 19) == .used)
  }

  @Test("OpenID-5: a token ends the sessions that it is about, and no others")
  func sessions() async throws {
    stub.change { $0["sid"] = "session-1" }
    let manager = try stub.manager()
    let session = try await manager.session()
    #expect(IDToken(of: session)?.sessionID == "session-1")
    #expect(try await verify(right()).ends(session))
    let others: [(String, JSONValue?, JSONValue?, Bool)] = [
      ("only the user", "ann", nil, true), ("only the session", nil, "session-1", true),
      ("another session", "ann", "session-2", false), ("another user", "ben", "session-1", false),
      ("another user's all", "ben", nil, false), ("another session alone", nil, "session-2", false),
    ]
    for (index, (name, subject, sessionID, ends)) in others.enumerated() {
      var one = right()
      one["sub"] = subject
      one["sid"] = sessionID
      one["jti"] = .string("other \(index)")
      #expect(try await verify(one).ends(session) == ends, "\(name)")
    }
    let token = try await verify(right().merging(["jti": "last"]) { $1 })
    #expect(!token.ends(issuer: "https://other.test", subject: "ann", sessionID: "session-1"))
    #expect(!token.ends(issuer: OpenIDStub.issuer, subject: "ann", sessionID: nil))
  }

  @Test(
    "OpenID-5: oidcc-client-test-rp-frontchannel-rpinitlogout, oidcc-client-test-rp-frontchannel-opinitlogout: issuer and session, both and once"
  )
  func frontChannel() async throws {
    stub.change { $0["sid"] = "session-1" }
    let manager = try stub.manager()
    let session = try await manager.session()
    let client = try stub.client()
    func read(_ query: String, requiresSession: Bool = true) throws -> FrontChannelLogout {
      try client.frontChannelLogout(
        #require(URL(string: "https://app.test/logout" + query)), requiresSession: requiresSession)
    }
    #expect(try read("?iss=https%3A%2F%2Fas.test&sid=session-1").ends(session))
    #expect(try !read("?iss=https%3A%2F%2Fas.test&sid=session-2").ends(session))
    #expect(try read("?own=1", requiresSession: false).ends(session))
    for query in [
      "", "?iss=https%3A%2F%2Fas.test", "?sid=session-1", "?iss=https%3A%2F%2Fother.test&sid=session-1",
      "?iss=https%3A%2F%2Fas.test&sid=session-1&sid=session-1", "?iss=https%3A%2F%2Fas.test%2F&sid=session-1",
    ] {
      #expect(await failure { try read(query) }?.code == .logoutRefused, "\(query)")
    }
    #expect(await failure { try read("?sid=session-1", requiresSession: false) }?.code == .logoutRefused)
  }

  @Test("OpenID-5: where a client's issuer stands for many tenants, a front-channel request names one of them")
  func tenants() throws {
    let client = try stub.client { $0.issuer = "https://as.test/{tenantid}/v2.0" }
    func read(_ issuer: String) throws -> FrontChannelLogout {
      let query = FormEncoding.serialize([(name: "iss", value: issuer), (name: "sid", value: "s")])
      return try client.frontChannelLogout(#require(URL(string: "https://app.test/logout?" + query)))
    }
    let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    #expect(try read("https://as.test/\(tenant)/v2.0").issuer == "https://as.test/\(tenant)/v2.0")
    for issuer in [
      "https://as.test/\(tenant)/v2.0/", "https://as.test/common/v2.0", "https://as.test/{tenantid}/v2.0/x",
      "https://other.test/\(tenant)/v2.0", "https://as.test/\(tenant)x/v2.0", "",
    ] {
      #expect(throws: OstiaryError(.logoutRefused, ""), "\(issuer)") { try read(issuer) }
    }
  }

  @Test("KIT-44: the kit's provider logs a user out, and its tokens end the sessions that it had")
  func provider() async throws {
    let world = try ProviderWorld()
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    let client = try await OAuthClient(id: "app", issuer: world.provider.settings.issuer, in: directory).located()
    let authenticator = try world.authenticator(client, scope: "openid")
    let managers = (0..<2).map { _ in
      SessionManager(
        authenticator: authenticator, transport: world.transport, credentials: .byHandler, clock: world.clock)
    }
    var sessions: [Session] = []
    for manager in managers { sessions.append(try await manager.session()) }
    #expect(try world.provider.logOut("ben").isEmpty)
    let tokens = try world.provider.logOut("ann")
    #expect(world.provider.signedInUsers.isEmpty && tokens.count == 2)
    for (index, text) in tokens.enumerated() {
      let token = try await client.logoutToken(text, onceBy: used, in: world.context)
      #expect(sessions.map { token.ends($0) } == [index == 0, index == 1])
    }
  }
}
