import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// One session, an access token for each API, one refresh token (RFC 8707 §2.2).
@Suite("An access token for each API", .timeLimit(.minutes(20)))
struct ResourceTokenTests {
  static let api = "https://api.example/"
  static let orders = "https://orders.example/v1"
  static let files = "https://files.example/"
  static let all = [api, orders, files]

  static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  /// A provider whose refresh tokens are good once.
  static func world(_ change: (inout ProviderSettings) -> Void = { _ in }) throws -> ProviderWorld {
    var settings = ProviderSettings()
    settings.resources = all
    change(&settings)
    return try ProviderWorld(settings)
  }

  /// - Parameter asksForAll: whether the user is asked for all APIs beforehand.
  static func manager(
    _ world: ProviderWorld, asksForAll: Bool = true, resources: [String] = [orders, files],
    store: any SessionStore = EphemeralStore(), isBound: Bool = false
  ) throws -> SessionManager {
    var client = try world.client(pushing: false)
    if asksForAll { client.resources = [api] }
    if isBound { client.dpop = DPoP() }
    var authenticator = try world.authenticator(client)
    authenticator.resources = try resources.map { try OAuthResource($0) }
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: authenticator, transport: world.transport, credentials: .byHandler, store: store,
      configuration: configuration, clock: world.clock)
  }

  func get(_ manager: SessionManager, _ address: String) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).get(Self.url(address)).status
  }

  /// The tokens that were shown to a host, in any order.
  func shown(_ world: ProviderWorld, _ host: String) -> Set<String> {
    Set(
      world.transport.requests.filter { $0.head.authority == host }
        .compactMap { $0.head.headerFields[.authorization].map { String($0.drop { $0 != " " }.dropFirst()) } })
  }

  func resourcesAsked(_ world: ProviderWorld) -> [[String]] {
    world.forms(.token).map { $0.values("resource") }
  }

  @Test("RES-2: each API gets a token of its own, asked for when a request needs it; the user is asked for all at once")
  func each() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    #expect(try await get(manager, Self.api + "things") == .ok)
    #expect(OAuthParameters(of: try #require(world.pages.withLock { $0 }.first)).values("resource") == Self.all)
    #expect(resourcesAsked(world) == [[Self.api]])
    #expect(try await get(manager, Self.orders + "/list?state=open") == .ok)
    #expect(try await get(manager, Self.files + "a/b") == .ok)
    #expect(try await get(manager, Self.orders) == .ok)
    #expect(resourcesAsked(world) == [[Self.api], [Self.orders], [Self.files]])
    let tokens = ["api.example", "orders.example", "files.example"].map { shown(world, $0) }
    #expect(tokens.allSatisfy { $0.count == 1 } && Set(tokens).count == 3, "no token goes to another API")
    let session = try #require(manager.current)
    let orders = try OAuthResource(Self.orders)
    #expect(TokenSet(session, for: orders)?.accessToken.reveal() == tokens[1].first)
    #expect(world.provider.counts.reusedRefreshTokens == 0)
    #expect(manager.history.last?.cause == .neededByRequest)
  }

  @Test("RES-2: what is not below a resource's addresses, and what leads out of them, gets none of its tokens")
  func elsewhere() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.orders)
    let token = try #require(shown(world, "orders.example").first)
    for address in ["https://orders.example/v2", "https://orders.example/v1/../admin", "https://orders.example/v11"] {
      var request = try TransportRequest.get(Self.url(Self.orders))
      request.head.path = String(address.dropFirst("https://orders.example".count))
      _ = try? await AuthenticatedTransport(manager).send(request)
      #expect(world.transport.requests.last?.head.headerFields[.authorization] == nil, "\(address)")
    }
    #expect(!shown(world, "api.example").contains(token))
  }

  @Test("RES-3: fifty tasks for each of three APIs: one call for each token, one at a time, no token shown twice")
  func storm() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    for round in 1...3 {
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group -> [HTTPResponse.Status] in
        for address in [Self.api, Self.orders, Self.files] {
          for _ in 0..<50 { group.addTask { try await get(manager, address) } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count == 150 && statuses.allSatisfy { $0 == .ok })
      #expect(world.provider.counts[.token] == 3 * round)
      #expect(world.provider.counts.reusedRefreshTokens == 0)
      world.clock.advance(by: .seconds(400))
    }
    #expect(world.provider.counts.signIns == 1)
    #expect(!manager.history.contains { $0.kind == .signedOut })
  }

  @Test("RES-3: a request to one API renews no other's token")
  func alone() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    for address in Self.all { _ = try await get(manager, address) }
    world.clock.advance(by: .seconds(400))
    #expect(try await get(manager, Self.files) == .ok)
    #expect(resourcesAsked(world).last == [Self.files])
    #expect(world.provider.counts[.token] == 4)
    #expect(try await get(manager, Self.api) == .ok)
    #expect(resourcesAsked(world).last == [Self.api])
    #expect(try await get(manager, Self.files) == .ok)
    #expect(world.provider.counts[.token] == 5, "a renewal of the rest keeps it")
  }

  @Test("RES-4: an answer that is lost costs one call more, and neither the session nor another API's token")
  func lostAnswer() async throws {
    let world = try Self.world { $0.rotation = .repeatsSuccessor }
    let manager = try Self.manager(world)
    for address in [Self.api, Self.orders] { _ = try await get(manager, address) }
    world.transport.inject(.dropAfterServerActed, into: .post(world.provider.address(of: .token).path()), at: .nth(1))
    #expect(await failure { try await get(manager, Self.files) }?.code == .connectionLost)
    #expect(try await get(manager, Self.orders) == .ok)
    #expect(try await get(manager, Self.api) == .ok)
    world.clock.advance(by: .seconds(30))
    #expect(try await get(manager, Self.files) == .ok)
    #expect(world.provider.counts.signIns == 1 && world.provider.counts.repeatedRenewals == 1)
    #expect(world.provider.counts.reusedRefreshTokens == 0)
  }

  @Test("RES-4: what a strict provider can't repeat ends the session with its cause, as for any renewal")
  func lostForGood() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.api)
    world.transport.inject(.dropAfterServerActed, into: .post(world.provider.address(of: .token).path()), at: .nth(1))
    _ = await failure { try await get(manager, Self.files) }
    world.clock.advance(by: .seconds(30))
    // The user is asked again, and the new sign-in has a token of its own.
    #expect(try await get(manager, Self.files) == .ok)
    #expect(manager.history.contains { $0.kind == .failed && $0.cause == .rejectedByServer })
    #expect(world.provider.counts.signIns == 2)
  }

  @Test(
    "RES-5: a resource that is refused fails its own requests and nothing else",
    arguments: ["invalid_target", "invalid_scope", "access_denied", "consent_required", "interaction_required"])
  func refused(_ code: String) async throws {
    let world = try Self.world()
    let manager = try Self.manager(world, asksForAll: false)
    _ = try await get(manager, Self.api)
    let token = world.provider.address(of: .token).path()
    world.transport.inject(
      .respond(.json(["error": .string(code)], status: .badRequest)), into: .post(token), at: .nth(1))
    let error = try #require(await failure { try await get(manager, Self.files) })
    #expect(error.code == .noProofForAddress && error.disposition == .misuse, "\(error)")
    #expect((error.underlying as? OstiaryError)?.underlying is OAuthRefusal)
    #expect(try await get(manager, Self.api) == .ok)
    #expect(try await get(manager, Self.orders) == .ok)
    #expect(!manager.history.contains { $0.kind == .signedOut })
    #expect(world.provider.counts.signIns == 1)
    #expect(try await get(manager, Self.files) == .ok, "it may be given another time")
  }

  @Test("RES-5: a resource that the server does not know is no reason to end a session, however many ask")
  func unknown() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world, asksForAll: false, resources: [Self.orders, "https://unknown.example/"])
    _ = try await get(manager, Self.api)
    let codes = await withTaskGroup(of: OstiaryError.Code?.self) { group -> Set<OstiaryError.Code?> in
      for _ in 0..<20 { group.addTask { await failure { try await get(manager, "https://unknown.example/x") }?.code } }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(codes == [.noProofForAddress])
    #expect(try await get(manager, Self.orders) == .ok)
    #expect(manager.status.isSignedIn)
    #expect(
      !world.transport.requests.contains { $0.head.authority == "unknown.example" }, "nothing goes without a token")
  }

  @Test("RES-6: a new process goes on with all tokens, and what one renews another takes from the store")
  func restart() async throws {
    let world = try Self.world()
    let store = EphemeralStore()
    let first = try Self.manager(world, store: store)
    for address in Self.all { _ = try await get(first, address) }
    let second = try Self.manager(world, store: store)
    for address in Self.all { #expect(try await get(second, address) == .ok) }
    #expect(world.provider.counts[.token] == 3)
    world.clock.advance(by: .seconds(400))
    for address in Self.all.reversed() {
      #expect(try await get(first, address) == .ok)
      #expect(try await get(second, address) == .ok)
    }
    #expect(world.provider.counts[.token] == 6)
    #expect(world.provider.counts.reusedRefreshTokens == 0)
  }

  @Test("RES-6: two processes on one store, fifty tasks each for each API: one call for each token")
  func processes() async throws {
    let world = try Self.world()
    let store = EphemeralStore()
    let managers = [try Self.manager(world, store: store), try Self.manager(world, store: store)]
    _ = try await get(managers[0], Self.api)
    _ = await managers[1].restore()
    // Neither needs the session's own token to be good.
    world.clock.advance(by: .seconds(400))
    let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group -> [HTTPResponse.Status] in
      for manager in managers {
        for address in [Self.orders, Self.files] {
          for _ in 0..<50 { group.addTask { try await get(manager, address) } }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == .ok })
    #expect(world.provider.counts[.token] == 3)
    #expect(world.provider.counts.reusedRefreshTokens == 0)
  }

  @Test("RES-7: a token that its API refuses is renewed once for all; the session's other tokens are as good as before")
  func refusedToken() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    for address in Self.all { _ = try await get(manager, address) }
    let old = try #require(shown(world, "orders.example").first)
    let before = try #require(manager.current?.proof.tokens[OAuthAuthenticator.accessToken])
    world.transport.on(.get, "/v1/revoked") { request in
      guard request.head.headerFields[.authorization] == "Bearer " + old else { return .json(["ok": true]) }
      return OAuthStub.refused
    }
    let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group -> [HTTPResponse.Status] in
      for _ in 0..<20 { group.addTask { try await get(manager, Self.orders + "/revoked") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == .ok })
    #expect(world.provider.counts[.token] == 4)
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.accessToken] == before)
    #expect(manager.history.count { $0.kind == .rejected } == 1)
    #expect(try await get(manager, Self.api) == .ok)
    #expect(world.provider.counts[.token] == 4)
  }

  @Test("RES-7: a refusal behind a redirect to another API is about that one's token")
  func redirected() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    for address in Self.all { _ = try await get(manager, address) }
    let old = try #require(shown(world, "orders.example").first)
    let before = try #require(manager.current?.proof.tokens[OAuthAuthenticator.accessToken])
    world.transport.on(.get, "/moved") { _ in
      .status(.found, headerFields: [.location: Self.orders + "/revoked"])
    }
    world.transport.on(.get, "/v1/revoked") { request in
      guard request.head.headerFields[.authorization] == "Bearer " + old else { return .json(["ok": true]) }
      return OAuthStub.refused
    }
    #expect(try await get(manager, Self.api + "moved") == .ok)
    #expect(world.provider.counts[.token] == 4)
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.accessToken] == before)
  }

  @Test("RES-7: an API that refuses whatever it is shown does not keep the server busy, nor end the session")
  func neverContent() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.api)
    world.transport.on(.get, "/v1/never") { _ in OAuthStub.refused }
    for _ in 0..<20 {
      #expect(await failure { try await get(manager, Self.orders + "/never") }?.code == .challengedAgain)
    }
    #expect(world.provider.counts[.token] <= 5)
    #expect(try await get(manager, Self.api) == .ok)
    #expect(try await get(manager, Self.files) == .ok)
    world.clock.advance(by: .seconds(100))
    #expect(try await get(manager, Self.orders + "/list") == .ok, "it is tried again")
  }

  @Test("RES-8: a late refusal of the session's own token counts, though another API's has come meanwhile")
  func lateRefusal() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await get(manager, Self.api)
    let old = try #require(shown(world, "api.example").first)
    world.transport.on(.get, "/revoked") { request in
      request.head.headerFields[.authorization] == "Bearer " + old ? OAuthStub.refused : .json(["ok": true])
    }
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .get("/revoked"), at: .nth(1))
    let late = Task { try await get(manager, Self.api + "revoked") }
    try await gate.waitForArrivals()
    #expect(try await get(manager, Self.orders) == .ok)
    gate.open()
    #expect(try await late.value == .ok)
    #expect(world.provider.counts[.token] == 3)
  }

  @Test("RES-9: bound tokens go with proofs by the session's one key")
  func bound() async throws {
    let world = try Self.world {
      $0.requiresProofs = true
      $0.nonces = .eachAnswer
    }
    let manager = try Self.manager(world, isBound: true)
    for _ in 1...2 {
      for address in Self.all { #expect(try await get(manager, address) == .ok) }
      world.clock.advance(by: .seconds(400))
    }
    #expect(world.provider.counts.signIns == 1 && world.provider.counts.reusedRefreshTokens == 0)
    for request in world.transport.requests where request.head.authority == "orders.example" {
      #expect(request.head.headerFields[.authorization]?.hasPrefix("DPoP ") == true)
    }
  }

  @Test("RES-10: for requests that the app sends itself, a session with an API's token is got for its address")
  func ownRequests() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    _ = try await manager.session()
    var request = try TransportRequest.get(Self.url(Self.orders + "/list")).head
    #expect(manager.attach(to: &request) == .noSession)
    #expect(request.headerFields[.authorization] == nil)
    let session = try await manager.session(for: request)
    #expect(manager.attach(to: &request) == .attached(session.version))
    let token = try #require(TokenSet(session, for: OAuthResource(Self.orders))?.accessToken)
    #expect(request.headerFields[.authorization] == "Bearer " + token.reveal())
    let sent = TransportRequest(request)
    _ = await manager.judge(OAuthStub.refused, to: sent, carrying: session.version)
    #expect(manager.attach(to: &request) == .noSession)
    #expect(
      try await manager.session().proof.tokens[OAuthAuthenticator.accessToken] == session.proof.tokens["access_token"])
    #expect(try await manager.session(for: request).version != session.version)
  }

  @Test("RES-11: a request to a resource's address gets a session by itself; a sign-out revokes every token")
  func whole() async throws {
    let world = try Self.world()
    let manager = try Self.manager(world)
    #expect(try await get(manager, Self.orders) == .ok)
    #expect(try await get(manager, Self.files) == .ok)
    let tokens = shown(world, "orders.example").union(shown(world, "files.example"))
    _ = await manager.signOut()
    let revoked = Set(world.forms(.revocation).compactMap { $0["token"] })
    #expect(revoked.isSuperset(of: tokens) && revoked.count == 4)
    let token = try #require(tokens.first)
    #expect(!"\(manager.history)".contains(token))
  }
}
