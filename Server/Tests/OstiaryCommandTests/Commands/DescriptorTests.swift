#if os(Linux)
  import Foundation
  import NetworkTestSupport
  import OstiaryCore
  import Testing

  /// libdispatch ends a process that gets no descriptor when it needs one.
  @Suite("A server that may open few files", .serialized, .timeLimit(.minutes(20)))
  struct DescriptorTests {
    /// Starts `serve` with so many descriptors.
    /// - Parameter kind: The limit: hard and soft, or the soft one alone (`-S`).
    private func serve(
      _ most: Int, kind: String = "", _ arguments: String, in sandbox: Sandbox
    ) throws -> RunningTool {
      try RunningTool(
        URL(filePath: "/bin/sh"),
        ["-c", "ulimit \(kind) -n \(most); exec \"$OSTIARY\" serve --in-memory --port 0 \(arguments)"],
        in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    }

    @Test("Bug-C02: with 64 it does not start, and says what to do")
    func tooFew() async throws {
      let sandbox = try Sandbox()
      let outcome = try await serve(64, "", in: sandbox).outcome()
      #expect(outcome.status == 2, "\(outcome.error)")
      #expect(outcome.error.contains("ulimit -n"), "\(outcome.error)")
    }

    @Test("Bug-C02: what its owner allows is raised to, however few it is started with")
    func raised() async throws {
      let sandbox = try Sandbox()
      let server = try serve(64, kind: "-S", "--dev --json", in: sandbox)
      _ = try await server.waitForOutput("\n}\n")
      server.signal(SIGTERM)
      #expect(try await server.outcome().status == 0)
    }

    @Test("Bug-C02: with 1,024 it goes on answering while 1,260 connections say nothing, and more keep coming")
    func silentCrowd() async throws {
      let sandbox = try Sandbox()
      let server = try serve(1024, "--dev --user alice --password-stdin --json", in: sandbox)
      server.send("password")
      server.closeInput()
      let text = try await server.waitForOutput("\n}\n")
      let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      let address = try #require(document["doors"]?.array?.first?["address"]?.string)
      let port = try #require(URL(string: address)?.port)
      let login = ["login", "pega", "--server", address, "--user", "alice", "--password-stdin"]
      for profile in ["one", "two"] {
        let crowd = await IdleSockets(1260, port: port)
        #expect(crowd.count == 1260)
        let outcome = try await Tool.run(login + ["--profile", profile], in: sandbox, input: "password")
        #expect(outcome.status == 0, "\(outcome.error)")
        crowd.close()
      }
      server.signal(SIGTERM)
      #expect(try await server.outcome().status == 0)
    }
  }
#endif
