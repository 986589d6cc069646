import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The listener for callbacks, over real sockets, with friends and others.
@Suite("The loopback user agent", .timeLimit(.minutes(20)))
struct LoopbackTests {
  private let http = PlatformTransport()

  /// Visits a page with a browser that is a function.
  private func visit(
    _ redirectURI: String = "http://127.0.0.1/callback", timeout: Duration = .seconds(120),
    browser: @escaping @Sendable (URL) async throws -> Void
  ) async throws -> AuthorizationVisit {
    let agent = LoopbackUserAgent(timeout: timeout, text: "Done & <dusted>.") { try await browser($0.serverPage) }
    let client = try OAuthStub().client()
    return try await agent.visit(try #require(URL(string: redirectURI))) { uri in
      try AuthorizationRequest(client, redirectURI: uri)
    }
  }

  /// Where a page sends the browser, with these parameters beside the state.
  private static func callback(_ page: URL, _ parameters: OAuthParameters, path: String? = nil) throws -> URL {
    let form = FormEncoding.parse(page.query(percentEncoded: true) ?? "")
    let uri = form.first { $0.name == "redirect_uri" }?.value ?? ""
    var all = parameters
    all.add("state", form.first { $0.name == "state" }?.value)
    var base = try #require(URLComponents(string: uri))
    if let path { base.path = path }
    base.percentEncodedQuery = FormEncoding.serialize(all.all.map { (name: $0.name, value: $0.value) })
    return try #require(base.url)
  }

  /// A socket that says what it likes.
  private static func raw(_ port: Int, _ text: String) async throws -> String {
    try await RawPeer.exchange(port: port, Data(text.utf8))
  }

  @Test("OAuth-O17: a browser's callback ends the visit, on a port that nobody chose (RFC 8252 §7.3)")
  func callback() async throws {
    let http = http
    let visit = try await visit { page in
      let answer = try await http.get(try Self.callback(page, ["code": "c+/="]))
      #expect(answer.status == .ok)
      #expect(answer.text.contains("Done &amp; &lt;dusted&gt;."))
      #expect(answer.head.headerFields[.cacheControl] == "no-store")
      #expect(answer.head.headerFields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      #expect(!answer.text.contains("c+"))
    }
    #expect(visit.request.redirectURI.port ?? 0 > 1023)
    #expect(visit.callback.host() == "127.0.0.1")
    #expect(try visit.request.check(visit.callback).code.reveal() == "c+/=")
  }

  /// Containers often have no IPv6.
  private static let hasIPv6: Bool = {
    let server = try? LoopbackServer(host: "::1", answering: [])
    server?.stop()
    return server != nil
  }()

  @Test(
    "OAuth-O17: the same on IPv6, under that address's name alone (RFC 8252 §7.3)",
    .enabled(if: hasIPv6, "This machine has no IPv6 loopback address."))
  func onIPv6() async throws {
    let http = http
    let visit = try await visit("http://[::1]/callback") { page in
      let good = try Self.callback(page, ["code": "c"])
      let port = good.port ?? 0
      let target = "/callback?\(good.query(percentEncoded: true) ?? "")"
      for host in ["127.0.0.1:\(port)", "localhost:\(port)", "::1:\(port)", "[::1]"] {
        let head = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        #expect(try await RawPeer.exchange(host: "::1", port: port, Data(head.utf8)).hasPrefix("HTTP/1.1 400"))
      }
      #expect(try await http.get(good).status == .ok)
    }
    #expect(visit.request.redirectURI.absoluteString.hasPrefix("http://[::1]:"))
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
  }

  @Test("Issue 18 §4: while the server is asked for the page, a callback that comes is answered and ends nothing")
  func early() async throws {
    let http = http
    let client = try OAuthStub().client()
    let agent = LoopbackUserAgent { page in _ = try await http.get(try Self.callback(page.serverPage, ["code": "c"])) }
    let visit = try await agent.visit(try #require(URL(string: "http://127.0.0.1/callback"))) { uri in
      let request = try AuthorizationRequest(client, redirectURI: uri)
      // Also one that carries the state of the request to come.
      #expect(try await http.get(try Self.callback(request.url, ["code": "early"])).status == .badRequest)
      return request
    }
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
  }

  @Test("An error is an answer, too; the browser shows a page")
  func denied() async throws {
    let http = http
    let visit = try await visit("http://localhost/") { page in
      _ = try await http.get(try Self.callback(page, ["error": "access_denied"]))
    }
    #expect(throws: OstiaryError(.interactionCancelled, "")) { try visit.request.check(visit.callback) }
  }

  @Test(
    "OAuth-O17: other paths, methods, states and hosts are answered and end nothing; a second callback finds nobody")
  func hostile() async throws {
    let http = http
    let port = Locked(0)
    let visit = try await visit { page in
      let good = try Self.callback(page, ["code": "c"])
      let number = good.port ?? 0
      port.withLock { $0 = number }
      let state = FormEncoding.parse(good.query(percentEncoded: true) ?? "").first { $0.name == "state" }?.value ?? ""
      #expect(try await http.get(try Self.callback(page, ["code": "c"], path: "/favicon.ico")).status == .notFound)
      #expect(try await http.get(try Self.callback(page, ["code": "c"], path: "/callback/x")).status == .notFound)
      let forged = try #require(URL(string: "http://127.0.0.1:\(number)/callback?code=evil&state=guess"))
      #expect(try await http.get(forged).status == .badRequest)
      let twice = try #require(URL(string: "\(good.absoluteString)&code=evil"))
      #expect(try await http.get(twice).status == .badRequest)
      let posted = try TransportRequest.post(good, body: Data(), contentType: "text/plain")
      #expect(try await http.send(posted).status == .methodNotAllowed)
      let target = "/callback?code=evil&state=\(state)"
      for head in [
        "GET \(target) HTTP/1.1\r\nHost: evil.test\r\n\r\n", "GET \(target) HTTP/1.1\r\n\r\n",
        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(number)\r\nHost: evil.test\r\n\r\n", "\r\n\r\n", "GET\r\n\r\n",
        "GET http://127.0.0.1:\(number)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(number)\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{0}\r\n\r\n", "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(number)\r\nX: \u{0}\r\n\r\n",
      ] {
        #expect(try await Self.raw(number, head).hasPrefix("HTTP/1.1 400"))
      }
      let long = "GET /callback?x=" + String(repeating: "a", count: 17_000)
      #expect(try await Self.raw(number, long).hasPrefix("HTTP/1.1 400"))
      #expect(try await http.get(good).status == .ok)
    }
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
    let number = port.withLock { $0 }
    let late = try #require(URL(string: "http://127.0.0.1:\(number)/callback?code=evil&state=x"))
    #expect(await failure { try await http.get(late) }?.code == .cannotConnect)
  }

  @Test("Peers that connect and say nothing, or half of something, keep the browser from nothing")
  func silent() async throws {
    let http = http
    let visit = try await visit { page in
      let good = try Self.callback(page, ["code": "c"])
      let peers = try (0..<40).map { _ in try RawPeer(port: good.port ?? 0) }
      for peer in peers.suffix(20) { peer.send(Data("GET /callback?code=".utf8)) }
      #expect(try await http.get(good).status == .ok)
      withExtendedLifetime(peers) {}
    }
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
  }

  @Test("A head that arrives byte by byte is a head")
  func slow() async throws {
    let visit = try await visit { page in
      let good = try Self.callback(page, ["code": "c"])
      let head =
        "GET \(good.path())?\(good.query(percentEncoded: true) ?? "") HTTP/1.1\r\nHost: 127.0.0.1:\(good.port ?? 0)\r\n\r\n"
      let peer = try RawPeer(port: good.port ?? 0)
      for byte in head.utf8 { peer.send(Data([byte])) }
      #expect(try await peer.readToEnd().hasPrefix("HTTP/1.1 200"))
    }
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
  }

  @Test("Nobody finishing is an end, and so is cancelling")
  func ends() async throws {
    #expect(await failure { try await visit(timeout: .milliseconds(50)) { _ in } }?.code == .signInTimedOut)
    let opened = Gate()
    let work = Task {
      try await visit { _ in
        try await opened.pass()
      }
    }
    try await opened.waitForArrivals(1)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test("A port that is taken is told before any page is shown")
  func taken() async throws {
    let other = try LoopbackServer(answering: [.response()])
    defer { other.stop() }
    let error = await failure {
      try await visit("http://127.0.0.1:\(other.port)/callback") { _ in Issue.record("a page was shown") }
    }
    #expect(error?.code == .browserUnavailable)
  }

  @Test("A browser that can't be opened ends the visit and says so")
  func noBrowser() async throws {
    let error = await failure {
      try await visit { page in try await SystemBrowser.open(page, with: "ostiary-no-such-browser") }
    }
    #expect(error?.code == .browserUnavailable)
  }

  @Test("The system's browser gets the address as it is, and nothing but an address of the web")
  func browser() async throws {
    let folder = try TemporaryFolder()
    let script = folder.file("browser")
    let seen = folder.file("seen")
    try await ChildProcess.writeScript("#!/bin/sh\nprintf %s \"$1\" >'\(seen.path())'\n", to: script)
    let page = try #require(URL(string: "https://as.test/authorize?a=$(id)&b='%20;x"))
    try await SystemBrowser.open(page, with: script.path())
    #expect(try String(contentsOf: seen, encoding: .utf8) == page.absoluteString)
    for address in ["file:///etc/passwd", "--version", "javascript:alert(1)"] {
      let other = try #require(URL(string: address))
      await #expect(throws: OstiaryError.self) { try await SystemBrowser.open(other, with: script.path()) }
    }
  }

  @Test(
    "A redirect URI that this machine can't answer is refused",
    arguments: [
      "https://127.0.0.1/callback", "http://example.com/callback", "http://[::2]/callback", "app:/callback",
      "http://127.0.0.1.evil.test/", "https://[::1]/callback", "http://[::ffff:127.0.0.1]/callback",
    ])
  func unusable(_ address: String) async throws {
    #expect(await failure { try await visit(address) { _ in } }?.code == .invalidInput)
  }

  @Test("A session manager signs in through the browser, over real HTTP")
  func whole() async throws {
    let server = try LoopbackServer { request in
      let form = OAuthParameters(FormEncoding.parse(request.text).map { .init($0.name, $0.value) })
      switch request.path {
      case "/token":
        let isGood = form["code"] == "c" && form["code_verifier"]?.count == 43
        return [
          .response(isGood ? 200 : 400, body: isGood ? "{\"access_token\":\"t\"}" : "{\"error\":\"invalid_grant\"}")
        ]
      default:
        return [.response(request.fields[.authorization] == "Bearer t" ? 200 : 401)]
      }
    }
    defer { server.stop() }
    let http = http
    let client = try OAuthClient(
      id: "tool",
      endpoints: OAuthEndpoints(token: server.url("/token"), authorization: server.url("/authorize")))
    let agent = LoopbackUserAgent { page in _ = try await http.get(try Self.callback(page.serverPage, ["code": "c"])) }
    let redirectURI = try #require(URL(string: "http://127.0.0.1/callback"))
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(
        server: server.url("/"), client: client, flow: .authorizationCode(in: agent, redirectURI: redirectURI)),
      transport: http, credentials: .byHandler)
    #expect(try await AuthenticatedTransport(manager).get(server.url("/things")).status == .ok)
  }
}
