import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// RFC 9470 at a provider: the API wants a stronger or more recent sign-in than the session's.
@Suite("StepUp: at a provider (RFC 9470)", .timeLimit(.minutes(20)))
struct StepUpProviderTests {
  private let world: ProviderWorld

  init() throws { world = try ProviderWorld() }

  private func manager(stepsUp: Bool = true) throws -> SessionManager {
    let directory = ServerDirectory(transport: world.transport, clock: world.clock)
    let client = try OAuthClient(id: "app", issuer: world.provider.settings.issuer, in: directory)
    let scope = "openid offline_access"
    var authenticator = try OAuthAuthenticator(
      server: world.provider.address(of: .resource), client: client,
      flow: .authorizationCode(in: world.browser, redirectURI: ProviderWorld.redirectURI, scope: scope))
    if stepsUp {
      authenticator.stepUp = .authorizationCode(
        in: world.browser, redirectURI: ProviderWorld.redirectURI, scope: scope, parameters: ["acr_values": "0"])
    }
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: authenticator, transport: world.transport, credentials: .byHandler, configuration: configuration,
      clock: world.clock)
  }

  private func get(_ manager: SessionManager) async throws -> HTTPResponse.Status {
    try await AuthenticatedTransport(manager).get(world.provider.address(of: .resource)).status
  }

  @Test("StepUp-9: the page is asked for what the API demands, and the requests go on with the stronger sign-in")
  func stronger() async throws {
    world.provider.settings.demand = StepUpDemand(strengths: ["2", "3"], maximumAge: 60)
    let manager = try manager()
    _ = try await manager.session()
    world.clock.advance(by: .seconds(30))
    let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
      for _ in 0..<20 { group.addTask { try await get(manager) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == .ok })
    let pages = world.pages.withLock { $0 }.map { OAuthParameters(of: $0) }
    #expect(pages.count == 2)
    let token = try #require(manager.current.flatMap(IDToken.init(of:)))
    #expect(token.contextClass == "2")
    #expect(manager.current?.user.id == world.provider.user?.id)
  }

  @Test("StepUp-9: a sign-in that is too long ago is made anew, and then only once")
  func newer() async throws {
    let manager = try manager()
    #expect(try await get(manager) == .ok)
    world.provider.settings.demand = StepUpDemand(maximumAge: 60)
    world.clock.advance(by: .seconds(120))
    #expect(try await get(manager) == .ok)
    #expect(try await get(manager) == .ok)
    #expect(world.pages.withLock { $0.count } == 2)
  }

  @Test("StepUp-9: a provider that does not do what was demanded is refused by its ID token, and the session works")
  func weak() async throws {
    let manager = try manager()
    #expect(try await get(manager) == .ok)
    let before = manager.current
    world.provider.settings.demand = StepUpDemand(strengths: ["2"])
    world.provider.makeWrong(.weakAuthentication)
    let error = await failure { try await get(manager) }
    #expect(error?.code == .strongerSignInNeeded)
    #expect((error?.underlying as? OstiaryError)?.code == .idTokenRefused)
    world.provider.settings.demand = nil
    #expect(manager.current == before)
    #expect(try await get(manager) == .ok)
  }

  @Test("StepUp-9: another user's stronger sign-in is refused")
  func anotherUser() async throws {
    let manager = try manager()
    #expect(try await get(manager) == .ok)
    let before = manager.current
    world.provider.settings.demand = StepUpDemand(strengths: ["2"])
    world.provider.makeWrong(.changedSubject)
    let error = await failure { try await get(manager) }
    #expect(error?.code == .strongerSignInNeeded)
    #expect((error?.underlying as? OstiaryError)?.code == .anotherUser)
    #expect(manager.current == before)
  }

  @Test("StepUp-9: without a way to step up, the app gets the API's answer, and nothing is renewed or refused")
  func answered() async throws {
    let manager = try manager(stepsUp: false)
    #expect(try await get(manager) == .ok)
    let before = manager.current
    world.provider.settings.demand = StepUpDemand(strengths: ["2"])
    #expect(try await get(manager) == .unauthorized)
    #expect(manager.current == before)
    #expect(world.pages.withLock { $0.count } == 1)
  }
}
