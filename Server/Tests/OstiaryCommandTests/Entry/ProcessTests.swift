import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("The executable", .serialized, .timeLimit(.minutes(20)))
struct ProcessTests {
  @Test("serve says where it listens, takes a sign-in and a disabled user, and stops on SIGTERM")
  func serve() async throws {
    let sandbox = try Sandbox()
    let password = "a long enough password"
    #expect(
      try await Tool.run(["user", "add", "alice", "--dev", "--password-stdin"], in: sandbox, input: password).status
        == 0)
    let server = try RunningTool(Tool.url, ["serve", "--port", "0", "--dev"], in: sandbox)
    let announcement = try await server.waitForLine("--user 'alice'")
    let pasted = try #require(announcement.split(separator: "\n").last { $0.contains("ostiary login pega") })
    // What is printed can be pasted into a shell as it is.
    let shell = try RunningTool(
      URL(filePath: "/bin/sh"),
      ["-c", "\(pasted.replacing("ostiary ", with: "\"$OSTIARY\" ", maxReplacements: 1)) --password-stdin"],
      in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    shell.send(password)
    shell.closeInput()
    let login = try await shell.outcome()
    #expect(login.status == 0, "\(login.error)")
    #expect(try await Tool.run(["status"], in: sandbox).status == 0)

    #expect(try await Tool.run(["user", "disable", "alice"], in: sandbox).status == 0)
    // The running server has heard of it already.
    let status = try await Tool.run(["status"], in: sandbox)
    #expect(status.status == 3, "\(status.output) \(status.error)")

    server.signal(SIGTERM)
    let outcome = try await server.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("Stopping"))
  }

  @Test("serve with a development authority: the printed sign-in trusts it")
  func developmentTLS() async throws {
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url,
      ["serve", "--in-memory", "--port", "0", "--dev", "--dev-tls", "--user", "alice", "--password-stdin", "--json"],
      in: sandbox)
    server.send("password")
    server.closeInput()
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let authority = try #require(document["authorityFile"]?.string)
    let address = try #require(document["doors"]?.array?.first?["address"]?.string)
    #expect(address.hasPrefix("https://"))
    let login = ["login", "pega", "--server", address, "--user", "alice", "--password-stdin"]
    let untrusting = try await Tool.run(login, in: sandbox, input: "password")
    #expect(untrusting.status == 5, "\(untrusting.error)")
    let trusting = try await Tool.run(login + ["--ca-file", authority], in: sandbox, input: "password")
    #expect(trusting.status == 0, "\(trusting.error)")
    server.signal(SIGINT)
    #expect(try await server.outcome().status == 0)
  }

  @Test("serve refuses development switches and plain HTTP beyond loopback, and a port that is taken")
  func refused() async throws {
    let sandbox = try Sandbox()
    let exposed = try await Tool.run(["serve", "--in-memory", "--host", "0.0.0.0", "--dev"], in: sandbox)
    #expect(exposed.status == 2)
    #expect(exposed.error.contains("loopback"))
    try await PegaServer.run { server in
      let taken = try await Tool.run(["serve", "--in-memory", "--port", "\(server.running.port)"], in: sandbox)
      #expect(taken.status == 2)
      #expect(taken.error.contains("can't be listened on"))
    }
  }

  @Test("serve asks for no password when it can't start")
  func refusedUnasked() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let taken = await sandbox.run(
        ["serve", "--in-memory", "--port", "\(server.running.port)", "--user", "bob"],
        answers: ["a long enough password", "a long enough password"])
      #expect(taken.status == 2)
      #expect(taken.prompts.isEmpty)
    }
  }

  @Test(
    "Without standard output nothing is printed into another file; without standard input there is no password",
    arguments: [
      ("exit-codes >&-", 1, "Bad file descriptor"), ("user add a --password-stdin <&-", 2, "no password"),
      ("user add a --password-stdin </", 2, "can't be read"),
    ])
  func missingDescriptors(command: String, status: Int, words: String) async throws {
    let sandbox = try Sandbox()
    let shell = try RunningTool(
      URL(filePath: "/bin/bash"), ["-c", "\"$OSTIARY\" \(command)"], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    let outcome = try await shell.outcome()
    #expect(outcome.status == Int32(status))
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }

  @Test("Two processes at once on a session that the server dropped cause one sign-in")
  func twoProcesses() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      await sandbox.run(server.login, answers: [PegaServer.password])
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let before = server.signIns
      async let one = Tool.run(["request", server.cases, "--password-stdin"], in: sandbox, input: PegaServer.password)
      async let two = Tool.run(["request", server.cases, "--password-stdin"], in: sandbox, input: PegaServer.password)
      for outcome in try await [one, two] {
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output.contains("\"operator\""))
      }
      #expect(server.signIns - before == 1)
    }
  }

  @Test(
    "A pipe gets no colours, with and without NO_COLOR, and a reader that leaves is no error", arguments: ["", "1"])
  func pipes(noColor: String) async throws {
    let sandbox = try Sandbox()
    let demo = try await Tool.run(["demo"], in: sandbox, variables: ["NO_COLOR": noColor])
    #expect(demo.status == 0, "\(demo.output)")
    #expect(!demo.output.contains("\u{1B}") && !demo.error.contains("\u{1B}"))
    // The reader says that it has left.
    let line = #"""
      set -o pipefail; mkfifo left
      { read -r _ <left; sleep 0.3; "$OSTIARY" help; } | { exec <&-; echo >left; }; echo $?
      """#
    let shell = try RunningTool(
      URL(filePath: "/bin/bash"), ["-c", line], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    let outcome = try await shell.outcome()
    #expect(outcome.output == "141\n")
    #expect(outcome.error.isEmpty)
  }

  @Test("Ctrl-C at the password prompt ends the command as a signal does, and the terminal shows typing again")
  func interruptedPrompt() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let command = "trap : INT; \"$OSTIARY\" \(server.login.joined(separator: " ")); echo status=$?; stty -a"
      let terminal = try RunningTool(
        URL(filePath: "/usr/bin/env"), ["script", "-qec", "bash -c '\(command)'", "/dev/null"],
        in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false), "TERM": "xterm"])
      _ = try await terminal.waitForOutput("Password for alice")
      terminal.send("\u{3}")
      let text = try await terminal.waitForOutput("echoctl")
      #expect(text.contains("status=130"))
      #expect(text.contains(" echo "))
      terminal.closeInput()
      _ = try await terminal.outcome()
    }
  }

  @Test("A password typed at the prompt signs in and is not shown")
  func typedPassword() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let command = "\"$OSTIARY\" \(server.login.joined(separator: " ")); echo status=$?"
      let terminal = try RunningTool(
        URL(filePath: "/usr/bin/env"), ["script", "-qec", "bash -c '\(command)'", "/dev/null"],
        in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false), "TERM": "xterm"])
      _ = try await terminal.waitForOutput("Password for alice")
      terminal.send(PegaServer.password + "\n")
      let text = try await terminal.waitForOutput("status=")
      #expect(text.contains("Signed in"))
      #expect(text.contains("\u{1B}[32m"))
      #expect(!text.contains(PegaServer.password))
      terminal.closeInput()
      _ = try await terminal.outcome()
    }
  }

  @Test("Bug-B12: a download that a signal ends leaves no part of its file", arguments: [SIGTERM, SIGINT, SIGHUP])
  func endedDownload(signal: Int32) async throws {
    let sandbox = try Sandbox()
    let server = try LoopbackServer(answering: [.head(200, [("Content-Length", "100")]), .send("ten bytes."), .hold])
    defer { server.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:1/prweb"))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("pega"), server: url, user: "alice", method: "basic", certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    let process = try RunningTool(
      Tool.url, ["request", server.url().absoluteString, "--output", "out"], in: sandbox)
    try await waitUntil("a part of the file") {
      try sandbox.contents().contains { $0.key.hasSuffix(".part") && !$0.value.isEmpty }
    }
    process.signal(signal)
    _ = try await process.outcome()
    #expect(try sandbox.contents().keys.allSatisfy { !$0.hasPrefix("out") })
  }

  @Test("Bug-B12: an argument that is not UTF-8 is refused, not rewritten", arguments: ["", " --json"])
  func bytes(option: String) async throws {
    let sandbox = try Sandbox()
    let shell = try RunningTool(
      URL(filePath: "/bin/bash"), ["-c", "\"$OSTIARY\" profile use $'caf\\xe9'\(option)"], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    let outcome = try await shell.outcome()
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("Argument 3 is not UTF-8"), "\(outcome.error)")
  }
}
