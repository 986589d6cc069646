import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// Every command that `ostiary serve` prints, typed into a shell as it stands there, in the order in which it stands there.
@Suite("The commands that serve prints", .serialized, .timeLimit(.minutes(20)))
struct PrintedCommandsTests {
  private static let password = "a long enough password"

  /// What a server prints when it has started.
  private struct Announced {
    let server: RunningTool
    /// The commands, in order.
    let commands: [String]
    let text: String
  }

  /// Starts a server and waits for its whole announcement.
  private func serve(_ arguments: [String], in sandbox: Sandbox, last: String = "ostiary experience run") async throws
    -> Announced
  {
    let server = try RunningTool(Tool.url, ["serve", "--port", "0"] + arguments, in: sandbox)
    server.send(Self.password)
    server.closeInput()
    let text = try await server.waitForLine("\n  \(last)")
    let commands = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { line in
      ["ostiary", "curl"].contains { line.hasPrefix($0 + " ") }
    }
    return Announced(server: server, commands: commands, text: text)
  }

  /// Types a command, and answers what it asks.
  private func paste(
    _ command: String, as user: String, trusting authority: String? = nil, in sandbox: Sandbox
  ) async throws -> String {
    let terminal = try RunningTool.atTerminal(
      "\(command)\necho status=$?", in: sandbox, variables: ["BROWSER": "true", "NO_PROXY": "*"])
    let person = PersonAtBrowser(username: user, password: Self.password, trusting: authority)
    switch command.split(separator: " ").prefix(3).joined(separator: " ") {
    case "ostiary login salesforce" where command.contains("--method device"):
      let text = try await terminal.waitForLine(" and enter ")
      let (_, page, code) = try #require(text.firstMatch(of: /Open (http\S+) on any device and enter (\S+)/)?.output)
      try await person.visit(try #require(URL(string: "\(page)?user_code=\(code)")))
    case "ostiary login salesforce":
      let text = try await terminal.waitForLine("&state=")
      let page = try #require(text.firstMatch(of: /person:\s+(http\S+)/)?.1)
      try await person.visit(try #require(URL(string: String(page))))
    case let words where words.hasPrefix("ostiary login"):
      _ = try await terminal.waitForOutput("Password for \(user)")
      terminal.send(Self.password + "\n")
    case "ostiary user add":
      _ = try await terminal.waitForOutput("New password for")
      terminal.send(Self.password + "\n")
      _ = try await terminal.waitForOutput("The same again")
      terminal.send(Self.password + "\n")
    case "ostiary experience run":
      // A terminal forgets what was typed before a question that hides its answer.
      for (question, answer) in [
        ("E-mail address", "ada@example.com"), ("Password: ", Self.password), ("Name (optional)", "Ada"),
      ] {
        _ = try await terminal.waitForOutput(question)
        terminal.send(answer + "\n")
      }
    case "ostiary serve --in-memory":
      // Its port is the usual one, which another program may have.
      let text = try await terminal.waitForOutput(oneOf: "New password for", "status=")
      if text.contains("status=") {
        #expect(text.contains("can't be listened on"), "\(text)")
        return "status=0"
      }
      terminal.send(Self.password + "\n")
      _ = try await terminal.waitForOutput("The same again")
      terminal.send(Self.password + "\n")
      _ = try await terminal.waitForOutput("ostiary experience run")
      terminal.send("\u{3}")
    default: #expect(command.hasPrefix("curl "))
    }
    let text = try await terminal.waitForLine("status=")
    terminal.closeInput()
    _ = try await terminal.outcome()
    return text
  }

  private func pasteAll(
    _ announced: Announced, as user: String, trusting authority: String? = nil, in sandbox: Sandbox
  ) async throws {
    for command in announced.commands {
      let text = try await paste(command, as: user, trusting: authority, in: sandbox)
      #expect(text.contains("status=0"), "\(command)\n\(text)")
    }
    announced.server.signal(SIGTERM)
    #expect(try await announced.server.outcome().status == 0)
  }

  @Test("Bug-B05: with all doors and a user whose name a shell takes apart")
  func allDoors() async throws {
    let upstream = try LoopbackServer { _ in [.response(200, body: "upstream")] }
    defer { upstream.stop() }
    let sandbox = try Sandbox()
    let user = "ann o'neil $HOME"
    let announced = try await serve(
      [
        "--in-memory", "--dev", "--allow-sign-up", "--user", user, "--password-stdin", "--gateway-upstream",
        "/app=http://127.0.0.1:\(upstream.port)",
      ], in: sandbox)
    let kinds = announced.commands.map { $0.split(separator: " ").dropFirst(2).first ?? "" }
    #expect(Set(kinds) == ["pega", "newzulu", "gateway", "salesforce", "run"])
    try await pasteAll(announced, as: user, in: sandbox)
    // Each sign-in has made a profile of its own.
    let profiles = try await sandbox.run(["profile", "list", "--json"]).json()["profiles"]?.array
    #expect(profiles?.count == 4)
    for profile in profiles ?? [] {
      let name = try #require(profile["name"]?.string)
      #expect(await sandbox.run(["status", "--offline", "--profile", name]).status == 0, "\(name)")
    }
  }

  @Test("Bug-C19: the start page shows the commands that serve prints, as they stand there")
  func startPage() async throws {
    let sandbox = try Sandbox()
    let announced = try await serve(["--in-memory", "--dev", "--user", "ann o'neil", "--password-stdin"], in: sandbox)
    let origin = try #require(announced.text.firstMatch(of: /Listening on (http[^;]+);/)?.1)
    let transport = try CommandTransport(trusting: nil)
    let address = try #require(URL(string: origin + "/"))
    let answer = try await transport.send(try TransportRequest.get(address))
    await transport.close()
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(announced.commands.count == 5)
    for command in announced.commands { #expect(lines.contains(command), "\(command)") }
    announced.server.signal(SIGTERM)
    #expect(try await announced.server.outcome().status == 0)
  }

  @Test("Bug-B05: with a development authority, and Primer's backend closed")
  func authority() async throws {
    let sandbox = try Sandbox()
    let announced = try await serve(
      ["--in-memory", "--dev", "--dev-tls", "--user", "ann", "--password-stdin", "--primer-backend", "none"],
      in: sandbox, last: "curl ")
    let file = try #require(announced.text.firstMatch(of: /--ca-file '([^']+)'/)?.1)
    #expect(announced.commands.count == 5 && announced.commands.allSatisfy { $0.contains(file) })
    try await pasteAll(announced, as: "ann", trusting: String(file), in: sandbox)
  }

  @Test("Bug-B05: without a user, the printed way to add one comes first, and the sign-ins after it work")
  func noUser() async throws {
    let sandbox = try Sandbox()
    let announced = try await serve(
      ["--data", "its own data", "--allow-sign-up"], in: sandbox, last: "ostiary experience run")
    #expect(announced.commands.first?.hasPrefix("ostiary user add NAME --data '") == true)
    try await pasteAll(announced, as: "NAME", in: sandbox)
  }

  @Test("Bug-B05: without a user in memory, the printed server starts")
  func noUserInMemory() async throws {
    let sandbox = try Sandbox()
    let announced = try await serve(["--in-memory", "--dev"], in: sandbox)
    let command = try #require(announced.commands.first)
    #expect(command == "ostiary serve --in-memory --user NAME")
    #expect(try await paste(command, as: "NAME", in: sandbox).contains("status=0"))
    announced.server.signal(SIGTERM)
    #expect(try await announced.server.outcome().status == 0)
  }

  @Test(
    "Bug-B05: the sign-in at the Salesforce door names an app that can sign in from a terminal",
    arguments: [
      ("KEY callback=https://app.example.com/cb", "--method device"),
      ("KEY callback=https://app.example.com/cb\nKEY2 callback=http://127.0.0.1/cb any-port", "client-id=KEY2"),
      ("K$'Y callback=http://127.0.0.1/cb any-port", "--option client-id='K$'\\''Y'"),
      (
        "KEY callback=https://app.example.com/cb secret=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c optional-secret",
        "device"
      ),
      ("KEY callback=http://127.0.0.1/cb any-port secret=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c", "in FILE: ostiary"),
    ])
  func apps(file: String, words: String) async throws {
    let sandbox = try Sandbox()
    try file.write(to: sandbox.folder.appending(path: "apps.txt"), atomically: true, encoding: .utf8)
    let announced = try await serve(
      ["--in-memory", "--dev", "--user", "ann", "--password-stdin", "--salesforce-apps", "apps.txt"], in: sandbox)
    #expect(announced.text.contains(words), "\(announced.text)")
    #expect(!announced.text.contains("0f1e2d3c"))
    for command in announced.commands where command.contains("login salesforce") {
      #expect(try await paste(command, as: "ann", in: sandbox).contains("status=0"), "\(command)")
    }
    announced.server.signal(SIGTERM)
    #expect(try await announced.server.outcome().status == 0)
  }
}
