#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @Suite("AsyncHTTPClient transport", .timeLimit(.minutes(20)))
  struct TransportBehaviourTests {
    private let transport = AsyncHTTPClientTransport()

    private func answer(
      _ actions: LoopbackServer.Action..., to make: (URL) throws -> TransportRequest
    ) async throws -> (response: TransportResponse, request: LoopbackServer.Request) {
      let server = try LoopbackServer(answering: actions)
      defer { server.stop() }
      let response = try await transport.send(make(server.url("/path?query=1")))
      return (response, try #require(server.requests.first))
    }

    @Test(
      "A method and its body arrive as they are",
      arguments: [
        ("GET", nil), ("GET", "body"), ("POST", nil), ("POST", ""), ("POST", "a=b"), ("PUT", "\u{0}\r\n\u{0}"),
        ("PATCH", "{}"), ("DELETE", nil), ("OPTIONS", nil), ("PROPFIND", "<x/>"), ("TRACE", nil),
      ] as [(String, String?)])
    func methods(method: String, body: String?) async throws {
      let (response, request) = try await answer(.response(200, body: "ok")) { url in
        TransportRequest(
          try HTTPRequest(try #require(HTTPRequest.Method(method)), to: url), body: body.map { Data($0.utf8) })
      }
      #expect(request.method == method)
      #expect(request.target == "/path?query=1")
      #expect(request.text == body ?? "")
      #expect(response.status == .ok)
      #expect(response.text == "ok")
      #expect(response.url?.path == "/path")
    }

    @Test(
      "A body of any size arrives as it is, from memory and read while it is sent",
      arguments: [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 1_000_000], [false, true])
    func bodies(size: Int, isRead: Bool) async throws {
      let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      var request = TransportRequest(try HTTPRequest(.put, to: server.url("/")))
      if isRead {
        let source = BodySource(length: size) { offset, bytes in
          bytes.copyBytes(from: body[offset..<offset + bytes.count])
        }
        _ = try await transport.send(request, reading: source)
      } else {
        request.body = body
        _ = try await transport.send(request)
      }
      let received = try #require(server.requests.first)
      #expect(received.body == body)
      #expect(received.fields[.contentLength] == "\(size)")
    }

    @Test("A body that can't be read any more is an error of its own, and the server gets no whole request")
    func unreadable() async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      let failure = OstiaryError(OstiaryError.Code("gone"), "The file is gone.")
      let source = BodySource(length: 2_000_000) { offset, _ in if offset > 1_000_000 { throw failure } }
      let request = TransportRequest(try HTTPRequest(.put, to: server.url("/")))
      let error = await #expect(throws: OstiaryError.self) { try await transport.send(request, reading: source) }
      #expect(error?.code == failure.code)
      #expect(server.requests.isEmpty)
    }

    @Test("Nothing is added to a request but its host, its length, a user agent and that it accepts any type")
    func nothingAdded() async throws {
      let (_, request) = try await answer(.response(204)) { try .get($0) }
      #expect(Set(request.fields.map(\.name.canonicalName)) == ["host", "user-agent", "accept"])
      #expect(request.fields[.userAgent] == "Ostiary")
      #expect(request.fields[.accept] == "*/*")
    }

    @Test("A request's own fields are sent in their order, its user agent instead of ours, its host never")
    func ownFields() async throws {
      let (_, request) = try await answer(.response(204)) { url in
        var request = try TransportRequest.get(url)
        request.head.headerFields[.userAgent] = "Mine/1"
        for value in ["one", "tw\u{f6}", "three  words"] {
          request.head.headerFields.append(HTTPField(name: try #require(.init("X-Value")), value: value))
        }
        request.head.headerFields[try #require(HTTPField.Name("Host"))] = "elsewhere.example"
        return request
      }
      #expect(request.fields[.userAgent] == "Mine/1")
      #expect(request.fields[values: try #require(.init("X-Value"))] == ["one", "tw\u{f6}", "three  words"])
      let host = try #require(HTTPField.Name("Host"))
      #expect(request.fields[values: host].map { $0.hasPrefix("127.0.0.1:") } == [true])
    }

    @Test("Cookies travel in one field, however many the request holds them in; other fields stay apart, to the byte")
    func oneCookieField() async throws {
      let (_, request) = try await answer(.response(204)) { url in
        var request = try TransportRequest.get(url)
        request.head.headerFields[.cookie] = "a=1; b=x%3D==; c=\u{f6}"
        try #require(request.head.headerFields[fields: .cookie].count == 3)
        request.head.headerFields.append(HTTPField(name: .accept, value: "a/b;q=0.5,  c/d"))
        request.head.headerFields.append(HTTPField(name: try #require(.init("COOKIE")), value: "d=4"))
        request.head.headerFields.append(HTTPField(name: .accept, value: "e/f"))
        return request
      }
      #expect(request.fields[values: .cookie] == ["a=1; b=x%3D==; c=\u{f6}; d=4"])
      #expect(request.fields[values: .accept] == ["a/b;q=0.5,  c/d", "e/f"])
      let head = String(decoding: request.head, as: UTF8.self)
      #expect(head.contains("\r\nCookie: a=1; b=x%3D==; c=\u{f6}; d=4\r\n"))
      #expect(head.contains("\r\nAccept: a/b;q=0.5,  c/d\r\n") && head.contains("\r\nAccept: e/f\r\n"))
    }

    @Test("The user agent can be another one or none", arguments: ["Other/2", nil])
    func userAgent(name: String?) async throws {
      var options = AsyncHTTPClientTransport.Options()
      options.userAgent = name
      let server = try LoopbackServer(answering: [.response(204)])
      defer { server.stop() }
      _ = try await AsyncHTTPClientTransport(options: options).get(server.url())
      #expect(try #require(server.requests.first).fields[.userAgent] == name)
    }

    @Test(
      "A path is sent to the byte",
      arguments: [
        "/", "/a/../b/./c", "//double//slash", "/%41%7e%2F", "/%C3%A4",
        "/prweb/PRServlet/app%2FApp_/aB3*/!STANDARD?pyActivity=Data-Portal.X&y=%25%26%2B%3D+%20&&z=;:@$',()*!~",
        "/?", "/p;v=1?q?r",
      ])
    func paths(path: String) async throws {
      let server = try LoopbackServer(answering: [.response(204)])
      defer { server.stop() }
      let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: path)
      _ = try await transport.send(TransportRequest(head))
      #expect(server.requests.first?.target == path)
    }

    @Test("What RFC 3986 does not allow in a path or query is percent-encoded on the way")
    func encodedPath() async throws {
      let server = try LoopbackServer(answering: [.response(204)])
      defer { server.stop() }
      let head = HTTPRequest(
        method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)",
        path: "/a|b%7C?c=[1]&d={%20}&e=100%&f=%4&g=%zz\"<>\\^`")
      _ = try await transport.send(TransportRequest(head))
      #expect(
        server.requests.first?.target == "/a%7Cb%7C?c=%5B1%5D&d=%7B%20%7D&e=100%25&f=%254&g=%25zz%22%3C%3E%5C%5E%60")
    }

    @Test("Repeated Set-Cookie fields stay apart, in order")
    func repeatedFields() async throws {
      let cookies = ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/", "b=2,3", "a=4"]
      let (response, _) = try await answer(.response(200, cookies.map { ("Set-Cookie", $0) })) { try .get($0) }
      #expect(response.head.headerFields[values: .setCookie] == cookies)
    }

    @Test("A cookie whose bytes are not UTF-8 is not kept as something else")
    func cookieBytes() async throws {
      let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=caf".utf8) + [0xE9, 0x0D, 0x0A]
      let request = try TransportRequest.get(try #require(URL(string: "http://127.0.0.1/")))
      let (response, _) = try await answer(.send(head), .send("Set-Cookie: b=caf\u{E9}\r\n\r\n"), .close) {
        try .get($0)
      }
      var jar = CookieJar()
      jar.storeAll(from: response.head, to: request.head, now: Date())
      #expect(jar.header(for: request.head, now: Date()) == "b=caf\u{E9}")
    }

    @Test("A 304 may say how long the body is that it does not have")
    func notModified() async throws {
      let (response, _) = try await answer(
        .send("HTTP/1.1 304 Not Modified\r\nContent-Length: 1073741824\r\n\r\n")
      ) { try .get($0) }
      #expect(response.status == .notModified)
      #expect(response.body.isEmpty)
    }

    @Test("No cookie comes back by itself, no answer from a cache")
    func noState() async throws {
      let server = try LoopbackServer(
        answering: [.response(200, [("Set-Cookie", "a=1; Path=/"), ("Cache-Control", "max-age=1000")], body: "x")])
      defer { server.stop() }
      for _ in 0..<2 { _ = try await transport.get(server.url()) }
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { $0.fields[.cookie] == nil })
    }

    @Test(
      "A 401 comes back at once, whatever it asks for",
      arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate", "NTLM"])
    func unauthorized(challenge: String) async throws {
      let (response, _) = try await answer(.response(401, [("WWW-Authenticate", challenge)], body: "no")) {
        try .get($0)
      }
      #expect(response.status == .unauthorized)
      #expect(response.text == "no")
      #expect(response.head.headerFields[.wwwAuthenticate] == challenge)
    }

    @Test(
      "A redirect is an answer like any other",
      arguments: [301, 302, 303, 307, 308], ["/there", "https://other.example/", "app.scheme:/callback"])
    func redirect(status: Int, location: String) async throws {
      let (response, _) = try await answer(.redirect(status, to: location)) {
        try .post($0, body: Data("b".utf8), contentType: "text/plain")
      }
      #expect(response.status.code == status)
      #expect(response.head.headerFields[.location] == location)
    }

    @Test("Interim responses are passed over")
    func interim() async throws {
      let (response, _) = try await answer(
        .head(103, [("Set-Cookie", "early=1")]), .head(102), .response(200, body: "x")
      ) {
        try .get($0)
      }
      #expect(response.status == .ok)
      #expect(response.head.headerFields[.setCookie] == nil)
      #expect(response.text == "x")
    }

    @Test("Chunks are put together; a body without a length ends with the connection; some have none")
    func framing() async throws {
      let chunked = try await answer(
        .head(200, [("Transfer-Encoding", "chunked")]), .chunk("hel"), .chunk("lo"), .lastChunk
      ) { try .get($0) }
      #expect(chunked.response.text == "hello")
      let closed = try await answer(.head(200), .send("hello"), .close) { try .get($0) }
      #expect(closed.response.text == "hello")
      let none = try await answer(.head(204)) { try .get($0) }
      #expect(none.response.body.isEmpty)
      let unmodified = try await answer(.head(304, [("Content-Length", "500")])) { try .get($0) }
      #expect(unmodified.response.body.isEmpty)
      let head = try await answer(.head(200, [("Content-Length", "1073741824")])) {
        TransportRequest(try HTTPRequest(.head, to: $0))
      }
      #expect(head.response.head.headerFields[.contentLength] == "1073741824")
      #expect(head.response.body.isEmpty)
    }

    @Test("A compressed body is delivered as it came")
    func noDecompression() async throws {
      let (response, _) = try await answer(.response(200, [("Content-Encoding", "gzip")], body: "not gzip")) {
        try .get($0)
      }
      #expect(response.text == "not gzip")
    }

    @Test("Connections are used again")
    func keepAlive() async throws {
      let server = try LoopbackServer(answering: [.response(200, body: "x")])
      defer { server.stop() }
      for _ in 0..<10 { _ = try await transport.get(server.url()) }
      #expect(server.connectionCount == 1)
    }

    @Test("500 requests at once are all answered")
    func crowd() async throws {
      let server = try LoopbackServer { request in [.response(200, body: request.target)] }
      defer { server.stop() }
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<500 {
          group.addTask { try await transport.get(server.url("/\(index)")).text }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(answers == Set((0..<500).map { "/\($0)" }))
      #expect(server.connectionCount <= AsyncHTTPClientTransport.Options().connectionsPerHost)
    }

    @Test("A megabyte travels both ways")
    func large() async throws {
      let content = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let server = try LoopbackServer { request in
        [.head(200, [("Content-Length", "\(request.body.count)")]), .send(request.body)]
      }
      defer { server.stop() }
      let response = try await transport.send(.post(server.url(), body: content, contentType: "x/y"))
      // Not `==` inside of the macro: on failure it would look for the differences for hours.
      let isWhole = response.body == content
      #expect(isWhole)
    }

    @Test("A stream delivers pieces as they come, and the slow reader slows the sender")
    func streaming() async throws {
      let gate = Gate()
      let server = try LoopbackServer(
        answering: [
          .head(200, [("Transfer-Encoding", "chunked")]), .chunk("first"), .wait(gate), .chunk("second"), .lastChunk,
        ])
      defer { server.stop() }
      let response = try await transport.stream(.get(server.url("/x")))
      #expect(response.url == server.url("/x"))
      var pieces = response.body.makeAsyncIterator()
      #expect(try await pieces.next() == Data("first".utf8))
      gate.open()
      #expect(try await pieces.next() == Data("second".utf8))
      #expect(try await pieces.next() == nil)
    }

    @Test("A stream has no limit but its reader's, and dropping it closes the connection")
    func droppedStream() async throws {
      let server = try LoopbackServer(answering: [.head(200), .repeatForever(Data(repeating: 65, count: 65_536))])
      defer { server.stop() }
      do {
        var request = try TransportRequest.get(server.url())
        request.responseBodyLimit = 10
        let response = try await transport.stream(request)
        var received = 0
        for try await piece in response.body {
          received += piece.count
          if received > 1_000_000 { break }
        }
        #expect(received > 1_000_000)
      }
      try await server.waitForDisconnections(1)
    }

    @Test("A stream outlives the last reference to its transport")
    func transportDropped() async throws {
      let gate = Gate()
      let server = try LoopbackServer(answering: [.head(200), .wait(gate), .send("late"), .close])
      defer { server.stop() }
      let response = try await AsyncHTTPClientTransport().stream(.get(server.url()))
      gate.open()
      #expect(try await response.body.collect(upTo: 100) == Data("late".utf8))
    }

    @Test("A dropped transport closes its connections")
    func dropped() async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      _ = try await AsyncHTTPClientTransport().get(server.url())
      try await server.waitForNoConnections()
    }

    @Test("A closed transport has no connections and sends nothing more")
    func closed() async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      let transport = AsyncHTTPClientTransport()
      _ = try await transport.get(server.url())
      await transport.close()
      try await server.waitForNoConnections()
      await transport.close()
      let error = await #expect(throws: OstiaryError(.invalidRequest, "")) { try await transport.get(server.url()) }
      #expect(error?.requestMayHaveExecuted == false)
      #expect(server.requests.count == 1)
    }

    @Test(
      "What can't be sent is refused before anything is",
      arguments: [
        HTTPRequest(method: .get, scheme: nil, authority: "127.0.0.1", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "", path: "/"),
        HTTPRequest(method: .get, scheme: "ftp", authority: "127.0.0.1", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "user@127.0.0.1", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1/x", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "a b", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:99999", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "no-slash"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/a b"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/ü"),
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/#fragment"),
        HTTPRequest(method: .get, scheme: "http", authority: "[::1", path: "/"),
        HTTPRequest(method: .get, scheme: "http", authority: "%", path: "/"),
        HTTPRequest(
          method: .get, scheme: "http", authority: "127.0.0.1", path: "/",
          headerFields: HTTPFields([HTTPField(name: .authorization, lenientValue: Array("a\u{1}secret".utf8))])),
      ])
    func unsendable(head: HTTPRequest) async throws {
      let error = await #expect(throws: OstiaryError(.invalidRequest, "")) {
        try await transport.send(TransportRequest(head))
      }
      #expect(error?.requestMayHaveExecuted == false)
      #expect(error.map { "\($0) \(String(reflecting: $0))".contains("secret") } == false)
    }

    @Test("A TRACE request with a body is refused")
    func trace() async throws {
      await #expect(throws: OstiaryError(.invalidRequest, "")) {
        try await transport.send(
          TransportRequest(HTTPRequest(.trace, to: try #require(URL(string: "http://127.0.0.1/"))), body: Data([1])))
      }
    }
  }
#endif
