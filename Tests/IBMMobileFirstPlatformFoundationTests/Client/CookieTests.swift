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

@Suite("Cookies: one jar for requests and forms, which the app can see and change", .timeLimit(.minutes(20)))
struct CookieTests {
  private func names(_ world: World) -> [String] {
    (world.client.httpCookieStorage().cookies ?? []).map { "\($0.name)=\($0.value)" }.sorted()
  }

  @Test("Gateway-G13: a logout form removes the cookie, ends no challenge, and the next request is challenged")
  func logout() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(success: { handler, response in handler.submitSuccess(response) })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    #expect(names(world) == ["LtpaToken2=t1"])
    handler.submitLoginForm(
      "../../pkmslogout", requestParameters: nil, requestHeaders: nil, requestTimeoutInMilliSeconds: 0,
      requestMethod: "POST")
    await handler.successes.wait(for: 2)
    #expect(names(world).isEmpty)
    #expect(await world.fetch("a").status == 200)
    #expect(handler.challenges.count == 2 && gateway.logins == 2)
  }

  @Test("A login form before any challenge signs in")
  func upFront() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    handler.logIn()
    await handler.successes.wait()
    #expect(await world.fetch("a").status == 200)
    #expect(handler.challenges.count == 0 && gateway.challenges == 0)
  }

  @Test("Gateway-G13: an expired session's cookie that the gateway deletes does not take the new one with it")
  func lateDeletion() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.slowPath = ("slow", gate) }
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    gateway.expireSessions()
    async let slow = world.fetch("slow")
    try await gate.waitForWaiting()
    #expect(await world.fetch("b").status == 200)
    #expect(names(world) == ["LtpaToken2=t2"])
    gate.open()
    #expect(await slow.status == 200)
    #expect(names(world) == ["LtpaToken2=t2"])
    #expect(handler.challenges.count == 2 && gateway.logins == 2)
  }

  @Test("Cookies of the server itself are kept, too, with or without a challenge")
  func serverCookies() async {
    let transport = ScriptedTransport { request in
      let fields: HTTPFields = [.setCookie: "JSESSIONID=1; Path=/mfp"]
      return TransportResponse(
        HTTPResponse(status: .ok, headerFields: fields), body: Data((request.head.headerFields[.cookie] ?? "").utf8))
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport)
    #expect(await world.fetch("a").text == "")
    #expect(await world.fetch("a").text == "JSESSIONID=1")
    #expect(await world.fetch("../../other").text == "")
  }

  @Test("What the app deletes or puts into the storage counts from the next request on")
  func storage() async throws {
    let transport = ScriptedTransport { request in
      TransportResponse(
        HTTPResponse(status: .ok, headerFields: [.setCookie: "a=%09{x}==; Path=/"]),
        body: Data((request.head.headerFields[.cookie] ?? "").utf8))
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport)
    let storage = try #require(world.client.httpCookieStorage())
    #expect(await world.fetch("x").text == "")
    #expect(await world.fetch("x").text == "a=%09{x}==")
    #expect(names(world) == ["a=%09{x}=="])
    for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
    #expect(await world.fetch("x").text == "")
    let own = try #require(
      HTTPCookie(properties: [.name: "own", .value: "1", .domain: "mfp.test", .path: "/", .discard: "TRUE"]))
    storage.setCookie(own)
    #expect(await world.fetch("x").text == "a=%09{x}==; own=1")
    #expect(storage !== HTTPCookieStorage.shared)
    #expect((HTTPCookieStorage.shared.cookies ?? []).allSatisfy { $0.domain != "mfp.test" })
  }

  @Test("Another server has other cookies")
  func anotherServer() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    world.client.setServerUrl(gateway.server.url("/mfp"))
    #expect(names(world).isEmpty)
    #expect(await world.fetch("a").status == 200)
    #expect(handler.challenges.count == 2)
  }

  @Test(
    "Gateway-G13: with a store, a cookie with a date outlives the process, and a session cookie does not",
    arguments: [
      ("; Path=/; Max-Age=3600", 1), ("; Path=/", 2),
    ])
  func persistence(_ attributes: String, _ logins: Int) async throws {
    let gateway = try MobileFirstGateway { $0.cookieAttributes = attributes }
    let store = EphemeralStore()
    for _ in 0..<2 {
      let world = World(gateway)
      world.client.keepPersistentCookies(in: store)
      world.client.registerChallengeHandler(RecordingHandler())
      #expect(await world.fetch("a").status == 200)
    }
    #expect(gateway.logins == logins)
    // A logout, or another server, ends that.
    let world = World(gateway)
    world.client.keepPersistentCookies(in: store)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    let successes = handler.successes.count
    handler.submitLoginForm(
      "../../pkmslogout", requestParameters: nil, requestHeaders: nil, requestTimeoutInMilliSeconds: 0,
      requestMethod: "POST")
    await handler.successes.wait(for: successes + 1)
    #expect(try await store.accounts().isEmpty)
  }

  @Test("A damaged store is no cookies")
  func damaged() async throws {
    let gateway = try MobileFirstGateway()
    let store = EphemeralStore()
    let key = SessionKey("mobilefirst-cookies http://127.0.0.1:\(gateway.server.port)/mfp/api/")
    try await store.save(Data("{".utf8), for: key, replacing: .nothing)
    let world = World(gateway)
    world.client.keepPersistentCookies(in: store)
    world.client.registerChallengeHandler(RecordingHandler())
    #expect(await world.fetch("a").status == 200)
  }
}
