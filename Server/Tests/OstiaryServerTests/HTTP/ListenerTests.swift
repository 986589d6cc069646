#if os(Linux)
  import NetworkTestSupport
  import OstiaryTesting
  import Testing

  @testable import OstiaryServer

  @Suite("A server whose socket is closed under it", .timeLimit(.minutes(20)))
  struct ListenerTests {
    @Test("It ends and says why, though connections are still open")
    func lost() async throws {
      try await TestServer.run { server in
        let application = server.application
        let end = Task { try await application.waitUntilStopped() }
        // Leaves a connection that is kept for the next request.
        let before = try await server.client().get("/healthz").status
        #expect(before == 200)
        #expect(ListeningSocket.shutDown(port: server.running.port))
        let error = await #expect(throws: ServerError.self) { try await end.value }
        #expect(error?.code == .listenerLost)
        #expect(error?.message.contains("no more connections") == true)
        // Who asks later hears the same.
        await #expect(throws: ServerError(.listenerLost, "")) { try await application.waitUntilStopped() }
      }
    }

    @Test("In a group of services it fails, so that the program ends")
    func inGroup() async throws {
      let application = try Self.application()
      let run = Task { try await application.run() }
      var port: Int?
      try await waitUntil("the server") {
        port = application.running?.port
        return port != nil
      }
      #expect(ListeningSocket.shutDown(port: port ?? 0))
      await #expect(throws: ServerError(.listenerLost, "")) { try await run.value }
      #expect(application.running == nil)
    }

    @Test("Being asked to stop is no loss, nor is never having started")
    func asked() async throws {
      try await Self.application().waitUntilStopped()
      let application = try Self.application()
      try await application.start()
      let end = Task { try await application.waitUntilStopped() }
      await application.stop()
      try await end.value
      try await application.waitUntilStopped()
    }

    private static func application() throws -> OstiaryApplication {
      var configuration = ServerConfiguration()
      configuration.port = 0
      return try OstiaryApplication(configuration, logger: LogCollector().logger)
    }
  }
#endif
