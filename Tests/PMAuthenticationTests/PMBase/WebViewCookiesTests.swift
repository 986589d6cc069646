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

/// A web view has cookies of its own; what the view controller does with them is decided here.
@Suite("A web view's cookies")
struct WebViewCookiesTests {
  let world = World()

  func cookie(_ name: String, _ value: String, path: String = "/prweb", host: String = "pega.test") throws -> HTTPCookie
  {
    try #require(HTTPCookie(properties: [.name: name, .value: value, .path: path, .domain: host]))
  }

  func names(_ cookies: [HTTPCookie]) -> [String] { cookies.map { "\($0.name)=\($0.value) \($0.path)" }.sorted() }

  @Test("Bug-D14: the web view gets the shared cookies, and loses those of a session that is over")
  func given() throws {
    world.set("Pega-RULES", "bob")
    world.set("theme", "dark", path: "/")
    let web = [
      try cookie("Pega-RULES", "ann"), try cookie("Pega-RULES", "ann", path: "/"), try cookie("JSESSIONID", "NODE1"),
      try cookie("own", "1"), try cookie("Pega-RULES", "other", host: "other.test"),
    ]
    let change = world.environment.cookies(forWebViewOf: try PegaAddress(world.stub.url), having: web)
    #expect(names(change.given) == ["Pega-RULES=bob /prweb", "theme=dark /"])
    #expect(names(change.stale) == ["JSESSIONID=NODE1 /prweb", "Pega-RULES=ann /", "Pega-RULES=ann /prweb"])
    let after = world.environment.cookies(forWebViewOf: try PegaAddress(world.stub.url), having: change.given)
    #expect(after.stale.isEmpty)
  }

  @Test("Bug-D14: cookies that come with the pages go back to the shared ones, and a rotated session with them")
  func back() throws {
    let server = try PegaAddress(world.stub.url)
    world.set("Pega-RULES", "one")
    world.set("gone", "1")
    let before = world.environment.cookies(forWebViewOf: server, having: []).jar
    var web = [
      try cookie("Pega-RULES", "two"), try cookie("ROUTEID", "7", path: "/"), try cookie("x", "1", host: "idp.test"),
    ]
    let next = world.environment.share(web, since: before, for: server)
    #expect(names(world.storage.cookies ?? []) == ["Pega-RULES=two /prweb", "ROUTEID=7 /"])
    // The next page rotates it once more.
    web[0] = try cookie("Pega-RULES", "three")
    _ = world.environment.share(web, since: next, for: server)
    #expect(world.sessionValues == ["three"])
  }

  @Test("Bug-D14: after a log-off, or another user's login, the web view's cookies change nothing")
  func late() throws {
    let server = try PegaAddress(world.stub.url)
    world.set("Pega-RULES", "ann")
    let before = world.environment.cookies(forWebViewOf: server, having: []).jar
    world.set("Pega-RULES", "bob")
    _ = world.environment.share([try cookie("Pega-RULES", "ann2"), try cookie("n", "1")], since: before, for: server)
    #expect(world.cookies == ["Pega-RULES /prweb"])
    #expect(world.sessionValues == ["bob"])
  }
}
