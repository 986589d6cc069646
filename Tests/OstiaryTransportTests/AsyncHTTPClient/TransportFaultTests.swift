#if AsyncHTTPClient
  import Foundation
  import HTTPTypes
  import OstiaryAsyncHTTPClient
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @Suite("AsyncHTTPClient transport: faults", .timeLimit(.minutes(20)))
  struct TransportFaultTests {
    private let transport = AsyncHTTPClientTransport()

    private func failure(
      _ actions: [LoopbackServer.Action], limit: Int = 1_000_000, timeout: Duration = .seconds(120)
    ) async throws -> OstiaryError {
      let server = try LoopbackServer(answering: actions)
      defer { server.stop() }
      var request = try TransportRequest.get(server.url("/?secret=1"))
      request.responseBodyLimit = limit
      request.timeout = timeout
      let error = await #expect(throws: OstiaryError.self) { try await transport.send(request) }
      let failure = try #require(error)
      #expect(failure.host == "127.0.0.1:\(server.port)")
      #expect(failure.method == .get)
      #expect(failure.isTransient)
      #expect(!"\(failure) \(String(reflecting: failure))".contains("secret"))
      try await server.waitForNoConnections()
      return failure
    }

    @Test("A refused connection fails at once, and the request was not executed")
    func refused() async throws {
      // No server listens on port 1; a port that was just given up may be another's already.
      for host in ["127.0.0.1", "localhost"] {
        let url = try #require(URL(string: "http://\(host):1/"))
        let error = await #expect(throws: OstiaryError(.cannotConnect, "")) { try await transport.get(url) }
        #expect(error?.requestMayHaveExecuted == false)
        #expect(error?.isTransient == true)
      }
    }

    @Test("A name without an address is told apart, and the request was not executed")
    func nameless() async throws {
      let url = try #require(URL(string: "http://no-such-host.invalid/"))
      let error = await #expect(throws: OstiaryError(.hostNotFound, "")) { try await transport.get(url) }
      #expect(error?.requestMayHaveExecuted == false)
    }

    @Test("A reset, a close or silence before the head loses the connection; the server may have acted")
    func lostBeforeHead() async throws {
      for actions: [LoopbackServer.Action] in [
        [.reset], [.close], [.send("HTTP/1.1 200 O"), .reset], [.send("HTTP/1.1 200 OK\r\nX: "), .close],
      ] {
        let error = try await failure(actions)
        #expect(error.code == .connectionLost)
        #expect(error.requestMayHaveExecuted)
      }
    }

    @Test("A body that stops short is an error, never a short body")
    func truncated() async throws {
      let length = LoopbackServer.Action.head(200, [("Content-Length", "100")])
      let chunked = LoopbackServer.Action.head(200, [("Transfer-Encoding", "chunked")])
      for actions: [LoopbackServer.Action] in [
        [length, .close], [length, .send("short"), .close], [length, .send("short"), .reset],
        [chunked, .chunk("short"), .close], [chunked, .chunk("short"), .reset], [chunked, .send("5\r\nsh"), .close],
      ] {
        let error = try await failure(actions)
        #expect(error.code == .connectionLost)
        #expect(error.requestMayHaveExecuted)
      }
    }

    @Test(
      "Invariant 14: what is not HTTP is a malformed response",
      arguments: [
        "garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 2000 X\r\n\r\n", "HTTP/1.1 abc X\r\n\r\n",
        "HTTP/1.1 -1 X\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbad name: x\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "<html><body>Proxy error</body></html>",
      ])
    func malformed(bytes: String) async throws {
      let error = try await failure([.send(bytes), .hold])
      #expect(error.code == .malformedResponse)
    }

    @Test("Invariant 14: a head without end is an error in bounded memory")
    func headBomb() async throws {
      for bytes in ["X-A: " + String(repeating: "a", count: 65_000) + "\r\n", String(repeating: "a", count: 65_000)] {
        let error = try await failure([.send("HTTP/1.1 200 OK\r\nX-B: "), .repeatForever(Data(bytes.utf8))])
        #expect(error.code == .malformedResponse)
      }
    }

    @Test("Invariant 14: a gigabyte that is announced is refused unread")
    func gigabyte() async throws {
      let error = try await failure([.head(200, [("Content-Length", "1073741824")]), .send("a"), .hold])
      #expect(error.code == .responseTooLarge)
    }

    @Test("Invariant 14: a body without end is read up to the limit")
    func endless() async throws {
      let piece = LoopbackServer.Action.repeatForever(Data(repeating: 65, count: 10_000))
      #expect(try await failure([.head(200), piece], limit: 100_000).code == .responseTooLarge)
      let chunk = LoopbackServer.Action.repeatForever(Data("5\r\nhello\r\n".utf8))
      #expect(
        try await failure([.head(200, [("Transfer-Encoding", "chunked")]), chunk], limit: 1000).code
          == .responseTooLarge)
    }

    @Test("A body of exactly the limit is accepted, one byte more is not")
    func limit() async throws {
      let server = try LoopbackServer { request in
        [.head(200), .send(String(repeating: "a", count: Int(request.query ?? "") ?? 0)), .close]
      }
      defer { server.stop() }
      var request = try TransportRequest.get(server.url("/?1000"))
      request.responseBodyLimit = 1000
      #expect(try await transport.send(request).body.count == 1000)
      request.head.path = "/?1001"
      await #expect(throws: OstiaryError(.responseTooLarge, "")) { try await transport.send(request) }
    }

    @Test("The time-out covers a missing head, a half head and a body that stalls")
    func timeouts() async throws {
      for actions: [LoopbackServer.Action] in [
        [.hold], [.send("HTTP/1.1 200 OK\r\n"), .hold], [.head(103), .hold],
        [.head(200, [("Content-Length", "10")]), .send("12345"), .hold],
      ] {
        var (timeout, error) = (Duration.seconds(1), try await failure(actions, timeout: .seconds(1)))
        while error.code == .timedOut, !error.requestMayHaveExecuted, timeout < .seconds(60) {
          // A loaded machine needs longer for the connection.
          timeout *= 2
          error = try await failure(actions, timeout: timeout)
        }
        #expect(error.code == .timedOut)
        #expect(error.requestMayHaveExecuted)
      }
    }

    @Test("Absurd time-outs are no trap", arguments: [Duration.seconds(Int64.max), .seconds(-1), .zero])
    func absurdTimeouts(timeout: Duration) async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      var request = try TransportRequest.get(server.url())
      request.timeout = timeout
      if timeout > .zero {
        #expect(try await transport.send(request).status == .ok)
      } else {
        await #expect(throws: OstiaryError(.timedOut, "")) { try await transport.send(request) }
      }
    }

    @Test("A stream's time-out ends with its head")
    func streamTimeout() async throws {
      let gate = Gate()
      let server = try LoopbackServer { request in
        request.path == "/silent" ? [.hold] : [.head(200), .wait(gate), .send("late"), .close]
      }
      defer { server.stop() }
      var request = try TransportRequest.get(server.url())
      request.timeout = .milliseconds(300)
      var stream: StreamingResponse?
      while stream == nil {
        do {
          stream = try await transport.stream(request)
        } catch let error as OstiaryError where error.code == .timedOut && request.timeout < .seconds(60) {
          // A loaded machine needs longer for the head.
          request.timeout *= 2
        }
      }
      let body = try #require(stream).body
      // The same time begins anew here: when it is over, the stream's is over, too.
      request.head.path = "/silent"
      await #expect(throws: OstiaryError(.timedOut, "")) { try await transport.send(request) }
      gate.open()
      #expect(try await body.collect(upTo: 100) == Data("late".utf8))
    }

    @Test(
      "Cancelling ends the request and its connection, wherever it is",
      arguments: [
        [.hold], [.send("HTTP/1.1 200 OK\r\n"), .hold],
        [.head(200, [("Content-Length", "10")]), .send("12345"), .hold],
        [.head(200), .repeatForever(Data([65]))],
      ] as [[LoopbackServer.Action]])
    func cancelled(actions: [LoopbackServer.Action]) async throws {
      let server = try LoopbackServer(answering: actions)
      defer { server.stop() }
      let transport = transport
      let url = server.url()
      let work = Task {
        var request = try TransportRequest.get(url)
        request.responseBodyLimit = .max
        return try await transport.send(request)
      }
      try await server.waitForRequests(1)
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
      try await server.waitForDisconnections(1)
    }

    @Test("A task that is cancelled already sends nothing")
    func cancelledBefore() async throws {
      let server = try LoopbackServer(answering: [.response(200)])
      defer { server.stop() }
      let transport = transport
      let url = server.url()
      let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.get(url)
      }
      await #expect(throws: CancellationError.self) { try await work.value }
      #expect(server.requests.isEmpty)
    }

    @Test("Cancelling a reader is an error, never an early end")
    func cancelledReader() async throws {
      let server = try LoopbackServer(answering: [.head(200), .send("part"), .hold])
      defer { server.stop() }
      let response = try await transport.stream(.get(server.url()))
      let reading = Task { try await response.body.collect(upTo: 1000) }
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test("Two readers of one body are an error, no trap")
    func twoReaders() async throws {
      let server = try LoopbackServer(answering: [.head(200), .hold])
      defer { server.stop() }
      let response = try await transport.stream(.get(server.url()))
      let errors = await withTaskGroup(of: OstiaryError.Code?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do {
              _ = try await response.body.collect(upTo: 10)
              return nil
            } catch {
              return (error as? OstiaryError)?.code
            }
          }
        }
        // The second reader is refused; only then is the first one let go.
        let first = await group.next()
        group.cancelAll()
        return [first] + [await group.next()]
      }
      #expect(errors.first == .invalidRequest)
    }

    @Test("A request is never sent twice, not even when a kept connection turns out to be dead")
    func neverRetried() async throws {
      let server = try LoopbackServer { request in request.path == "/die" ? [.reset] : [.response(200)] }
      defer { server.stop() }
      _ = try await transport.get(server.url("/live"))
      await #expect(throws: OstiaryError(.connectionLost, "")) { try await transport.get(server.url("/die")) }
      #expect(server.requests.map(\.path) == ["/live", "/die"])
      #expect(try await transport.get(server.url("/live")).status == .ok)
    }
  }
#endif
