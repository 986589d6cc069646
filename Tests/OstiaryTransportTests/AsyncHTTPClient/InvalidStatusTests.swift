#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import Testing

  /// Without the guard the process ends, so each hostile server is met by a process of its own.
  @Suite("AsyncHTTPClient transport: invalid statuses", .timeLimit(.minutes(20)))
  struct InvalidStatusTests {
    static let bodies = [
      "Content-Length: 0\r\n\r\n", "Content-Length: 2\r\n\r\nok",
      "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "Connection: close\r\n\r\nok",
    ]

    @Test(
      "Bug-A30: a status below 100 is a malformed response and no trap, on a new and on a kept connection",
      arguments: [
        "HTTP/1.1 000 X", "HTTP/1.1 001 X", "HTTP/1.1 010 X", "HTTP/1.1 099 X", "HTTP/1.0 099 X", "HTTP/1.1 099",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 099 X", "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 000 X",
      ])
    func hostile(line: String) async {
      await #expect(processExitsWith: .success) { [line = line as String] in
        for (index, body) in InvalidStatusTests.bodies.enumerated() {
          let server = try LoopbackServer { request in
            request.path == "/good"
              ? [.response(200)] : [.send("\(line)\r\n\(body)"), index == 3 ? .close : .hold]
          }
          let transport = AsyncHTTPClientTransport()
          let (good, hostile) = (server.url("/good"), server.url("/hostile"))
          for method in ["GET", "HEAD", "POST"] {
            var request = try TransportRequest.get(hostile)
            request.head.method = .init(method) ?? .get
            if method == "POST" { request.body = Data(repeating: 65, count: 1_000_000) }
            let error = await #expect(throws: OstiaryError(.malformedResponse, "")) {
              try await transport.send(request)
            }
            #expect(error?.requestMayHaveExecuted == true)
            // Its connection is closed, a new one works, and the next hostile answer comes on that.
            #expect(try await transport.get(good).status == .ok)
          }
          await transport.close()
          server.stop()
        }
      }
    }

    @Test(
      "Bug-A30: unusual statuses that are valid pass",
      arguments: [
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", 200), ("HTTP/1.1 199 X\r\n\r\nHTTP/1.1 200 OK", 200),
        ("HTTP/1.1 103 X\r\nLink: x\r\n\r\nHTTP/1.1 103 X\r\n\r\nHTTP/1.1 404 OK", 404),
        ("HTTP/1.1 600 X", 600), ("HTTP/1.1 999 X", 999),
      ])
    func valid(line: String, status: Int) async throws {
      let server = try LoopbackServer(answering: [.send("\(line)\r\nContent-Length: 2\r\n\r\nok"), .hold])
      defer { server.stop() }
      let response = try await AsyncHTTPClientTransport().get(server.url())
      #expect(response.status.code == status)
      #expect(response.text == "ok")
    }

    @Test(
      "Bug-A30: an invalid status of HTTP/2 is a malformed response and no trap; the connection goes on",
      arguments: [[""], ["-5"], ["0"], ["099"], ["99"], ["20x"], ["+200"], ["101", "200"], ["1999", "200"], ["2000"]])
    func hostileStream(statuses: [String]) async {
      await #expect(processExitsWith: .success) { [statuses = statuses as [String]] in
        let server = try await TLSTestServer(speaking: "h2") { HTTP2Answer([["100", "200"], statuses, ["999"]]) }
        var options = AsyncHTTPClientTransport.Options()
        options.additionalTrustRoots = try .init(pem: Data(TLSTestServer.authority.utf8))
        let transport = AsyncHTTPClientTransport(options: options)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        #expect(try await transport.get(url).text == "ok")
        await #expect(throws: OstiaryError(.malformedResponse, "")) { try await transport.get(url) }
        #expect(try await transport.get(url).status.code == 999)
        await transport.close()
        try await server.stop()
      }
    }
  }
#endif
