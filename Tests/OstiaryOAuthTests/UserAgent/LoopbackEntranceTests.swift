import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryOAuth

/// What a browser is opened with is an argument of a process, which other users of the machine can read.
@Suite("The way to a server's page", .timeLimit(.minutes(20)))
struct LoopbackEntranceTests {
  private static let redirectURI = URL(string: "http://127.0.0.1/callback?own=1") ?? URL(filePath: "/")

  /// What the listener answers to a browser that visits an address.
  private static func visit(
    _ address: URL, method: String = "GET", host: String? = nil, more: String = ""
  ) async throws -> String {
    let port = try #require(address.port)
    let host = host ?? "127.0.0.1:\(port)"
    let head = "\(method) \(address.path())\(more) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
    return try await RawPeer.exchange(port: port, Data(head.utf8))
  }

  /// Ends a visit, as the server does that sends the browser back.
  private static func finish(_ page: LoopbackPage, _ name: String, _ parameters: OAuthParameters) async throws {
    let asked = FormEncoding.parse(page.serverPage.query(percentEncoded: true) ?? "")
    let uri = try #require(asked.first { $0.name == name }?.value)
    var all = parameters
    all.add("state", asked.first { $0.name == "state" }?.value)
    let query = FormEncoding.serialize(all.all.map { (name: $0.name, value: $0.value) })
    let callback = try #require(URL(string: uri + (uri.contains("?") ? "&" : "?") + query))
    #expect(try await PlatformTransport().get(callback).status == .ok)
  }

  @Test("LOOP-1: a browser's address says nothing of the server's page, can't be guessed, and leads there once")
  func once() async throws {
    let addresses = Locked<[URL]>([])
    for redirectURI in ["http://127.0.0.1/callback?own=1", "http://LOCALHOST/"] {
      let client = try OAuthStub().client()
      let agent = LoopbackUserAgent { page in
        let address = page.address
        addresses.withLock { $0.append(address) }
        #expect(address.scheme == "http" && address.host() == "127.0.0.1")
        #expect(address.query() == nil && address.fragment() == nil)
        // A look at the head, another method and another host's name use nothing up.
        #expect(try await Self.visit(address, method: "HEAD").hasPrefix("HTTP/1.1 405"))
        #expect(try await Self.visit(address, method: "POST").hasPrefix("HTTP/1.1 405"))
        #expect(try await Self.visit(address, host: "evil.test").hasPrefix("HTTP/1.1 400"))
        for other in ["?", "x", "/"] {
          #expect(try await Self.visit(address, more: other).hasPrefix("HTTP/1.1 404"), "\(other)")
        }
        let first = try await Self.visit(address)
        #expect(first.hasPrefix("HTTP/1.1 303"))
        #expect(first.contains("\r\nLocation: \(page.serverPage.absoluteString)\r\n"))
        #expect(first.contains("\r\nReferrer-Policy: no-referrer\r\n"))
        #expect(first.contains("\r\nCache-Control: no-store\r\n"))
        let second = try await Self.visit(address)
        #expect(second.hasPrefix("HTTP/1.1 410") && !second.contains("as.test"))
        try await Self.finish(page, "redirect_uri", ["code": "c"])
      }
      let visit = try await agent.visit(try #require(URL(string: redirectURI))) { uri in
        try AuthorizationRequest(client, redirectURI: uri, state: "planted-state")
      }
      #expect(try visit.request.check(visit.callback).code.reveal() == "c")
    }
    let paths = addresses.withLock { $0.map { $0.path() } }
    #expect(Set(paths).count == 2)
    for path in paths { #expect(path.utf8.count >= 43 && !path.contains("planted")) }
  }

  private static let programs = ["/usr/bin/setpriv", "/usr/bin/curl"]

  /// Whether the tests can act as another user, whom the system tells from theirs.
  private static let hasOtherUser: Bool = {
    #if os(Linux)
      return geteuid() == 0 && programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    #else
      return false
    #endif
  }()

  @Test(
    "LOOP-3: another user of the machine who has read the address gets nothing, and uses nothing up",
    .enabled(if: hasOtherUser, "Only root can act as another user, by setpriv and curl."))
  func otherUser() async throws {
    let client = try OAuthStub().client()
    let agent = LoopbackUserAgent { page in
      let other = try await ChildProcess.run(
        URL(filePath: Self.programs[0]),
        [
          "--reuid=65534", "--clear-groups", Self.programs[1], "--silent", "--include", "--noproxy", "*",
          page.address.absoluteString,
        ], environment: [:])
      #expect(other.output.hasPrefix("HTTP/1.1 403") && !other.output.contains("as.test"), "\(other.output)")
      #expect(try await Self.visit(page.address).hasPrefix("HTTP/1.1 303"))
      try await Self.finish(page, "redirect_uri", ["code": "c"])
    }
    let visit = try await agent.visit(Self.redirectURI) { uri in try AuthorizationRequest(client, redirectURI: uri) }
    #expect(try visit.request.check(visit.callback).code.reveal() == "c")
  }

  @Test("LOOP-3: what another user gets says nothing, and the address stays good for its own")
  func foreign() throws {
    let entrance = LoopbackEntrance()
    let text = "GET \(entrance.path) HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"
    guard case .head(let head) = CallbackHead.read(Array(text.utf8)) else {
      Issue.record("it is no request")
      return
    }
    if case .notFound? = entrance.page(for: head, isOtherUser: false) {} else { Issue.record("it leads somewhere") }
    entrance.open(to: try AuthorizationRequest(OAuthStub().client(), redirectURI: Self.redirectURI))
    let foreign = try #require(entrance.page(for: head, isOtherUser: true))
    let answer = String(decoding: foreign.response, as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 403") && !answer.contains("as.test"))
    let own = try #require(entrance.page(for: head, isOtherUser: false))
    #expect(String(decoding: own.response, as: UTF8.self).contains("Location: https://as.test/"))
  }

  @Test("LOOP-1: a page's description has no secret")
  func description() throws {
    let page = LoopbackPage(
      address: try #require(URL(string: "http://127.0.0.1:1/open-planted")),
      serverPage: try #require(URL(string: "https://as.test/end?id_token_hint=planted")))
    var dumped = ""
    dump(page, to: &dumped)
    #expect(!("\(page)" + String(reflecting: page) + dumped).contains("planted"))
  }

  /// Signs out on a server's page, in a browser that shows what it gets.
  /// - Returns: what came of it, and what the browser got.
  private func signOut(idToken: String) async throws -> (report: LogoutReport, got: String) {
    let endpoints = OAuthEndpoints(
      token: OAuthStub.url("/token"), endSession: OAuthStub.url("/end?tenant=a&b=%22"))
    let client = try OAuthClient(id: "app", endpoints: endpoints)
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client),
      transport: ScriptedTransport(), credentials: .manual)
    let tokens = TokenSet(accessToken: "access", idToken: Secret(idToken))
    _ = try await manager.signIn(with: tokens.grant(for: Session.User(id: "ann")))
    let got = Locked("")
    let agent = LoopbackUserAgent { page in
      #expect(!page.address.absoluteString.contains(idToken))
      let answer = try await Self.visit(page.address)
      got.withLock { $0 = answer }
      try await Self.finish(page, "post_logout_redirect_uri", [:])
    }
    let report = await manager.signOut(in: agent, returnURI: Self.redirectURI)
    return (report, got.withLock { $0 })
  }

  @Test("LOOP-2: a sign-out's address that servers may find too long becomes a form, with nothing else on its page")
  func form() async throws {
    let long = "e30." + String(repeating: "A", count: 6144) + ".c2ln"
    let (report, got) = try await signOut(idToken: long)
    #expect(report.pageError == nil)
    #expect(got.hasPrefix("HTTP/1.1 200") && !got.contains("\r\nLocation:"))
    #expect(got.contains("\r\nReferrer-Policy: no-referrer\r\n") && got.contains("\r\nCache-Control: no-store\r\n"))
    #expect(got.contains("default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src 'sha256-"))
    #expect(got.contains("<form method=\"post\" action=\"https://as.test/end?tenant=a&amp;b=%22\">"))
    #expect(got.contains("<input type=\"hidden\" name=\"id_token_hint\" value=\"\(long)\">"))
    #expect(got.contains("<input type=\"hidden\" name=\"client_id\" value=\"app\">"))
    #expect(got.contains("name=\"post_logout_redirect_uri\" value=\"http://127.0.0.1:"))
    #expect(got.contains("<noscript><button>"))
    // The hash is of the line that stands there (CSP Level 3 §6.7.3.3).
    #expect(got.contains("<script>document.forms[0].submit()</script>"))
    #expect(got.contains("script-src 'sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='"))
  }

  @Test("LOOP-2: a shorter one is visited, as browsers send more cookies then")
  func visited() async throws {
    let (report, got) = try await signOut(idToken: "e30.e30.c2ln")
    #expect(report.pageError == nil)
    #expect(got.hasPrefix("HTTP/1.1 303"))
    #expect(got.contains("\r\nLocation: https://as.test/end?tenant=a&b=%22&id_token_hint=e30.e30.c2ln&client_id=app&"))
  }
}
