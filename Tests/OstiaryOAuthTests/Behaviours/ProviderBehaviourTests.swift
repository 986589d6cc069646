import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// Servers with ways of their own, over the provider in memory: what comes of a session at each of them.
@Suite("Servers with ways of their own", .timeLimit(.minutes(20)))
struct ProviderBehaviourTests {
  /// Which way the server has.
  enum Way: String, CaseIterable, Sendable {
    /// As the standards say.
    case usual
    /// Refusals are empty 400s.
    case emptyRefusals400
    /// Refusals are 403s with names of the server's own.
    case ownErrorNames403
    /// No answer says how long tokens live.
    case noExpiresIn
    /// A refresh token changes only when the access token is used.
    case changesRefreshTokenOnlyOnUse

    var fault: ProviderFault? { ProviderFault(rawValue: rawValue) }
  }

  /// A session that has been used once at a strict server whose access tokens live for 3 seconds.
  private func begin(
    _ way: Way, _ change: (inout OAuthClient) -> Void = { _ in }
  ) async throws -> (world: ProviderWorld, manager: SessionManager, http: AuthenticatedTransport, api: URL) {
    var settings = ProviderSettings()
    settings.accessTokenLifetime = .seconds(3)
    let world = try ProviderWorld(settings)
    if let fault = way.fault { world.provider.makeWrong(fault) }
    var client = try world.client()
    change(&client)
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    configuration.expiryMargin = .seconds(1)
    let manager = SessionManager(
      authenticator: try world.authenticator(client), transport: world.transport, credentials: .byHandler,
      configuration: configuration, clock: world.clock)
    let http = AuthenticatedTransport(manager)
    let api = world.provider.address(of: .resource)
    #expect(try await http.get(api).status == .ok)
    return (world, manager, http, api)
  }

  @Test("Issue 18, done 9: a renewal past the expiry costs one, and asks no person", arguments: Way.allCases)
  func renewal(_ way: Way) async throws {
    let (world, manager, http, api) = try await begin(way)
    world.clock.advance(by: .seconds(4))
    #expect(try await http.get(api).status == .ok)
    #expect(world.provider.counts.renewals == 1)
    #expect(world.provider.counts.signIns == 1)
    #expect(world.provider.counts.executed == 2)
    #expect(manager.lastSignOut == nil)
  }

  @Test("Issue 18, done 9: twenty tasks at one expiry renew once", arguments: Way.allCases)
  func crowd(_ way: Way) async throws {
    let (world, _, http, api) = try await begin(way)
    world.clock.advance(by: .seconds(4))
    try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for _ in 0..<20 { group.addTask { try await http.get(api).status } }
      for try await status in group { #expect(status == .ok) }
    }
    #expect(world.provider.counts.renewals == 1)
    #expect(world.provider.counts.signIns == 1)
  }

  @Test("Issue 18, done 9: what a lost answer costs at a strict server", arguments: Way.allCases)
  func lostAnswer(_ way: Way) async throws {
    let (world, manager, http, api) = try await begin(way)
    world.clock.advance(by: .seconds(4))
    world.transport.inject(.dropAfterServerActed, into: .post("/token"), at: .nth(1))
    #expect(await failure { try await http.get(api) }?.isTransient == true)
    #expect(manager.lastSignOut == nil)
    world.clock.advance(by: .seconds(60))
    switch way {
    case .usual, .noExpiresIn:
      // The spent token is taken for stolen: the server's word, and the user is asked again.
      #expect(try await http.get(api).status == .ok)
      #expect(world.provider.counts.reusedRefreshTokens == 1)
      #expect(world.provider.counts.signIns == 2)
      // The new sign-in has taken the place of the old one: between them there was no signed-out user.
      #expect(manager.lastSignOut == nil && manager.current != nil)
    case .emptyRefusals400, .ownErrorNames403:
      // The server's refusal says nothing that is known: no user is signed out by it.
      #expect(await failure { try await http.get(api) }?.isTransient == true)
      #expect(manager.lastSignOut == nil)
      #expect(world.provider.counts.signIns == 1)
    case .changesRefreshTokenOnlyOnUse:
      #expect(try await http.get(api).status == .ok)
      #expect(world.provider.counts.renewals == 2)
      #expect(world.provider.counts.signIns == 1)
    }
  }

  @Test(
    "Issue 18, done 9: refusals in a server's own words end a session where the program knows them",
    arguments: [Way.emptyRefusals400, .ownErrorNames403])
  func taught(_ way: Way) async throws {
    let (world, manager, http, api) = try await begin(way) { client in
      client.takesUnclearRefusalsForRefusals = way == .emptyRefusals400
      if way == .ownErrorNames403 {
        client.terminalRefusals[.init("provider_invalid_grant")] = "The server says that the sign-in is over."
      }
    }
    world.provider.endSignIns()
    world.clock.advance(by: .seconds(4))
    #expect(try await http.get(api).status == .ok)
    #expect(world.provider.counts.signIns == 2)
    #expect(manager.lastSignOut == nil && manager.current != nil)
  }

  @Test("Issue 18, done 9: a sign-out is one at the server, too", arguments: Way.allCases)
  func signOut(_ way: Way) async throws {
    let (world, manager, _, _) = try await begin(way)
    #expect(await manager.signOut().isComplete)
    #expect(world.provider.signedInUsers.isEmpty)
    #expect(manager.current == nil)
  }
}
