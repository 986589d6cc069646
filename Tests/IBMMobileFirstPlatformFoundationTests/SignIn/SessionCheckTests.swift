import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

@Suite("obtainAccessToken completes without a token when the gateway's session stands", .timeLimit(.minutes(20)))
struct SessionCheckTests {
  @Test("Bug-D04 obtainAccessToken: the handlers sign in, and it completes with neither token nor error")
  func signsIn() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    for _ in 1...2 {
      let (ending, hasToken) = await world.obtainAccessToken()
      #expect(ending.isSuccess && !hasToken && ending.wasOnMainQueue)
    }
    #expect(handler.challenges.count == 1 && gateway.logins == 1)
  }

  @Test("Gateway-S6, Bug-D04 obtainAccessToken: ten at once make one sign-in, and each is told once")
  func tenAtOnce() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    let endings = await withTaskGroup(of: Ending.self) { group in
      for _ in 1...10 { group.addTask { await world.obtainAccessToken().ending } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(endings.allSatisfy(\.isSuccess) && endings.count == 10)
    #expect(gateway.logins == 1)
  }

  @Test("Bug-D04 obtainAccessToken: a user who declines, and a server that is down, are errors")
  func failures() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    world.client.registerChallengeHandler(RecordingHandler(challenge: { handler, _ in handler.cancel() }))
    #expect(await world.obtainAccessToken().ending.code == WLErrorCode.challengeHandlingCanceled)
    let transport = scripted()
    transport.inject(.refuseConnection)
    let down = World(URL(string: "http://mfp.test/mfp"), transport: transport)
    #expect(await down.obtainAccessToken().ending.code == WLErrorCode.unresponsiveHost)
  }

  @Test("Bug-D04 obtainAccessToken: a login form that no handler recognises is no session")
  func unrecognised() async throws {
    let world = World(try MobileFirstGateway())
    #expect(await world.obtainAccessToken().ending.code == WLErrorCode.authorizationFailure)
  }

  @Test(
    "Bug-D04 obtainAccessToken: what is behind the gateway may answer as it likes; a refusal is no session",
    arguments: [
      (200, true), (204, true), (404, true), (405, true), (401, false), (403, false), (500, false), (503, false),
    ])
  func statuses(_ status: Int, _ stands: Bool) async {
    let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.init(code: status), "x"))
    #expect(await world.obtainAccessToken().ending.isSuccess == stands)
    let bearer: HTTPFields = [.wwwAuthenticate: "Bearer"]
    let token = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.unauthorized, "", bearer))
    #expect(await token.obtainAccessToken().ending.isSuccess)
  }

  @Test("Bug-D04 obtainAccessToken: an address for the session check that is not there is named")
  func wrongAddress() async {
    let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.notFound))
      .allowingHTTP { $0.sessionCheck = "adapters/nowhere" }
    #expect(await world.obtainAccessToken().ending.says("\"adapters/nowhere\" (sessionCheck)"))
  }

  @Test("Bug-D04 tokens: there are none, wherever the vendor has a place for one")
  func noTokens() throws {
    let world = World(nil, transport: scripted())
    let manager = world.manager
    #expect(manager.cachedAuthorizationHeader == nil && manager.userIdentity == nil)
    #expect(manager.deviceIdentity == nil && manager.appIdentity == nil)
    #expect(world.client.lastAccessToken() == nil && world.client.lastAccessToken(forScope: "a") == nil)
    manager.clear(nil)
    manager.clearAccessToken(nil)
    manager.authorizationServerURL = URL(string: "https://az.test/")
    #expect(manager.authorizationServerURL == URL(string: "https://az.test/"))
  }

  @Test("Gateway-S11, Bug-D04 AccessToken: the token is in no description")
  func token() throws {
    let token = try #require(AccessToken(token: "s3cr3t+", withExpiration: 60, forScope: "a b"))
    #expect(token.value == "s3cr3t+" && token.scope == "a b")
    #expect(token.asAuthorizationRequestHeaderField == "Bearer s3cr3t+")
    #expect(token.asFormEncodedBodyParameter == "access_token=s3cr3t%2B")
    var dump = ""
    Swift.dump(token, to: &dump)
    #expect(!"\(dump) \(token) \(String(reflecting: token))".contains("s3cr3t"))
  }
}
