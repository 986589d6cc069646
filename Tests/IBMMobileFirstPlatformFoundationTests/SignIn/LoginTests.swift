import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("WLAuthorizationManager.login signs in to the gateway", .timeLimit(.minutes(20)))
struct LoginTests {
  private let fred = ["username": "fred", "password": MobileFirstGateway.password]

  @Test(
    "Bug-D04 login: with credentials the gateway's form is filled in, and requests carry the session",
    arguments: [MobileFirstGateway.Manner.page, .unauthorized, .forbidden, .redirect],
    MobileFirstGateway.Landing.allCases)
  func credentials(_ manner: MobileFirstGateway.Manner, _ landing: MobileFirstGateway.Landing) async throws {
    let gateway = try MobileFirstGateway {
      $0.manner = manner
      $0.landing = landing
      $0.demandsToken = true
    }
    let world = World(gateway).allowingHTTP()
    let ending = await world.login(fred)
    #expect(ending.isSuccess && ending.wasOnMainQueue, "\(ending)")
    #expect(gateway.logins == 1)
    #expect(await world.fetch("adapters/a").text == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(world.client.httpCookieStorage().cookies?.map(\.name) == ["LtpaToken2"])
  }

  @Test("Bug-D04 login: a wrong password fails with AUTHORIZATION_FAILURE and leaves no session")
  func wrongPassword() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway).allowingHTTP()
    let ending = await world.login(["username": "fred", "password": "wrong"])
    #expect(ending.code == WLErrorCode.authorizationFailure && ending.number == WLClientErrorAuthenticationFailure)
    #expect(!ending.says("wrong") && gateway.logins == 0 && gateway.refusals == 1)
    #expect((world.client.httpCookieStorage().cookies ?? []).isEmpty)
  }

  @Test("Bug-D04 login: another user's sign-in takes the place of the first one's cookies")
  func anotherUser() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway).allowingHTTP()
    #expect(await world.login(fred).isSuccess)
    #expect(await world.login(fred).isSuccess)
    #expect(gateway.logins == 2)
    #expect(world.client.httpCookieStorage().cookies?.map(\.value) == ["t2"])
    #expect(!(await world.login(["username": "ann", "password": "no"]).isSuccess))
    #expect(await world.fetch("a").status == 200)
  }

  @Test("Bug-D04 login: without credentials the registered handlers answer, as with any request")
  func handlers() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    #expect(await world.login(nil).isSuccess)
    #expect(await world.login([:]).isSuccess)
    #expect(handler.challenges.count == 1 && gateway.logins == 1)
    let declining = World(try MobileFirstGateway())
    declining.client.registerChallengeHandler(RecordingHandler(challenge: { handler, _ in handler.cancel() }))
    #expect(await declining.login(nil).code == WLErrorCode.challengeHandlingCanceled)
  }

  @Test("Bug-D04 login: a challenge that a handler has in hand is answered by it")
  func challengeInHand() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway).allowingHTTP()
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let waiting = world.fetch("a")
    await handler.challenges.wait()
    #expect(await world.login(fred).isSuccess)
    #expect(await waiting.status == 200)
    #expect(gateway.logins == 1 && handler.challenges.count == 1)
  }

  @Test("Gateway-S6, Bug-D04 login: a second login while the first is under way is refused; each is told once")
  func twice() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.loginGate = gate }
    let world = World(gateway).allowingHTTP()
    let manager = world.manager
    manager.setLoginTimeOut(600)
    async let first = world.login(fred, by: manager)
    try await gate.waitForWaiting()
    #expect(await world.login(fred, by: manager).code == WLErrorCode.loginAlreadyInProcess)
    gate.open()
    #expect(await first.isSuccess)
    #expect(await world.login(fred, by: manager).isSuccess)
  }

  @Test("Bug-D04 login: a gateway that takes the form and still asks has signed no user in")
  func claim() async throws {
    let server = try LoopbackServer { request in
      guard request.method == "GET" else {
        return [.response(200, [("Content-Type", "text/html")], body: "<p>Welcome</p>")]
      }
      return [
        .response(
          200, [("Content-Type", "text/html")],
          body: "<form method=post action=/in><input name=user><input type=password name=pw></form>")
      ]
    }
    let ending = await World(server.url("/mfp")).allowingHTTP().login(fred)
    #expect(ending.code == WLErrorCode.authorizationFailure && ending.says("still asks to sign in"))
  }

  @Test("Bug-D04 login: where it can't be shown that the session stands, login says so, and its cookies are kept")
  func doubt() async throws {
    let (isSent, isUp) = (Locked(false), Locked(false))
    let server = try LoopbackServer { request in
      if request.method == "POST" {
        isSent.withLock { $0 = true }
        return [.response(200, [("Content-Type", "text/html"), ("Set-Cookie", "s=1; Path=/")], body: "<p>Welcome</p>")]
      }
      guard isSent.withLock({ $0 }) else {
        return [
          .response(
            200, [("Content-Type", "text/html")],
            body: "<form method=post action=/in><input name=user><input type=password name=pw></form>")
        ]
      }
      return isUp.withLock { $0 } ? [.response(200, body: request.fields[.cookie] ?? "none")] : [.response(503)]
    }
    let world = World(server.url("/mfp")).allowingHTTP()
    #expect(await world.login(fred).code == WLErrorCode.serverError)
    isUp.withLock { $0 = true }
    #expect(await world.fetch("a").text == "s=1")
  }

  @Test("Bug-D04 login: over plain http the password is not sent unless the configuration allows it")
  func plainHTTP() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let ending = await world.login(fred)
    #expect(ending.says("plain http"))
    #expect(!gateway.server.requests.contains { $0.method == "POST" })
  }

  @Test("Bug-D04 login: credentials under other names are refused, and the error names the keys")
  func unnamed() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway).allowingHTTP()
    let ending = await world.login(["benutzer": "fred", "password": "secret"])
    #expect(ending.code == WLErrorCode.illegalArgument)
    #expect(ending.says("usernameCredential") && ending.says("\"benutzer\"") && !ending.says("secret"))
    #expect(gateway.server.requests.isEmpty)
  }

  @Test("Bug-D04 login: a gateway that does not ask, no server, and a server that is down are told apart")
  func obstacles() async throws {
    let open = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.ok, "{}")).allowingHTTP()
    #expect(await open.login(fred).says("(sessionCheck)"))
    let nowhere = World(nil, transport: scripted()).allowingHTTP()
    #expect(await nowhere.login(fred).code == WLErrorCode.illegalArgument)
    let transport = scripted()
    transport.inject(.refuseConnection)
    let down = World(URL(string: "http://mfp.test/mfp"), transport: transport).allowingHTTP()
    #expect(await down.login(fred).code == WLErrorCode.unresponsiveHost)
  }

  @Test("Bug-D04 login: global fields go along, and the time-out is the manager's")
  func fieldsAndTimeout() async throws {
    let transport = scripted(.internalServerError)
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport).allowingHTTP()
    world.client.addGlobalHeader("X-App", headerValue: "1")
    let manager = world.manager
    #expect(manager.timeOut == 10)
    manager.setLoginTimeOut(3)
    #expect(await world.login(fred, by: manager).code == WLErrorCode.serverError)
    let sent = try #require(transport.requests.last)
    #expect(sent.timeout == .seconds(3))
    #expect(sent.head.headerFields[try #require(HTTPField.Name("X-App"))] == "1")
    manager.timeOut = 0
    #expect(manager.timeOut == 10)
  }

  @Test("Bug-D04 login: the handler of a security check of that name is told, too")
  func tellsCheck() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway).allowingHTTP()
    let handler = RecordingCheck("UserLogin")
    world.client.registerChallengeHandler(handler)
    #expect(!(await world.login(["username": "fred", "password": "no"], check: "UserLogin").isSuccess))
    #expect(await world.login(fred, check: "UserLogin").isSuccess)
    #expect(handler.heard.withLock { $0 }.map(\.kind) == ["failure", "success"])
    #expect(handler.heard.withLock { $0.last }?.text == "fred")
  }
}
