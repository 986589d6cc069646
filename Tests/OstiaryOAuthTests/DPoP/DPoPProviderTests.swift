import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiarySealing
import OstiaryTesting
import TestSupport
import Testing

/// The whole of it at the provider in memory, which verifies what it is shown.
@Suite("DPoP: a whole provider", .timeLimit(.minutes(20)))
struct DPoPProviderTests {
  private static func settings(_ nonces: NonceMode = .onlyNewest, key: SigningKey? = nil) -> ProviderSettings {
    var settings = ProviderSettings()
    settings.requiresProofs = true
    settings.nonces = nonces
    settings.clients = [ProviderClient(key: key?.publicKey)]
    return settings
  }

  private func manager(
    _ world: ProviderWorld, _ authentication: ClientAuthentication = .none, pushing: Bool = true
  ) throws -> SessionManager {
    var client = try world.client(authentication, pushing: pushing)
    client.dpop = DPoP()
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: try world.authenticator(client), transport: world.transport, credentials: .byHandler,
      configuration: configuration, clock: world.clock)
  }

  @Test(
    "DPoP-16: pushed request, signed client, bound tokens: a sign-in, requests and renewals",
    arguments: [NonceMode.none, .fixed, .eachAnswer, .onlyNewest])
  func everything(nonces: NonceMode) async throws {
    let key = try SigningKey.make(.es256)
    var settings = Self.settings(nonces, key: key)
    settings.requiresPushedRequests = true
    let world = try ProviderWorld(settings)
    let manager = try manager(world, .privateKeyJWT(key))
    let http = AuthenticatedTransport(manager)
    let resource = world.provider.address(of: .resource)
    #expect(try await http.get(resource).status == .ok)
    let stored = try #require(manager.current?.proof.tokens[OAuthAuthenticator.proofKey])
    let thumbprint = try SoftwareDPoPKeys().key(storedAs: stored).thumbprint
    #expect(world.forms(.pushedAuthorization).last?["dpop_jkt"] == thumbprint)
    for round in 1...3 {
      world.clock.advance(by: .seconds(400))
      #expect(try await http.get(resource).status == .ok)
      #expect(world.provider.counts.renewals == round)
    }
    #expect(world.provider.counts.signIns == 1)
    // Its first nonce at each of the two origins is all that it had to be told.
    #expect(world.provider.counts.demandedNonces == (nonces == .none ? 0 : 2))
    #expect(world.provider.counts.reusedRefreshTokens == 0)
  }

  @Test("DPoP-16: the provider's clock is another than this device's", arguments: [-3600.0, 3600])
  func otherClock(offset: Double) async throws {
    var settings = Self.settings()
    settings.clockOffset = offset
    let world = try ProviderWorld(settings)
    let http = AuthenticatedTransport(try manager(world))
    #expect(try await http.get(world.provider.address(of: .resource)).status == .ok)
    world.clock.advance(by: .seconds(400))
    #expect(try await http.get(world.provider.address(of: .resource)).status == .ok)
    #expect(world.provider.counts.renewals == 1)
  }

  @Test("DPoP-9: fifty tasks at a strict provider whose nonces are good once: one renewal each time")
  func storm() async throws {
    let world = try ProviderWorld(Self.settings())
    let manager = try manager(world)
    let http = AuthenticatedTransport(manager)
    let resource = world.provider.address(of: .resource)
    _ = try await http.get(resource)
    for round in 1...4 {
      world.clock.advance(by: .seconds(400))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            let status = try await http.get(resource).status
            #expect(status == .ok)
          }
        }
        try await group.waitForAll()
      }
      #expect(world.provider.counts.renewals == round)
    }
    #expect(world.provider.counts.reusedRefreshTokens == 0)
    #expect(manager.history.allSatisfy { $0.kind != .signedOut && $0.kind != .failed })
  }

  @Test("DPoP-12: a provider that answers the proof of a renewal with bearer tokens")
  func bearer() async throws {
    let world = try ProviderWorld(Self.settings())
    let manager = try manager(world)
    let http = AuthenticatedTransport(manager)
    let resource = world.provider.address(of: .resource)
    #expect(try await http.get(resource).status == .ok)
    world.provider.makeWrong(.bearerInAnswerToProof, at: .token)
    world.clock.advance(by: .seconds(400))
    let executed = world.provider.counts[.resource]
    #expect(await failure { try await http.get(resource) }?.code == .tokenNotBound)
    #expect(world.provider.counts[.resource] == executed)
    world.provider.makeRight()
    world.clock.advance(by: .seconds(400))
    #expect(try await http.get(resource).status == .ok)
  }

  @Test("DPoP-7: a provider that wants a nonce each time, or one without saying which", arguments: [true, false])
  func insisting(hasValue: Bool) async throws {
    let world = try ProviderWorld(Self.settings(.none))
    let manager = try manager(world)
    let http = AuthenticatedTransport(manager)
    let resource = world.provider.address(of: .resource)
    #expect(try await http.get(resource).status == .ok)
    world.provider.makeWrong(hasValue ? .nonceEachTime : .nonceWithoutValue, at: .token, .resource)
    let before = world.provider.counts
    let error = try #require(await failure { try await http.get(resource) })
    #expect(error.isTransient)
    #expect(world.provider.counts[.resource] == before[.resource] + (hasValue ? 4 : 1))
    world.clock.advance(by: .seconds(400))
    let renewal = try #require(await failure { try await http.get(resource) })
    #expect(renewal.isTransient)
    #expect(world.provider.counts[.token] == before[.token] + (hasValue ? 4 : 1))
    #expect(manager.current != nil)
    world.provider.makeRight()
    world.clock.advance(by: .seconds(3600))
    #expect(try await http.get(resource).status == .ok)
    #expect(world.provider.counts.signIns == 1)
  }

  @Test("DPoP-17: a request that is finished by another process is finished with its key")
  func anotherProcess() async throws {
    let world = try ProviderWorld(Self.settings())
    let seals = SealingKeys(current: .random())
    var client = try world.client(pushing: false)
    client.dpop = DPoP()
    let key = try SoftwareDPoPKeys().makeKey()
    let request = try AuthorizationRequest(
      client.proving(with: key), redirectURI: ProviderWorld.redirectURI, scope: "offline_access")
    let end = world.clock.now.addingTimeInterval(600)
    let cookie = try client.sealed(request, with: seals, until: end)
    let callback = try world.provider.visit(request.url)
    // A fresh process has the client, the cookie and the keys of the seal.
    let begun = try client.authorizationRequest(sealed: cookie, with: seals, at: world.clock.now)
    let tokens = try await client.tokens(for: begun.check(callback), to: begun, in: world.context)
    #expect(tokens.proofKey == key.stored)
    #expect(tokens.tokenType.lowercased() == "dpop")
    #expect(!cookie.contains(key.stored.reveal()))
  }
}
