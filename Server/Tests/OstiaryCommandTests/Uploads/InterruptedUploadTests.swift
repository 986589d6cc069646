#if os(Linux)
  import Foundation
  import NetworkTestSupport
  import OstiaryCore
  import OstiarySealing
  import OstiaryTesting
  import Testing

  @testable import OstiaryClientCommand

  /// `ostiary upload` as a process of its own, against `ostiary serve` as another.
  @Suite("Uploads that are interrupted", .serialized, .timeLimit(.minutes(20)))
  struct InterruptedUploadTests {
    private static let part = 8 << 20
    private static let size = 60_000_000

    private func signIn(_ server: UploadServer) async throws {
      let login = [
        "login", "newzulu", "--server", "http://127.0.0.1:\(server.proxy.port)", "--user", "ann", "-o", "vhost=206",
        "-o", "api-key=\(UploadServer.key)", "--profile", "press", "--password-stdin",
      ]
      let outcome = try await Tool.run(login, in: server.sandbox, input: UploadServer.password)
      #expect(outcome.status == 0, "\(outcome.error)")
    }

    /// Waits until the way to the server has come to a halt.
    private func halted(_ server: UploadServer, at bytes: Int) async throws {
      try await waitUntil("\(bytes) bytes on the way") { server.proxy.passed >= bytes }
    }

    /// What a shell does with a line, with `ostiary` on its path.
    private func type(_ line: String, in sandbox: Sandbox) async throws -> Outcome {
      let folder = try Tool.url.deletingLastPathComponent().path(percentEncoded: false)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try await RunningTool(
        URL(filePath: "/bin/bash"), ["-c", line], in: sandbox, variables: ["PATH": "\(folder):\(path)"]
      ).outcome()
    }

    @Test(
      "Bug-D11: Ctrl-C keeps what has arrived and says what to type, which sends only the rest without a new sign-in",
      arguments: [SIGINT, SIGTERM])
    func interrupted(number: Int32) async throws {
      let sandbox = try Sandbox()
      let file = try UploadServer.file(Self.size, "a film.mp4", in: sandbox)
      // Two parts are under way, so that at least three have arrived when five and a half have been sent.
      let halt = 5 * Self.part + 500_000
      let server = try await UploadServer(sandbox, CuttingProxy(cuts: [], halt: halt))
      try await signIn(server)
      let first = try RunningTool(
        Tool.url, ["upload", "a film.mp4", "--message", "it's at sea"], in: sandbox)
      try await halted(server, at: halt)
      first.signal(number)
      let stopped = try await first.outcome()
      #expect(stopped.status == 128 + number && stopped.output.isEmpty, "\(stopped.error)")
      // A pipe has no bar, and one line says how it ended.
      #expect(!stopped.error.contains("\r") && !stopped.error.contains("["), "\(stopped.error)")
      #expect(stopped.error.split(separator: "\n").count == 1)
      let command = try #require(
        stopped.error.components(separatedBy: "To send the rest: ").last?.split(separator: "\n").first)
      #expect(command == #"ostiary upload 'a film.mp4' --message 'it'\''s at sea' --profile press"#)
      #expect(try sandbox.contents().keys.allSatisfy { !$0.hasSuffix(".part") && !$0.contains(".tmp") })

      let before = server.proxy.passed
      server.proxy.goOn()
      let resumed = try await type("\(command) --json", in: sandbox)
      #expect(resumed.status == 0, "\(resumed.error)")
      let upload = try #require(try resumed.json()["uploads"]?.array?.first)
      let had = try #require(upload["resumedBytes"]?.double.map { Int($0) })
      #expect(had >= 3 * Self.part && had % Self.part == 0, "\(had)")
      // What the first process had left in its sockets passes, too, once the way is free; that is less than a part.
      #expect(server.proxy.passed - before < Self.size - had + Self.part)
      let id = try #require(upload["id"]?.string)
      #expect(try await server.stop() == 1)
      #expect(try server.has(file, asFile: id))
    }

    @Test("Bug-D11: signing out gives up what was interrupted: the server deletes it, and nothing of it is kept here")
    func abandoned() async throws {
      let sandbox = try Sandbox()
      let file = try UploadServer.file(Self.size, in: sandbox)
      let halt = 5 * Self.part + 500_000
      let server = try await UploadServer(sandbox, CuttingProxy(cuts: [], halt: halt))
      try await signIn(server)
      let upload = try RunningTool(Tool.url, ["upload", file.path(percentEncoded: false)], in: sandbox)
      try await halted(server, at: halt)
      upload.signal(SIGINT)
      #expect(try await upload.outcome().status == 130)
      server.proxy.goOn()
      let folder = sandbox.path + "/data/newzulu"
      let parts = { try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("/") } }
      #expect(try !parts().isEmpty)
      let entries = { try await sandbox.folders.sessions.accounts().map(\.name).filter { $0.contains("newzulu-") } }
      #expect(try await entries().count == 1)
      let out = try await Tool.run(["logout"], in: sandbox)
      #expect(out.status == 0 && out.error.isEmpty, "\(out.error)")
      #expect(try parts().isEmpty)
      #expect(try await entries().isEmpty)
      _ = try await server.stop()
    }

    @Test("Bug-D11: the bar is for terminals that can show one", arguments: [("xterm", true), ("dumb", false)])
    func bar(terminal: String, isShown: Bool) async throws {
      let sandbox = try Sandbox()
      _ = try UploadServer.file(Self.size, in: sandbox)
      let halt = 5 * Self.part + 500_000
      let server = try await UploadServer(sandbox, CuttingProxy(cuts: [], halt: halt))
      try await signIn(server)
      let pane = try RunningTool.atTerminal(
        "stty cols 60; ostiary upload film.mp4; echo status=$?", in: sandbox, variables: ["TERM": terminal])
      // It stays there while the transfer is halted.
      if isShown { _ = try await pane.waitForOutput("####-") }
      try await halted(server, at: halt)
      pane.send("\u{3}")
      let text = try await pane.waitForOutput("To send the rest: ostiary upload film.mp4")
      #expect(text.contains("[####") == isShown)
      for line in text.split(whereSeparator: { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }) where line.contains("[#") {
        // The terminal shows the key that was pressed after the bar.
        #expect(line.replacing("\u{1B}[K", with: "").replacing("^C", with: "").count < 60)
      }
      pane.closeInput()
      _ = try await pane.outcome()
      _ = try await server.stop()
    }
  }
#endif
