#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @Suite("Redirects between real servers", .timeLimit(.minutes(20)))
  struct RedirectMatrixTests {
    /// Where a redirect leads, seen from `http://app.test`.
    enum Destination: CaseIterable, CustomTestStringConvertible {
      case sameOrigin, samePath, otherPort, subdomain, parentDomain, otherHost, upgrade

      var testDescription: String { "\(self)" }
      var keepsProof: Bool { self == .sameOrigin || self == .samePath }
    }

    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let names = [
      "app.test": "127.0.0.1", "sub.app.test": "127.0.0.1", "test": "127.0.0.1", "other.test": "127.0.0.1",
    ]

    private func location(_ destination: Destination, _ first: Int, _ second: Int, _ secure: Int) -> String {
      switch destination {
      case .sameOrigin: "http://app.test:\(first)/end"
      case .samePath: "end"
      case .otherPort: "http://app.test:\(second)/end"
      case .subdomain: "http://sub.app.test:\(first)/end"
      case .parentDomain: "//test:\(first)/end"
      case .otherHost: "http://other.test:\(second)/end"
      case .upgrade: "https://app.test:\(secure)/end"
      }
    }

    @Test(
      "Invariant 11: proof stays at its origin, whichever way a redirect leads",
      arguments: Destination.allCases, [301, 302, 303, 307, 308])
    func matrix(destination: Destination, status: Int) async throws {
      let second = try LoopbackServer(answering: [.response(200, body: "end")])
      defer { second.stop() }
      // A port where nothing speaks TLS is enough to see that the redirect was not refused for its scheme.
      let secure = second.port
      let ports = Locked<(first: Int, location: String)>((0, ""))
      let first = try LoopbackServer { request in
        request.path == "/end"
          ? [.response(200, body: "end")]
          : [.redirect(status, to: ports.withLock { $0.location }, [("Set-Cookie", "hop=1; Path=/")])]
      }
      defer { first.stop() }
      let target = location(destination, first.port, second.port, secure)
      ports.withLock { $0 = (first.port, target) }
      let transport = AsyncHTTPClientTransport(addresses: names)
      let url = try #require(URL(string: "http://app.test:\(first.port)/start"))

      for method in [HTTPRequest.Method.get, .post] {
        let body = method == .post ? Data("password=secret".utf8) : nil
        var jar = CookieJar()
        jar.store("session=secret; Path=/", from: try HTTPRequest(.get, to: url), now: now)
        var request = TransportRequest(
          try HTTPRequest(
            method, to: url,
            headerFields: [.authorization: "Bearer secret", .accept: "text/plain", .cookie: "own=secret"]),
          body: body)
        request.head.headerFields[try #require(HTTPField.Name("X-Token"))] = "secret"
        if body != nil { request.head.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        let before = (first: first.requests.count, second: second.requests.count)

        let follower = RedirectFollower(transport: transport)
        var response: TransportResponse?
        var failure: OstiaryError?
        do {
          response = try await follower.send(request, jar: &jar) { [now] in now }.response
        } catch {
          failure = error as? OstiaryError
        }
        #expect(jar.cookies.map(\.name).contains("hop"))

        let keepsBody = body != nil && (status == 307 || status == 308)
        if keepsBody && !destination.keepsProof {
          #expect(failure?.code == .redirectRefused)
          #expect(first.requests.count == before.first + 1)
          #expect(second.requests.count == before.second)
          continue
        }
        if destination == .upgrade {
          // The second server speaks no TLS: that the connection failed is all there is to see, and that nothing came.
          #expect(failure != nil && failure?.code != .redirectRefused)
          #expect(second.requests.count == before.second)
          continue
        }
        #expect(response?.text == "end")
        #expect(response?.url?.path == "/end")
        let last = try #require(first.requests.dropFirst(before.first + 1).last ?? second.requests.last)
        #expect(last.target == "/end")
        #expect(last.fields[.accept] == "text/plain")
        #expect(last.method == (keepsBody || body == nil ? method.rawValue : "GET"))
        #expect(last.text == (keepsBody ? "password=secret" : ""))
        #expect((last.fields[.contentType] != nil) == keepsBody)
        if destination.keepsProof {
          #expect(last.fields[.authorization] == "Bearer secret")
          #expect(last.fields[try #require(HTTPField.Name("X-Token"))] == "secret")
          #expect(last.fields[.cookie] == "own=secret; session=secret; hop=1")
        } else if destination == .otherPort {
          // Cookies know no ports (RFC 6265bis §8.5); the request's own field does.
          #expect(last.fields[.cookie] == "session=secret; hop=1")
          #expect(last.fields[.authorization] == nil)
        } else {
          #expect(!String(decoding: last.head, as: UTF8.self).contains("secret"))
          #expect(last.fields[.cookie] == nil)
        }
      }
    }

    @Test("Invariant 11: from https to http nothing is sent at all")
    func downgrade() async throws {
      let plain = try LoopbackServer(answering: [.response(200, body: "end")])
      defer { plain.stop() }
      let secure = try await TLSTestServer(
        answering: "HTTP/1.1 302 Found\r\nLocation: http://localhost:\(plain.port)/end\r\nContent-Length: 0\r\n\r\n")
      var options = AsyncHTTPClientTransport.Options()
      options.additionalTrustRoots = try .init(pem: Data(TLSTestServer.authority.utf8))
      let transport = AsyncHTTPClientTransport(options: options)
      let request = try TransportRequest.get(#require(URL(string: "https://localhost:\(secure.port)/")))
      var jar = CookieJar()
      await #expect(throws: OstiaryError(.redirectRefused, "")) {
        try await RedirectFollower(transport: transport).send(request, jar: &jar) { [now] in now }
      }
      #expect(plain.connectionCount == 0)

      var policy = RedirectPolicy()
      policy.unsafelyFollowsDowngrades = true
      let response = try await RedirectFollower(transport: transport, policy: policy)
        .send(request, jar: &jar) { [now] in now }.response
      #expect(response.text == "end")
      try await secure.stop()
    }

    @Test("Invariant 9: a loop ends with an error, after as many requests as the policy says")
    func loop() async throws {
      let server = try LoopbackServer { request in [.redirect(302, to: request.path == "/a" ? "/b" : "/a")] }
      defer { server.stop() }
      var policy = RedirectPolicy()
      policy.limit = 5
      var jar = CookieJar()
      await #expect(throws: OstiaryError(.tooManyRedirects, "")) {
        try await RedirectFollower(transport: AsyncHTTPClientTransport(), policy: policy)
          .send(.get(server.url("/a")), jar: &jar) { [now] in now }
      }
      #expect(server.requests.count == 6)
    }

    @Test(
      "Invariant 14: a hostile location is a typed error, and nothing more is sent",
      arguments: [
        "http://", "http://user:password@app.test/", "\\\\evil.test\\x", "/a b\u{1}", "javascript:alert(1)",
        "file:///etc/passwd", "http://[::1/", "http://a:99999999/", "http:evil.test",
        String(repeating: "a", count: 20_000),
      ])
    func hostile(location: String) async throws {
      let server = try LoopbackServer(answering: [.redirect(302, to: location)])
      defer { server.stop() }
      var jar = CookieJar()
      let error = await #expect(throws: OstiaryError.self) {
        try await RedirectFollower(transport: AsyncHTTPClientTransport())
          .send(.get(server.url()), jar: &jar) { [now] in now }
      }
      // NIO itself refuses control characters in fields.
      #expect(error.map { [.redirectRefused, .malformedResponse].contains($0.code) } == true)
      #expect(error.map { "\($0)".contains("password") } == false)
      #expect(server.requests.count == 1)
    }
  }
#endif
