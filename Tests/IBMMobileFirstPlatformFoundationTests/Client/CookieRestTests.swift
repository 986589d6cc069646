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

/// A server that answers with the cookies that came, and sets what a test says for a path.
private struct CookieServer: Sendable {
  private let cookies = Locked<[String: String]>([:])
  private let gate: Gate

  init(slow gate: Gate = Gate()) { self.gate = gate }

  /// Has `path` set a cookie from now on.
  func set(_ path: String, _ cookie: String) { cookies.withLock { $0[path] = cookie } }

  func world(_ store: (any SessionStore)? = nil, clock: any SessionClock = .system) -> World {
    let transport = ScriptedTransport { request in
      let path = request.head.path?.split(separator: "/").last.map(String.init) ?? ""
      if path == "slow" { try await gate.pass() }
      var fields = HTTPFields()
      if let cookie = cookies.withLock({ $0[path] }) { fields[.setCookie] = cookie }
      let body = Data((request.head.headerFields[.cookie] ?? "").utf8)
      return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: body)
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport) { $0.clock = clock }
    if let store { world.client.keepPersistentCookies(in: store) }
    return world
  }
}

@Suite("Cookies that slide, and cookies at rest", .timeLimit(.minutes(20)))
struct CookieRestTests {
  private let server = CookieServer()

  // MARK: Sliding cookies

  @Test("Bug-A33: a cookie whose date alone is new is new in the storage, too")
  func sliding() async throws {
    let clock = ManualClock()
    let world = server.world(clock: clock)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    _ = await world.fetch("a")
    clock.advance(by: .seconds(600))
    _ = await world.fetch("a")
    let cookie = try #require(world.client.httpCookieStorage().cookies?.first)
    let left = try #require(cookie.expiresDate).timeIntervalSince(clock.now)
    #expect(abs(left - 3600) < 2)
  }

  @Test("Bug-A33: a cookie that the storage has let expire was not deleted by the app")
  func expired() async throws {
    // To the storage, whose clock is the system's, the cookie's first date is past. To the client it is not.
    let clock = ManualClock(now: Date(timeIntervalSinceNow: -7200))
    let world = server.world(clock: clock)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    _ = await world.fetch("a")
    #expect((world.client.httpCookieStorage().cookies ?? []).isEmpty)
    #expect(await world.fetch("b").text == "s=1")
    clock.advance(by: .seconds(3601))
    #expect(await world.fetch("b").text == "")
  }

  @Test(
    "Bug-A33: a late response in whose time the cookie expired does not remove it from those to whom it was extended")
  func lateResponse() async throws {
    let gate = Gate()
    let server = CookieServer(slow: gate)
    let clock = ManualClock()
    let world = server.world(clock: clock)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    server.set("slow", "other=1; Path=/")
    _ = await world.fetch("a")
    async let slow = world.fetch("slow")
    try await gate.waitForWaiting()
    clock.advance(by: .seconds(3000))
    _ = await world.fetch("a")
    clock.advance(by: .seconds(1200))
    gate.open()
    #expect(await slow.text == "s=1")
    #expect(await world.fetch("b").text == "s=1; other=1")
  }

  // MARK: A store that is unavailable

  @Test("Bug-A34: while the cookies at rest can't be read, requests fail; afterwards the user is still signed in")
  func unreadable() async throws {
    let gateway = try MobileFirstGateway { $0.cookieAttributes = "; Path=/; Max-Age=3600" }
    let store = FaultyStore()
    func world() -> (World, RecordingHandler) {
      let world = World(gateway)
      world.client.keepPersistentCookies(in: store)
      let handler = RecordingHandler()
      world.client.registerChallengeHandler(handler)
      return (world, handler)
    }
    #expect(await world().0.fetch("a").status == 200)
    let (next, handler) = world()
    store.lock()
    let answer = await next.fetch("a")
    #expect(answer.isFailure && answer.status != 200)
    #expect(answer.message?.contains("locked") == true)
    #expect(handler.challenges.count == 0)
    store.unlock()
    #expect(await next.fetch("a").status == 200)
    #expect(await world().0.fetch("a").status == 200)
    #expect(gateway.logins == 1)
  }

  @Test("Bug-A34: a damaged entry is kept aside by its store, and is no cookies from then on")
  func corrupt() async throws {
    let store = FaultyStore()
    server.set("a", "s=1; Path=/; Max-Age=3600")
    store.inject(.corrupt, into: .load, at: .nth(1))
    #expect(await server.world(store).fetch("a").status == 200)
    #expect(await server.world(store).fetch("b").text == "s=1")
  }

  @Test(
    "Bug-A34: what could not be written is written before the next exchange",
    arguments: [FaultyStore.Fault.unavailable, .failsAfterwards])
  func unwritable(fault: FaultyStore.Fault) async throws {
    let store = FaultyStore()
    let world = server.world(store)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    store.inject(fault, into: .save, at: .nth(1))
    #expect(await world.fetch("a").status == 200)
    #expect(await world.fetch("b").text == "s=1")
    #expect(await server.world(store).fetch("b").text == "s=1")
  }

  @Test("Bug-A34: what the app deletes is gone at rest, too")
  func deleted() async throws {
    let store = EphemeralStore()
    let world = server.world(store)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    _ = await world.fetch("a")
    let storage = try #require(world.client.httpCookieStorage())
    for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
    #expect(await world.fetch("b").text == "")
    #expect(await server.world(store).fetch("b").text == "")
  }

  // MARK: Several processes

  @Test("Bug-A34: an extension's cookie joins the app's, and both see both")
  func joined() async throws {
    let store = EphemeralStore()
    let (app, appExtension) = (server.world(store), server.world(store))
    server.set("a", "app=1; Path=/; Max-Age=3600")
    server.set("e", "ext=1; Path=/; Max-Age=3600")
    // Both have read the store while it was empty.
    for world in [app, appExtension] { #expect(await world.fetch("b").text == "") }
    _ = await app.fetch("a")
    _ = await appExtension.fetch("e")
    #expect(await server.world(store).fetch("b").text == "app=1; ext=1")
    #expect(await appExtension.fetch("b").text?.contains("app=1") == true)
  }

  @Test("Bug-A34: a cookie that the server has deleted for one process is gone for the other")
  func signedOutElsewhere() async throws {
    let store = EphemeralStore()
    let app = server.world(store)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    server.set("out", "s=; Path=/; Max-Age=0")
    server.set("e", "ext=1; Path=/; Max-Age=3600")
    _ = await app.fetch("a")
    let appExtension = server.world(store)
    #expect(await appExtension.fetch("b").text == "s=1")
    _ = await app.fetch("out")
    _ = await appExtension.fetch("e")
    #expect(await appExtension.fetch("b").text == "ext=1")
    #expect(await server.world(store).fetch("b").text == "ext=1")
  }

  @Test("Bug-A34: the end of an old session does not remove the new one of another process")
  func signedInElsewhere() async throws {
    let store = EphemeralStore()
    let app = server.world(store)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    server.set("again", "s=2; Path=/; Max-Age=3600")
    server.set("out", "s=; Path=/; Max-Age=0")
    _ = await app.fetch("a")
    let appExtension = server.world(store)
    #expect(await appExtension.fetch("again").text == "s=1")
    #expect(await app.fetch("out").text == "s=1")
    #expect(await app.fetch("b").text == "s=2")
    #expect(await server.world(store).fetch("b").text == "s=2")
  }

  // MARK: Another server

  @Test("Bug-A34: cookies that were dropped while the store was locked never come back")
  func droppedWhileLocked() async throws {
    let store = FaultyStore()
    let world = server.world(store)
    server.set("a", "s=1; Path=/; Max-Age=3600")
    _ = await world.fetch("a")
    store.lock()
    world.client.setServerUrl(URL(string: "http://mfp.test/mfp"))
    #expect(await world.fetch("b").isFailure)
    store.unlock()
    #expect(await world.fetch("b").text == "")
    #expect(try await store.accounts().isEmpty)
  }
}
