import Foundation
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

#if os(macOS) || os(Linux)
  /// An app of the old style, in a process of its own, against a server over HTTP.
  @Suite("The migrated app", .timeLimit(.minutes(10)))
  struct MigratedAppTests {
    let settings = PMPegaConfigurationTests.sample.standardizedFileURL.path

    func run(_ server: LoopbackServer, _ path: String, password: String, settings: String? = nil) async throws
      -> ChildProcess.Result
    {
      let folder = try TemporaryFolder()
      return try await ChildProcess.run(
        Worker.program("PegaMigration"), [server.url(path).absoluteString, "jdoe"] + (settings.map { [$0] } ?? []),
        environment: ["HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path], input: password + "\n")
    }

    @Test("Bug-D02: the app uses a server with other names, by a file alone")
    func renamed() async throws {
      let stub = PegaStub(names: .renamed)
      let server = try stub.listen()
      defer { server.stop() }
      let result = try await run(server, "/acme", password: "secret", settings: settings)
      #expect(
        result.output.split(separator: "\n") == [
          "logged in, 5 members", "the dispute starts", "the dispute is finished", "is logged in: true", "logged out",
        ])
      #expect(result.status == 0)
      #expect(stub.sessionCount == 0)
      let wrong = try await run(server, "/acme", password: "wrong", settings: settings)
      #expect(wrong.output == "alert -1001: wrong user name or password\n")
    }

    @Test("Bug-D02: without the file the same app says what does not fit")
    func withoutFile() async throws {
      let server = try PegaStub(names: .renamed).listen()
      defer { server.stop() }
      let result = try await run(server, "/prweb", password: "secret")
      #expect(
        result.output == "alert 5: The server answered 404 to the activity “pzMobileAppConfiguration”.\n")
    }

    @Test("Bug-D09: the app works unchanged where the server has the names that Ostiary expects")
    func plain() async throws {
      let stub = PegaStub()
      let server = try stub.listen()
      defer { server.stop() }
      let result = try await run(server, "/prweb", password: "secret")
      #expect(result.output.contains("the dispute is finished"))
      #expect(result.status == 0)
    }
  }
#endif
