import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Tokens of pages")
struct PageTokenTests {
  private static let place = "/services/oauth2/authorize?client_id=app"

  private static func request(_ browser: PageBrowser, _ fields: HTTPFields = [:]) -> DoorRequest {
    request(cookie: pair(browser), fields)
  }

  /// What a browser sends of the line that set its cookie.
  private static func pair(_ browser: PageBrowser) -> String? {
    browser.cookie.map { String($0.bytePrefix(before: ";")) }
  }

  private static func request(cookie: String?, _ fields: HTTPFields = [:]) -> DoorRequest {
    var fields = fields
    fields[.cookie] = cookie
    return DoorRequest(
      method: .post, path: "/", query: .none, headers: fields, body: [], parameters: [:], clientAddress: "192.0.2.1",
      id: "")
  }

  @Test("Bug-C18: a page's token is good in its browser, for its user and at its address, and nowhere else")
  func bound() async throws {
    let world = try IdentityWorld()
    let ada = try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    let bob = try await world.identity.addUser(name: "bob", password: IdentityWorld.password)
    let room = FrontRoom(
      seal: PageSeal(world.storage.key, of: "salesforce"), cookies: .account(isSecure: false), sessions: world.sessions,
      storage: world.storage, origins: [try #require(Origin(plain: "https://id.example.org"))], clock: world.clock)
    let nobody = Self.request(PageBrowser(id: "", cookie: nil))
    let (own, other) = (room.browser(of: nobody), room.browser(of: nobody))
    let token = room.token(.consent, own, user: ada, address: Self.place)

    func isGenuine(
      _ browser: PageBrowser, _ user: User?, _ address: String = Self.place, _ fields: HTTPFields = [:]
    ) async throws -> Bool {
      try await room.isGenuine(
        Self.request(browser, fields), .consent, token: token, user: user, address: address)
    }
    #expect(try await isGenuine(own, ada))
    #expect(try await !isGenuine(other, ada), "another browser")
    #expect(try await !isGenuine(PageBrowser(id: own.id, cookie: nil), ada), "a browser without its cookie")
    #expect(try await !isGenuine(own, bob), "another user")
    #expect(try await !isGenuine(own, nil), "no user")
    #expect(try await !isGenuine(own, ada, Self.place + "&scope=full"), "another address")
    #expect(try await !isGenuine(own, ada, ""), "no address")
    #expect(try await isGenuine(own, ada, Self.place, [.origin: "https://id.example.org"]))
    #expect(
      try await !isGenuine(own, ada, Self.place, [.origin: "https://evil.example"]), "another site")
  }

  @Test("Bug-G04: of two numbers that an answer would give a browser the first one stands, whatever else it sets")
  func number() {
    let (new, old) = (PageBrowser(id: "1", cookie: "b=1; Path=/"), PageBrowser(id: "2", cookie: "b=2; Path=/"))
    let other = DoorResponse(status: .ok).settingCookie("bb=3; Path=/")
    let answer = old.introduced(in: new.introduced(in: other))
    #expect(answer.headers[values: .setCookie] == ["bb=3; Path=/", "b=1; Path=/"])
    #expect(PageBrowser(id: "1", cookie: nil).introduced(in: other).headers == other.headers)
  }

  @Test("Bug-C18: a form that is good once is good once")
  func once() async throws {
    let world = try IdentityWorld()
    let room = FrontRoom(
      seal: PageSeal(world.storage.key, of: "gateway"), cookies: .account(isSecure: false), sessions: world.sessions,
      storage: world.storage, origins: [], clock: world.clock)
    let browser = room.browser(of: Self.request(PageBrowser(id: "", cookie: nil)))
    let used = OneTimeNumbers(world.storage, of: "test")
    var answers: [Bool] = []
    for token in [room.token(.signIn, browser), room.token(.signIn, browser)] {
      for _ in 0..<2 {
        answers.append(
          try await room.isGenuine(Self.request(browser), .signIn, token: token, once: used))
      }
    }
    #expect(answers == [true, false, true, false])
  }

  @Test("Bug-C18: of two numbers that a browser sends the first counts, on the page and when its form comes back")
  func twoNumbers() async throws {
    let world = try IdentityWorld()
    let room = FrontRoom(
      seal: PageSeal(world.storage.key, of: "gateway"), cookies: .account(isSecure: false), sessions: world.sessions,
      storage: world.storage, origins: [], clock: world.clock)
    let old = room.browser(of: Self.request(cookie: nil))
    // It is nearly over.
    world.clock.advance(by: .seconds(20 * 3600))
    let new = room.browser(of: Self.request(cookie: nil))
    let both = Self.request(cookie: [old, new].compactMap(Self.pair).joined(separator: "; "))
    let page = room.browser(of: both)
    #expect(page.id == old.id && page.cookie != nil)
    #expect(try await room.isGenuine(both, .signIn, token: room.token(.signIn, page)))
  }
}
