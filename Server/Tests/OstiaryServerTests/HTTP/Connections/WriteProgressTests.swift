#if os(Linux)
  import Foundation
  import HTTPTypes
  import NIOCore
  import NetworkTestSupport
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @testable import OstiaryServer

  @Suite("Clients that do not read", .timeLimit(.minutes(10)))
  struct WriteProgressTests {
    private func expect(
      _ isTooLittle: Bool, _ expected: Bool, _ comment: Comment? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(isTooLittle == expected, comment, sourceLocation: sourceLocation)
    }

    @Test("Bug-C09: a period in which too little is read is one too many; a slow reader is left alone")
    func periods() {
      var progress = WriteProgress()
      progress.give(1 << 20)
      expect(progress.endPeriod(waiting: 1 << 20), false, "the first period has only begun")
      expect(progress.endPeriod(waiting: (1 << 20) - WriteProgress.least), false)
      progress.give(100)
      expect(progress.endPeriod(waiting: (1 << 20) - WriteProgress.least + 1), true)
      var slow = WriteProgress()
      slow.give(10)
      expect(slow.endPeriod(waiting: 10), false)
      expect(slow.endPeriod(waiting: 0), false, "the rest has been read, however little it is")
    }

    @Test("Bug-C09: the connection of a client that never reads is closed, and what made the answer hears of it")
    func neverReads() async throws {
      let ends = Gate()
      ends.open()
      let endless = Route(
        "/endless",
        [
          .get: { _ in
            var answer = DoorResponse(status: .ok)
            answer.stream = ResponseStream(size: nil) { write in
              do {
                while true { try await write(ByteBuffer(repeating: 0x78, count: 64 << 10)) }
              } catch {
                try await ends.pass()
                throw error
              }
            }
            return answer
          }
        ])
      try await TestServer.run({ $0.http.writeTime = .milliseconds(100) }, furtherRoutes: [endless]) { server in
        let sockets = await IdleSockets(
          5, port: server.running.port, sending: "GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", receiveBuffer: 4096
        )
        #expect(sockets.count == 5)
        try await ends.waitForArrivals(5)
        #expect(try await server.client().get("/healthz").status == 200)
        sockets.close()
      }
    }
  }
#endif
