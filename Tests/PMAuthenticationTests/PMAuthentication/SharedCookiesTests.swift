import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The bridge to the shared cookies")
struct SharedCookiesTests {
  let world = World()
  var stub: PegaStub { world.stub }

  @Test("Pega-P6: log-off clears the session's cookies by name over every path, in both spellings; others stay")
  func clears() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    for path in ["/", "/prweb", "/prweb/", "/elsewhere"] {
      world.set("Pega-RULES", "old", path: path)
      world.set("PegaRULES", "old", path: path)
      world.set("JSESSIONID", "kept elsewhere", path: path)
      world.set("theme", "dark", path: path)
    }
    world.set("Pega-RULES", "other", host: "other.test")
    #expect(try await authenticator.logOffResult().isSuccess)
    let left = (world.storage.cookies ?? []).map { "\($0.name) \($0.domain)\($0.path)" }.sorted()
    #expect(
      left == [
        "JSESSIONID pega.test/elsewhere", "Pega-RULES other.test/prweb", "theme pega.test/",
        "theme pega.test/elsewhere",
        "theme pega.test/prweb", "theme pega.test/prweb/",
      ])
  }

  @Test("Pega-P6: log-off with the server down is a network error, and the cookies are gone all the same")
  func clearsOffline() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    stub.transport.inject(.refuseConnection)
    #expect(try await authenticator.logOffResult().code == .network)
    #expect(world.cookies.isEmpty)
    stub.transport.setFaults()
    #expect(try await authenticator.isLoggedInResult().isSuccess == false)
  }

  @Test("Pega-P6: log-off without a login clears what a previous session left, and ends it")
  func clearsLeftovers() async throws {
    #expect(try await world.authenticator().logOffResult().isSuccess)
    #expect(stub.transport.count == 0)
    let old = try await PegaAuthenticator(server: stub.url).signIn(
      with: .password(username: "jdoe", password: "secret"), in: AuthenticationContext(transport: stub.transport))
    let value = try #require(old.proof.cookies.cookies.first { $0.name == "Pega-RULES" }?.value.reveal())
    world.set("Pega-RULES", value)
    #expect(try await world.authenticator().logOffResult().isSuccess)
    #expect(world.cookies.isEmpty)
    #expect(!stub.lives(value))
  }

  @Test("Pega-P9: the session's cookie is in the storage byte for byte, and comes back so")
  func bytes() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let cookie = try #require(world.storage.cookies?.first { $0.name == "Pega-RULES" })
    #expect(cookie.value == "%09%7Bpd%7DSESSION_1%3D%3DA%7Bapp%7D")
    #expect(cookie.domain == "pega.test")
    #expect(cookie.isHTTPOnly)
    #expect(cookie.isSessionOnly)
    let address = try PegaAddress(stub.url)
    let read = world.environment.sharedCookies(of: address)
    #expect(read.cookies.first { $0.name == "Pega-RULES" }?.value == Secret("%09%7Bpd%7DSESSION_1%3D%3DA%7Bapp%7D"))
    #expect(read.count == 2)
  }

  /// A login by a POST of the app's own, whose cookies Foundation puts where they belong.
  func ownPOST(into storage: HTTPCookieStorage) async throws {
    let url = stub.url.appending(path: "PRServlet")
    let body = "UserIdentifier=bob&Password=hunter2&pyActivity%3DCode-Security.Login="
    let response = try await stub.transport.send(
      .post(url, body: Data(body.utf8), contentType: "application/x-www-form-urlencoded"))
    let fields = response.head.headerFields[values: .setCookie].map { ["Set-Cookie": $0] }
    for field in fields {
      storage.setCookies(
        HTTPCookie.cookies(withResponseHeaderFields: field, for: url), for: url, mainDocumentURL: nil)
    }
  }

  @Test("Pega-P12: cookies from a POST of the app's own are a login")
  func adopted() async throws {
    try await ownPOST(into: world.storage)
    let authenticator = world.authenticator()
    let result = try await authenticator.isLoggedInResult()
    #expect(result.isSuccess)
    #expect(result.json?["operator"] == "bob")
    #expect(stub.transport.requests.allSatisfy { $0.authorization == nil })
    // It counts as any other login: log off first, and that ends it at the server.
    #expect(try await authenticator.logIn().code == .internal)
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies.isEmpty)
    #expect(try await authenticator.logIn().json?["operator"] == "jdoe")
  }

  @Test("Pega-P4: a session of the app's own with a version out of range is gone on both sides, cookies and all")
  func adoptedVersion() async throws {
    try await ownPOST(into: world.storage)
    stub.answer(with: ["minContainerVersion": "99"])
    world.set("theme", "dark")
    #expect(try await world.authenticator().isLoggedInResult().code == .wrongClientVersion)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies == ["theme /prweb"])
  }

  @Test("Pega-P12: from a private cookie storage they are not seen")
  func privateStorage() async throws {
    let other = World(stub)
    try await ownPOST(into: other.storage)
    #expect(try await world.authenticator().isLoggedInResult().isSuccess == false)
    #expect(try await other.authenticator().isLoggedInResult().isSuccess)
  }

  @Test("Pega-P12: cookies that are worth nothing are no login, and no obstacle to one")
  func stale() async throws {
    world.set("Pega-RULES", "stale")
    let authenticator = world.authenticator()
    #expect(try await authenticator.isLoggedInResult().code == .invalidCredentials)
    #expect(try await authenticator.logIn().isSuccess)
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb"])
  }

  @Test("A new session of the app's own takes over from one that the server has ended")
  func takesOver() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    stub.dropSessions()
    try await ownPOST(into: world.storage)
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "bob")
  }

  @Test("Bug-F11: the answer is about the user whose cookies the app's own requests and SnapStart carry")
  func otherUser() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    try await ownPOST(into: world.storage)
    let bob = world.sessionValues
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "bob")
    // Bob has taken Ann's place, here and at the server.
    #expect(world.sessionValues == bob)
    #expect(stub.sessionCount == 1)
    #expect(try await world.authenticator().isLoggedInResult().json?["operator"] == "bob")
    #expect(try await authenticator.logIn().message?.contains("bob") == true)
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies.isEmpty)
  }

  @Test("Bug-F11: another object's sign-in is not undone by one that still knows the user before")
  func otherObject() async throws {
    let (one, other) = (world.authenticator(), world.authenticator())
    #expect(try await one.logIn().isSuccess)
    // The server was not told, so that the first session lives.
    stub.transport.inject(.refuseConnection)
    #expect(try await other.logOffResult().code == .network)
    stub.transport.setFaults()
    #expect(try await other.logIn("bob", "hunter2").isSuccess)
    let bob = world.sessionValues
    #expect(try await one.isLoggedInResult().json?["operator"] == "bob")
    #expect(try await other.isLoggedInResult().json?["operator"] == "bob")
    #expect(world.sessionValues == bob)
    #expect(bob.allSatisfy(stub.lives))
  }

  @Test("Bug-F11: newer cookies of the same operator are believed, and end nothing")
  func sameUser() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let newer = try await PegaAuthenticator(server: stub.url).signIn(
      with: .password(username: "jdoe", password: "secret"), in: AuthenticationContext(transport: stub.transport))
    let value = try #require(newer.proof.cookies.cookies.first { $0.name == "Pega-RULES" }?.value.reveal())
    world.set("Pega-RULES", value)
    stub.answer(with: ["applicationName": "Newer"])
    #expect(try await authenticator.isLoggedInResult().json?["applicationName"] == "Newer")
    #expect(!stub.transport.requests.contains { $0.path.contains("LogOff") })
    #expect(world.sessionValues == [value])
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(stub.sessionCount == 0)
  }

  @Test("Bug-F11: where the shared cookies are worth nothing, those of the answer take their place")
  func deadCookie() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let own = world.sessionValues
    for path in ["/prweb", "/"] { world.set("Pega-RULES", "stale", path: path) }
    world.set("theme", "dark")
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "jdoe")
    #expect(world.sessionValues == own)
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb", "theme /prweb"])
  }

  @Test("Bug-F11: where the server can't be asked about the shared cookies, it can't be told, and both sessions stay")
  func unclear() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    try await ownPOST(into: world.storage)
    let page = "<h1>Hotel</h1>"
    for answer in [TransportResponse.status(.serviceUnavailable), .html(page), .html(page, status: .unauthorized)] {
      stub.intercept { _ in answer }
      #expect(try await authenticator.isLoggedInResult().code == .unexpectedServerResponse)
    }
    stub.intercept(nil)
    #expect(stub.sessionCount == 2)
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "bob")
  }

  @Test("The app's own requests carry the session after a login")
  func written() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let url = try #require(URL(string: "http://pega.test:8080/prweb/PRServlet"))
    let fields = HTTPCookie.requestHeaderFields(with: world.storage.cookies(for: url) ?? [])
    #expect(fields["Cookie"]?.contains("Pega-RULES=%09%7Bpd%7DSESSION_1%3D%3DA%7Bapp%7D") == true)
  }

  @Test("Hostile cookies in the storage are left out")
  func hostile() throws {
    world.set("ok", "1")
    world.set("Pega-RULES", "a;b")
    world.set("__Host-x", "1", path: "/prweb")
    world.set("big", String(repeating: "x", count: 10_000))
    let jar = world.environment.sharedCookies(of: try PegaAddress(stub.url))
    #expect(jar.cookies.map(\.name) == ["ok"])
  }
}
