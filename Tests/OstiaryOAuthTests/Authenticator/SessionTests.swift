import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("The life of a session of tokens", .timeLimit(.minutes(20)))
struct SessionTests {
  private let things = OAuthStub.url("/things")

  @Test("A request that needs a session gets one by the flow, and carries its token")
  func onDemand() async throws {
    let stub = OAuthStub(hasUserInfo: true)
    let manager = try stub.manager()
    #expect(try await AuthenticatedTransport(manager).get(things).status == .ok)
    let session = try #require(manager.current)
    #expect(session.user == Session.User(id: "u1", displayName: "Ann"))
    #expect(session.proof.tokens[OAuthAuthenticator.accessToken] == "access-1")
    #expect(session.proof.tokens[OAuthAuthenticator.refreshToken] == "refresh-1")
    #expect(session.proof.tokens[OAuthAuthenticator.scope] == "a b")
    #expect(session.proof.tokens[OAuthAuthenticator.tokenType] == "Bearer")
    #expect(session.expiresAt == stub.clock.now.addingTimeInterval(3600))
    #expect(stub.transport.requests.first { $0.form["code"] != nil }?.form["code"] == "c=1+2/3!")
  }

  @Test("OAuth-O4: a rotated refresh token is stored before the access token is used")
  func rotation() async throws {
    let stub = OAuthStub()
    let store = EphemeralStore()
    let manager = try stub.manager(store: store)
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    let stored = Locked<[String?]>([])
    stub.transport.on(.get, "/things") { [key = manager.key] _ in
      guard case .present(let data) = await store.load(key) else { return .json([:]) }
      let text = String(decoding: data, as: UTF8.self)
      stored.withLock { $0.append(text.contains("refresh-2") ? "refresh-2" : nil) }
      return .json([:])
    }
    stub.clock.advance(by: .seconds(3590))
    _ = try await http.get(things)
    #expect(manager.current?.proof.tokens["refresh_token"] == "refresh-2")
    #expect(stored.withLock { $0 } == ["refresh-2"])
  }

  @Test("OAuth-O4: an absent or empty refresh token keeps the old one", arguments: [nil, "", "null"] as [String?])
  func absent(_ refreshToken: String?) async throws {
    let stub = OAuthStub(rotates: false)
    let manager = try stub.manager()
    _ = try await manager.session()
    stub.answer { _ in
      var members: [String: JSONValue] = ["access_token": "newer", "expires_in": 60, "other": 1]
      if let refreshToken { members["refresh_token"] = refreshToken == "null" ? .null : .string(refreshToken) }
      return .json(members)
    }
    stub.clock.advance(by: .seconds(3590))
    let session = try await manager.session()
    #expect(session.proof.tokens["access_token"] == "newer")
    #expect(session.proof.tokens["refresh_token"] == "refresh-1")
    #expect(session.proof.tokens["scope"] == "a b", "an answer without a scope means the same (RFC 6749 §6)")
    #expect(session.attributes["other"] == 1)
  }

  @Test("OAuth-O5: fifty tasks, one refresh; a late 401 for the old token, none")
  func singleFlight() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    let old = try #require(manager.current)
    stub.dropAccessTokens()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { [things] in
          let status = try await http.get(things).status
          #expect(status == .ok)
        }
      }
      try await group.waitForAll()
    }
    #expect(stub.state.withLock { $0.refreshes } == 1)
    let request = try TransportRequest.get(things)
    _ = await manager.judge(OAuthStub.refused, to: request, carrying: old.version)
    #expect(try await http.get(things).status == .ok)
    #expect(stub.state.withLock { $0.refreshes } == 1)
  }

  @Test("OAuth-O6: invalid_grant ends the session once, and the user is asked again")
  func invalidGrant() async throws {
    let stub = OAuthStub()
    let visits = Locked(0)
    let manager = try stub.manager(flow: OAuthStub.flowOfOneSignIn(visits: visits))
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.dropAccessTokens()
    stub.answer { _ in .json(["error": "invalid_grant"], status: .badRequest) }
    // All are on the way before the first is refused: who comes later may well ask the user anew.
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/things"))
    let opening = Task {
      try await gate.waitForArrivals(20)
      gate.open()
    }
    await withTaskGroup(of: OstiaryError?.self) { group in
      for _ in 0..<20 { group.addTask { [things] in await failure { try await http.get(things) } } }
      for await error in group { #expect(error?.disposition == .terminal) }
    }
    try await opening.value
    #expect(manager.current == nil)
    #expect(visits.withLock { $0 } == 2)
    #expect(manager.history.filter { $0.kind == .signedOut }.count == 1)
  }

  @Test(
    "OAuth-O6: failures that may pass keep the tokens",
    arguments: [
      Fault.refuseConnection, .dropAfterServerActed, .status(.serviceUnavailable), .status(.tooManyRequests),
      .page("<h1>Hotel</h1>"), .garbage,
    ])
  func kept(_ fault: Fault) async throws {
    let stub = OAuthStub(rotates: false)
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.dropAccessTokens()
    stub.transport.inject(fault, into: .post("/token"), at: .nth(1))
    #expect(await failure { try await http.get(things) }?.isTransient == true)
    #expect(manager.lastSignOut == nil)
    stub.clock.advance(by: .seconds(60))
    #expect(try await http.get(things).status == .ok)
    #expect(manager.current?.proof.tokens["refresh_token"] == "refresh-1")
  }

  @Test("A renewal that fails before the end leaves the token in use to its end, and is tried again in between")
  func fallback() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.transport.inject(.status(.serviceUnavailable), into: .post("/token"))
    stub.clock.advance(by: .seconds(3545))
    for _ in 0..<5 { #expect(try await http.get(things).status == .ok) }
    // The sign-in, and one attempt; the next is due after a pause.
    #expect(stub.transport.count(.post, "/token") == 2)
    stub.clock.advance(by: .seconds(11))
    #expect(try await http.get(things).status == .ok)
    #expect(stub.transport.count(.post, "/token") == 3)
    // At its end it is of no use any more, and no user is signed out.
    stub.clock.advance(by: .seconds(60))
    #expect(await failure { try await http.get(things) }?.isTransient == true)
    #expect(manager.status.isSignedIn)
    stub.transport.setFaults()
    stub.clock.advance(by: .seconds(300))
    #expect(try await http.get(things).status == .ok)
    #expect(manager.current?.proof.tokens["access_token"] == "access-2")
  }

  @Test("OAuth-O7: a request is sent again once; a 401 after a renewal surfaces")
  func replayOnce() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    stub.transport.on(.get, "/things") { _ in OAuthStub.refused }
    let error = await failure { try await AuthenticatedTransport(manager).get(things) }
    #expect(error?.code == .challengedAgain)
    #expect(stub.transport.count(.get, "/things") == 2)
    #expect(stub.state.withLock { $0.refreshes } == 1)
    #expect(manager.lastSignOut == nil)
  }

  @Test("OAuth-O9: a renewal sends no request again that was not refused")
  func inFlight() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/things"), at: .nth(1))
    let slow = Task { try await http.send(.post(things, body: Data("{}".utf8), contentType: "application/json")) }
    try await gate.waitForArrivals(1)
    stub.dropAccessTokens()
    #expect(try await http.get(things).status == .ok)
    gate.open()
    #expect(try await slow.value.status == .ok)
    #expect(stub.transport.count(.post, "/things") == 1)
  }

  @Test("OAuth-O13: signing out during a refresh throws its result away")
  func noResurrection() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.dropAccessTokens()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/token"), at: .nth(1))
    let work = Task { try await http.get(things) }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    gate.open()
    #expect(await failure { try await work.value }?.code == .signedOut)
    #expect(manager.current == nil)
    #expect(await manager.restore().isSignedIn == false)
  }

  @Test("OAuth-O14: cancelling one who waits cancels no refresh")
  func cancellation() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(things)
    stub.dropAccessTokens()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/token"), at: .nth(1))
    let first = Task { try await http.get(things) }
    try await gate.waitForArrivals(1)
    let second = Task { try await http.get(things) }
    first.cancel()
    gate.open()
    #expect(try await second.value.status == .ok)
    #expect(stub.state.withLock { $0.refreshes } == 1)
    _ = await first.result
  }

  @Test("OAuth-O15: a redirect to another host takes no token along")
  func redirect() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    stub.transport.on(.get, "/away") { _ in
      .status(.found, headerFields: [.location: "https://other.test/landing"])
    }
    stub.transport.on(.get, "/landing") { _ in .json([:]) }
    #expect(try await AuthenticatedTransport(manager).get(OAuthStub.url("/away")).status == .ok)
    let landing = try #require(stub.transport.requests.last)
    #expect(landing.head.authority == "other.test")
    #expect(landing.head.headerFields[.authorization] == nil)
    let before = try #require(stub.transport.requests.dropLast().last)
    #expect(before.head.headerFields[.authorization] == "Bearer access-1")
  }

  @Test("OAuth-O16: signing out revokes the refresh token, then the access token")
  func signOut() async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    _ = try await manager.session()
    #expect(await manager.signOut().isComplete)
    #expect(stub.state.withLock { $0.revoked } == ["refresh-1", "access-1"])
  }

  @Test(
    "OAuth-O16: a revocation that fails is told and keeps nobody signed in",
    arguments: [
      Fault.refuseConnection, .status(.internalServerError), .status(.forbidden), .hang,
    ])
  func revocationFails(_ fault: Fault) async throws {
    let stub = OAuthStub()
    let manager = try stub.manager()
    _ = try await manager.session()
    stub.transport.inject(fault, into: .post("/revoke"))
    let work = Task { await manager.signOut() }
    if case .hang = fault {
      for number in 1...2 {
        try await stub.transport.waitForRequests(number, to: .post, "/revoke")
        try await stub.clock.waitForSleepers()
        #expect(manager.current == nil, "over on this side before the server has answered")
        stub.clock.advance(by: .seconds(10))
      }
    }
    #expect(await work.value.serverError != nil)
    #expect(manager.current == nil)
    #expect(stub.transport.count(.post, "/revoke") == 2, "the access token is tried all the same")
  }
}
