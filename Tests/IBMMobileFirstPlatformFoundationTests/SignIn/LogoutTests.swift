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

@Suite("WLAuthorizationManager.logout signs out of the gateway", .timeLimit(.minutes(20)))
struct LogoutTests {
  @Test(
    "Bug-D04 logout: WebSEAL's session is ended where its form was sent, and the next call is challenged (Gateway-S9)")
  func webSEAL() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    let ending = await world.logout()
    #expect(ending.isSuccess && ending.wasOnMainQueue, "\(ending)")
    let logout = try #require(gateway.server.requests.last { $0.path == "/pkmslogout" })
    #expect(logout.fields[.cookie] == "LtpaToken2=t1")
    #expect((world.client.httpCookieStorage().cookies ?? []).isEmpty)
    #expect(await world.fetch("a").status == 200)
    #expect(handler.challenges.count == 2 && gateway.logins == 2)
  }

  @Test("Bug-D04 logout: the handler's own logout in the completion, as the vendor's sample has it, does no harm")
  func sample() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let answers = Tally()
    let handler = RecordingHandler(
      success: { handler, response in
        answers.add()
        handler.submitSuccess(response)
      }, failure: { _, _ in answers.add() })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    await withCheckedContinuation { continuation in
      world.manager.logout("LtpaBasedSSO") { error in
        #expect(error == nil)
        handler.submitLoginForm(
          "../../pkmslogout", requestParameters: nil, requestHeaders: nil, requestTimeoutInMilliSeconds: 0,
          requestMethod: "POST")
        continuation.resume()
      }
    }
    await answers.wait(for: 2)
    #expect(handler.successes.count == 2)
    #expect(await world.fetch("a").status == 200)
    #expect(gateway.logins == 2)
  }

  @Test("Bug-D04 logout: where no address is known, the user is signed out here")
  func unknown() async throws {
    let gateway = try MobileFirstGateway { $0.action = "j_security_check" }
    let world = World(gateway)
    world.client.registerChallengeHandler(
      RecordingHandler(
        marker: "j_security_check", challenge: { handler, _ in handler.logIn(address: "/j_security_check") }))
    #expect(await world.fetch("a").status == 200)
    let count = gateway.server.requests.count
    #expect(await world.logout().isSuccess)
    #expect(gateway.server.requests.count == count)
    #expect((world.client.httpCookieStorage().cookies ?? []).isEmpty)
  }

  @Test("Bug-D04 logout: the user is signed out here although the gateway can't be told, and the error says so")
  func unreachable() async throws {
    let transport = ScriptedTransport { _ in
      TransportResponse(HTTPResponse(status: .ok, headerFields: [.setCookie: "s=1; Path=/"]))
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport).allowingHTTP { $0.logout = "../../out" }
    _ = await world.fetch("a")
    transport.inject(.refuseConnection)
    let ending = await world.logout()
    #expect(ending.code == WLErrorCode.unresponsiveHost && ending.says("The cookies are gone here."))
    _ = await world.fetch("b")
    #expect(transport.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test("Bug-D04 logout: a logout address that the gateway does not know is named in the error")
  func wrongAddress() async throws {
    let transport = ScriptedTransport { request in
      let isKnown = request.head.path != "/out"
      return TransportResponse(
        HTTPResponse(status: isKnown ? .ok : .notFound, headerFields: [.setCookie: "s=1; Path=/"]))
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport).allowingHTTP { $0.logout = "../../out" }
    _ = await world.fetch("a")
    #expect(await world.logout().says("404"))
  }

  @Test("Gateway-S6, Bug-D04 logout: what is under way ends, and is not sent again for the next user")
  func underWay() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let waiting = world.fetch("mine")
    await handler.challenges.wait()
    #expect(await world.logout().isSuccess)
    #expect(await waiting.isFailure)
    world.client.registerChallengeHandler(RecordingHandler())
    #expect(await world.fetch("yours").status == 200)
    #expect(gateway.served("/mfp/api/mine") == 0)
  }

  @Test("Bug-D04 logout: a login under way ends with an error, and no session of it stays")
  func duringLogin() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.loginGate = gate }
    let world = World(gateway).allowingHTTP()
    let manager = world.manager
    manager.setLoginTimeOut(600)
    async let login = world.login(["username": "fred", "password": MobileFirstGateway.password], by: manager)
    try await gate.waitForWaiting()
    #expect(await world.logout().isSuccess)
    #expect(!(await login.isSuccess))
    gate.open()
    #expect((world.client.httpCookieStorage().cookies ?? []).isEmpty)
    #expect(await world.fetch("a").text?.contains("pkmslogin.form") == true)
  }

  @Test("Bug-D04 logout: cookies at rest are gone, also those of an earlier run that was not looked at yet")
  func atRest() async throws {
    let gateway = try MobileFirstGateway { $0.cookieAttributes = "; Path=/; Max-Age=3600" }
    let store = EphemeralStore()
    func world() -> World {
      let world = World(gateway)
      world.client.keepPersistentCookies(in: store)
      world.client.registerChallengeHandler(RecordingHandler())
      return world
    }
    #expect(await world().fetch("a").status == 200)
    #expect(try await store.accounts().count == 1)
    #expect(await world().logout().isSuccess)
    #expect(try await store.accounts().isEmpty)
    #expect(await world().fetch("a").status == 200)
    #expect(gateway.logins == 2)
  }
}
