import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// OpenID Connect Core §12.2: the ID token that comes with a renewal.
@Suite("OpenID-3: the ID token of a renewal", .timeLimit(.minutes(20)))
struct IDTokenRenewalTests {
  private let things = OAuthStub.url("/things")

  /// Signs in; the session's date passes.
  private func signedIn(
    _ stub: OpenIDStub, store: any SessionStore = EphemeralStore(), credentials: CredentialSource = .manual,
    recorder: EventRecorder? = nil
  ) async throws -> SessionManager {
    stub.change {
      $0["auth_time"] = 1_000_000
      $0["sid"] = "session-1"
    }
    let manager = try stub.manager(store: store, credentials: credentials, recorder: recorder)
    try await manager.signIn(with: .byHandler)
    stub.oauth.clock.advance(by: .seconds(3595))
    return manager
  }

  private func get(_ manager: SessionManager) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).get(things).status
  }

  @Test("OpenID-3: a fresh process verifies the next ID token with the key that the session keeps, without a request")
  func keptKey() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    _ = try await signedIn(stub, store: store)
    #expect(stub.keyRequests == 1)
    let fresh = try stub.manager(store: store, credentials: .manual)
    #expect(try await get(fresh) == .ok)
    #expect(stub.keyRequests == 1)
    #expect(stub.attached == ["Bearer access-2"])
    let session = try #require(fresh.current)
    #expect(session.proof.tokens["unjudged"] == nil)
    #expect(session.proof.tokens["refresh_token"] == "refresh-2")
    let kept = try #require(session.proof.tokens[OAuthAuthenticator.idToken]?.reveal())
    let issued = try PresentedToken(kept).unverifiedClaims["iat"]
    #expect(issued == .integer(Int64(stub.oauth.clock.now.timeIntervalSince1970)), "it is the newer one")
  }

  @Test("OpenID-3: another kid costs one request, before the callers get their tokens; the next costs none")
  func rotatedKey() async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    try stub.rotateKey()
    #expect(try await get(manager) == .ok)
    #expect(stub.keyRequests == 2)
    stub.oauth.clock.advance(by: .seconds(3595))
    #expect(try await get(manager) == .ok)
    #expect(stub.keyRequests == 2)
    try await manager.flush()
    #expect(stub.oauth.state.withLock { $0.revoked }.isEmpty)
  }

  @Test("OpenID-3: another key under the old name costs one request, too")
  func reusedName() async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    stub.state.withLock { $0.published = [] }
    try stub.rotateKey("k1")
    #expect(try await get(manager) == .ok)
    #expect(stub.keyRequests == 2)
    #expect(manager.current?.proof.tokens["access_token"] == "access-2")
  }

  @Test("OpenID-3: rotated tokens are in the store before they are judged, and are attached by no process until then")
  func writtenFirst() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    let manager = try await signedIn(stub, store: store)
    try stub.rotateKey()
    let gate = Gate()
    stub.state.withLock { $0.keysGate = gate }
    let request = Task { try await get(manager) }
    try await gate.waitForWaiting()
    guard case .present(let data) = await store.load(manager.key) else {
      Issue.record("nothing is stored")
      gate.open()
      return
    }
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("refresh-2") && text.contains("not judged yet"))
    let other = try stub.manager(store: store, credentials: .manual)
    _ = await other.restore()
    let session = try #require(other.current)
    #expect(other.authenticator.attachment(for: session).fields.isEmpty)
    #expect(session.expiresAt.map { $0 < stub.oauth.clock.now } == true, "a renewal comes before its use")
    #expect(stub.attached.isEmpty)
    gate.open()
    #expect(try await request.value == .ok)
    #expect(try await get(other) == .ok)
    #expect(stub.attached == ["Bearer access-2", "Bearer access-2"])
    #expect(stub.oauth.state.withLock { $0.refreshes } == 1)
  }

  @Test("OpenID-3: what a killed process has left unjudged is judged by the next, which shows no refresh token for it")
  func killed() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    let manager = try await signedIn(stub, store: store)
    try stub.rotateKey()
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    let error = await failure { try await get(manager) }
    #expect(error?.isTransient == true)
    let next = try stub.manager(store: store, credentials: .manual)
    #expect(await failure { try await get(next) }?.isTransient == true)
    #expect(stub.attached.isEmpty)
    // Its ID token has long expired when the keys are there again.
    stub.oauth.clock.advance(by: .seconds(1800))
    stub.state.withLock { $0.keysFailure = nil }
    let last = try stub.manager(store: store, credentials: .manual)
    #expect(try await get(last) == .ok)
    #expect(stub.attached == ["Bearer access-2"])
    #expect(stub.oauth.state.withLock { $0.refreshes } == 1)
    #expect(stub.oauth.state.withLock { $0.revoked }.isEmpty)
    #expect(!last.history.contains { $0.kind == .partDropped })
  }

  @Test("OpenID-3: a process of an earlier version refreshes what it finds unjudged, and attaches nothing of it before")
  func earlierVersion() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    let manager = try await signedIn(stub, store: store)
    try stub.rotateKey()
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    _ = await failure { try await get(manager) }
    guard case .present(let data) = await store.load(manager.key) else {
      Issue.record("nothing is stored")
      return
    }
    // An earlier version knows neither of the two names, and no policy.
    let text = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: "\"unjudged\":", with: "\"unknown1\":")
      .replacingOccurrences(of: "\"id_token_verification\":", with: "\"unknown2\":")
    try await store.save(Data(text.utf8), for: manager.key, replacing: .exactly(data))
    let plain = try stub.authenticator(stub.oauth.client())
    let earlier = try stub.manager(plain, store: store, credentials: .manual)
    #expect(try await get(earlier) == .ok)
    #expect(stub.attached == ["Bearer access-3"])
    let shown = stub.oauth.transport.requests.compactMap { $0.form["refresh_token"] }
    #expect(shown == ["refresh-1", "refresh-2"], "no used token is shown")
  }

  @Test(
    "OpenID-3: what a program without a policy takes over unjudged is no verified ID token, also when it comes again"
  )
  func takenOverUnread() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    let manager = try await signedIn(stub, store: store)
    #expect(manager.current.flatMap { IDToken(of: $0) } != nil)
    try stub.rotateKey()
    stub.state.withLock { $0.keysFailure = OstiaryError(.cannotConnect, "Down.") }
    _ = await failure { try await get(manager) }
    let plain = try stub.authenticator(stub.oauth.client())
    let other = try stub.manager(plain, store: store, credentials: .manual)
    #expect(try await get(other) == .ok)
    #expect(stub.attached == ["Bearer access-2"])
    let session = try #require(other.current)
    #expect(session.proof.tokens["unjudged"] == nil && session.proof.tokens["id_token_verification"] == nil)
    #expect(session.proof.tokens[OAuthAuthenticator.idToken] != nil && IDToken(of: session) == nil)
    // The server repeats it: it was verified by no program yet.
    let text = try #require(session.proof.tokens[OAuthAuthenticator.idToken]?.reveal())
    stub.state.withLock { state in
      state.keysFailure = nil
      state.sign = { _, _ in text }
    }
    let asked = stub.keyRequests
    stub.oauth.clock.advance(by: .seconds(3590))
    let last = try stub.manager(store: store, credentials: .manual)
    #expect(try await get(last) == .ok)
    #expect(stub.keyRequests == asked + 1)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout [String: JSONValue]) -> Void
    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void) {
      self.name = name
      self.change = change
    }
  }

  static let bad: [Case] = [
    Case("oidcc-client-test-refresh-token-invalid-issuer") { $0["iss"] = "https://other.test" },
    Case("oidcc-client-test-refresh-token-invalid-aud") { $0["aud"] = "other" },
    Case("an audience more") {
      $0["aud"] = .array(["app", "more"])
      $0["azp"] = "app"
    },
    Case("oidcc-client-test-refresh-token-invalid-azp") { $0["azp"] = "app" },
    Case("another auth_time") { $0["auth_time"] = 1_000_001 },
    Case("another nonce") { $0["nonce"] = "other" },
    Case("expired") { $0["exp"] = 1 },
    Case("no iat") { $0["iat"] = nil },
    Case("no sub") { $0["sub"] = nil },
    Case("another at_hash") { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" },
    Case("another user of another issuer") {
      $0["sub"] = "ben"
      $0["iss"] = "https://other.test"
    },
    Case("another user for another client") {
      $0["sub"] = "ben"
      $0["aud"] = "other"
    },
    Case("a logout token of another user") {
      $0["sub"] = "ben"
      $0["events"] = .object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])
    },
  ]

  @Test("OpenID-3: a bad ID token is dropped with an event, and the session goes on", arguments: bad)
  func dropped(_ one: Case) async throws {
    let stub = try OpenIDStub()
    let recorder = EventRecorder()
    let manager = try await signedIn(stub, recorder: recorder)
    let before = manager.current?.proof.tokens[OAuthAuthenticator.idToken]
    stub.change {
      $0["auth_time"] = 1_000_000
      one.change(&$0)
    }
    #expect(try await get(manager) == .ok)
    #expect(stub.attached == ["Bearer access-2"])
    #expect(recorder.kinds == [.signedIn, .partDropped, .renewed])
    let event = try #require(recorder.events.first { $0.kind == .partDropped })
    #expect(event.cause == .notBelieved)
    #expect(event.detail?.contains("§") == true, "\(event)")
    #expect(before != nil && manager.current?.proof.tokens[OAuthAuthenticator.idToken] == before)
    #expect(stub.oauth.state.withLock { $0.revoked }.isEmpty)
    // The one that is kept is still what the next has to agree with.
    stub.change { $0["auth_time"] = 1_000_000 }
    stub.oauth.clock.advance(by: .seconds(3595))
    #expect(try await get(manager) == .ok)
    #expect(recorder.count(.partDropped) == 1)
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.idToken] != before)
  }

  @Test("OpenID-3: a wrong signature is dropped, also when it says that another user is signed in")
  func wrongSignature() async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    let attacker = try SigningKey.make(.es256, id: "k1")
    stub.state.withLock { state in
      state.subject = "ben"
      state.signer = attacker
    }
    #expect(try await get(manager) == .ok)
    #expect(manager.current?.user.id == "ann")
    #expect(manager.history.contains { $0.kind == .partDropped })
  }

  @Test(
    "OpenID-3: oidcc-client-test-refresh-token-invalid-sub: another user's ID token, rightly signed, ends the session",
    arguments: [false, true])
  func anotherUser(isExpired: Bool) async throws {
    let stub = try OpenIDStub()
    let recorder = EventRecorder()
    let store = EphemeralStore()
    let manager = try await signedIn(stub, store: store, recorder: recorder)
    stub.state.withLock { $0.subject = "ben" }
    if isExpired { stub.change { $0["exp"] = 1 } }
    #expect(await failure { try await get(manager) }?.code == .interactionRequired)
    #expect(stub.attached.isEmpty)
    #expect(manager.lastSignOut?.cause == .rejectedByServer)
    #expect(Set(stub.oauth.state.withLock { $0.revoked }) == ["refresh-2", "access-2"])
    let next = try stub.manager(store: store, credentials: .manual)
    #expect(await failure { try await get(next) }?.code == .interactionRequired)
    #expect(stub.attached.isEmpty)
  }

  @Test(
    "OpenID-3: oidcc-client-test-refresh-token: what may differ or be left out is no disagreement",
    arguments: [
      ["nonce": .null], ["auth_time": .null], ["auth_time": .number(1_000_000)], ["sid": .null],
      ["aud": .array(["app"])], ["acr": "other"],
    ] as [[String: JSONValue]])
  func agreeing(_ more: [String: JSONValue]) async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    stub.change { claims in
      claims["auth_time"] = 1_000_000
      for (name, value) in more { claims[name] = value == .null ? nil : value }
    }
    #expect(try await get(manager) == .ok)
    #expect(!manager.history.contains { $0.kind == .partDropped })
    let kept = manager.current?.proof.tokens["id_token_verification"]?.reveal()
    #expect(kept?.contains("session-1") == true, "sid is kept, though a renewal need not say it")
  }

  @Test("OpenID-3: a renewal without an ID token, or with the same, has nothing to judge")
  func nothingNew() async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    let text = try #require(manager.current?.proof.tokens[OAuthAuthenticator.idToken]?.reveal())
    stub.state.withLock { $0.sign = { _, _ in text } }
    #expect(try await get(manager) == .ok)
    stub.oauth.clock.advance(by: .seconds(3595))
    stub.state.withLock { $0.givesIDToken = false }
    #expect(try await get(manager) == .ok)
    #expect(stub.attached == ["Bearer access-2", "Bearer access-3"])
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.idToken]?.reveal() == text)
    #expect(!manager.history.contains { $0.kind == .partDropped })
    try stub.rotateKey()
    stub.oauth.clock.advance(by: .seconds(3595))
    stub.state.withLock { state in
      state.sign = nil
      state.givesIDToken = true
    }
    #expect(try await get(manager) == .ok)
    #expect(stub.keyRequests == 2)
  }

  @Test("OpenID-3: fifty requests at one expiry: one refresh, one judgement, no request with another token")
  func singleFlight() async throws {
    let stub = try OpenIDStub()
    let manager = try await signedIn(stub)
    try stub.rotateKey()
    try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for _ in 0..<50 { group.addTask { try await get(manager) } }
      for try await status in group { #expect(status == .ok) }
    }
    #expect(stub.oauth.state.withLock { $0.refreshes } == 1)
    #expect(stub.keyRequests == 2)
    #expect(Set(stub.attached) == ["Bearer access-2"])
  }

  @Test("OpenID-3: the first ID token of a session that had none is about the session's user, or is dropped")
  func firstOfAll() async throws {
    let stub = try OpenIDStub()
    stub.state.withLock { $0.givesIDToken = false }
    let store = EphemeralStore()
    let plain = try stub.authenticator(stub.oauth.client())
    let earlier = try stub.manager(plain, store: store, credentials: .byHandler)
    #expect(try await earlier.session().user.id == "u1")
    stub.state.withLock { $0.givesIDToken = true }
    stub.oauth.clock.advance(by: .seconds(3595))
    let manager = try stub.manager(store: store, credentials: .manual)
    #expect(try await get(manager) == .ok)
    #expect(manager.history.contains { $0.kind == .partDropped })
    #expect(manager.current?.proof.tokens["id_token"] == nil)
    stub.state.withLock { $0.subject = "u1" }
    stub.oauth.clock.advance(by: .seconds(3595))
    #expect(try await get(manager) == .ok)
    #expect(manager.current?.proof.tokens["id_token"] != nil)
  }

  @Test("OpenID-3: a session of before is held to the user of the ID token that it kept unread")
  func unreadBefore() async throws {
    let stub = try OpenIDStub()
    let store = EphemeralStore()
    let plain = try stub.authenticator(stub.oauth.client())
    let earlier = try stub.manager(plain, store: store, credentials: .byHandler)
    _ = try await earlier.session()
    #expect(stub.keyRequests == 0)
    stub.oauth.clock.advance(by: .seconds(3595))
    let manager = try stub.manager(store: store, credentials: .manual)
    #expect(try await get(manager) == .ok)
    #expect(stub.keyRequests == 1)
    stub.state.withLock { $0.subject = "ben" }
    stub.oauth.clock.advance(by: .seconds(3595))
    #expect(await failure { try await get(manager) }?.code == .interactionRequired)
  }
}
