import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("Commands that no person watches", .timeLimit(.minutes(20)))
struct UnattendedTests {
  /// Writes a file that only its owner can read.
  private func write(_ text: String, to name: String, in sandbox: Sandbox, mode: Int = 0o600) throws {
    let path = sandbox.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test(
    "Bug-B07: a profile keeps where its password comes from, never the password, and later commands sign in by it",
    arguments: [
      ["--password-file", "password"], ["--password-command", "cat \"$OSTIARY_USER\".txt"],
      ["--password-credential", "app"], ["--password-keyring"],
    ])
  func kept(source: [String]) async throws {
    let sandbox = try Sandbox()
    for name in ["password", "alice.txt", "app"] { try write(PegaServer.password + "\n", to: name, in: sandbox) }
    // The desktop's program for its keyring, as far as the command uses it.
    try await Self.writeKeyringProgram(
      "[ \"$1 $2 $3 $4 $5 $7 $8\" = 'lookup -- service ostiary server user alice' ] && cat \"$0.alice\"", in: sandbox)
    try write(PegaServer.password, to: "secret-tool.alice", in: sandbox)
    let variables = ["CREDENTIALS_DIRECTORY": sandbox.path, "PATH": "\(sandbox.path):/usr/bin:/bin"]
    // A shell's command runs where this process does.
    let source = source.map { $0.replacing("cat ", with: "cat '\(sandbox.path)'/") }
    try await PegaServer.run { server in
      let login = await sandbox.run(server.login + source, variables: variables)
      #expect(login.status == 0, "\(login.error)")
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let request = await sandbox.run(["request", server.cases], variables: variables)
      #expect(request.status == 0, "\(request.error)")
      #expect(request.prompts.isEmpty)
      let contents = try sandbox.contents()
      let profiles = try #require(contents["config/profiles.json"] ?? contents["profiles.json"])
      #expect(profiles.range(of: Data(PegaServer.password.utf8)) == nil)
      #expect(profiles.range(of: Data("passwordSource".utf8)) != nil)
    }
  }

  @Test("Bug-B07: an option of request takes the place of what the profile keeps, and a refused password is sent once")
  func refusedOnce() async throws {
    let sandbox = try Sandbox()
    try write(PegaServer.password, to: "right", in: sandbox)
    try write("wrong", to: "wrong", in: sandbox)
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login + ["--password-file", "right"]).status == 0)
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let before = server.attempts
      let refused = await sandbox.run(["request", server.cases, "--password-file", "wrong"], answers: ["never asked"])
      #expect(refused.status == 4, "\(refused.error)")
      #expect(server.attempts - before == 1)
      #expect(refused.prompts.isEmpty)
      #expect(await sandbox.run(["request", server.cases]).status == 0)
    }
  }

  @Test(
    "Bug-B07: a password that is not there, or that others can read, is told with what to do",
    arguments: [
      (["--password-file", "none"], 2, "can't be read from"),
      (["--password-file", "open"], 2, "chmod 600"),
      (["--password-file", "empty"], 2, "There is no password in"),
      (["--password-command", "exit 9"], 3, "exit status 9"),
      (["--password-command", "kill -9 $$"], 3, "signal 9"),
      (["--password-command", "true"], 2, "There is no password in the output of the password command"),
      (["--password-command", "head -c 70000 /dev/zero"], 2, "too long"),
      (["--password-credential", "none"], 3, "LoadCredential=none"),
      (["--password-credential", "../open"], 2, "can't be the name of a credential"),
      (["--password-file", "a", "--password-command", "b"], 2, "Write one of --password-stdin"),
    ] as [([String], Int32, String)])
  func missing(source: [String], status: Int32, words: String) async throws {
    let sandbox = try Sandbox()
    try write("secret", to: "open", in: sandbox, mode: 0o644)
    try write("\n", to: "empty", in: sandbox)
    let login = ["login", "http", "--server", "http://127.0.0.1:1/", "--user", "a"]
    let outcome = await sandbox.run(
      login + source, answers: ["never asked"], variables: ["CREDENTIALS_DIRECTORY": sandbox.path])
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.prompts.isEmpty && !outcome.error.contains("secret"))
  }

  private static func writeKeyringProgram(_ body: String, in sandbox: Sandbox) async throws {
    try await ChildProcess.writeScript("#!/bin/sh\n\(body)\n", to: URL(filePath: sandbox.path + "/secret-tool"))
  }

  #if !canImport(Darwin)
    @Test(
      "Bug-B07: a keyring without the password, and one that nothing can read, are told with what to do",
      arguments: [
        (
          "exit 1",
          "To keep it there: secret-tool store --label 'ostiary: a b' -- service ostiary server http://127.0.0.1:1/ user 'a b'"
        ),
        ("exit 127", "Install libsecret-tools"), ("echo", "There is no password in the desktop's keyring"),
      ])
    func keyring(body: String, words: String) async throws {
      let sandbox = try Sandbox()
      try await Self.writeKeyringProgram(body, in: sandbox)
      let outcome = await sandbox.run(
        ["login", "http", "--server", "http://127.0.0.1:1/", "--user", "a b", "--password-keyring"],
        answers: ["never asked"], variables: ["PATH": "\(sandbox.path):/usr/bin:/bin"])
      #expect(outcome.status != 0 && outcome.error.contains(words), "\(outcome.error)")
      #expect(outcome.prompts.isEmpty)
    }
  #endif

  @Test("Bug-B07: a credential without a service manager is told as one")
  func noServiceManager() async throws {
    let outcome = try await Sandbox().run([
      "login", "http", "--server", "http://127.0.0.1:1/", "--user", "a", "--password-credential", "app",
    ])
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("CREDENTIALS_DIRECTORY is not set") && outcome.error.contains("LoadCredential=app"))
  }

  @Test("Bug-B07: a password command that does not end is ended when its time is over")
  func slowCommand() async throws {
    var command = ChildCommand(text: "exec sleep 1000", variables: ProcessInfo.processInfo.environment)
    command.patience = .milliseconds(50)
    #expect(await command.run() == .tooSlow)
  }

  @Test("Bug-B07: every command that waits for a server gives up after --timeout")
  func timeout() async throws {
    let sandbox = try Sandbox()
    let hangs = Locked(false)
    let server = try LoopbackServer { request in
      if hangs.withLock({ $0 }) { return [.hold] }
      return request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"a\"")])] : [.response(body: "inside")]
    }
    defer { server.stop() }
    let login = ["login", "http", "--server", server.url().absoluteString, "--user", "a", "--profile", "a"]
    #expect(await sandbox.run(login + ["--password-stdin"], input: "secret").status == 0)
    hangs.withLock { $0 = true }
    let limit = ["--timeout", "0.2"]
    for command in [["status"], ["request", "/x"], login + ["--password-stdin"]] {
      let outcome = await sandbox.run(command + limit, input: "secret")
      #expect(outcome.status == 5, "\(command): \(outcome.output) \(outcome.error)")
    }
    let why = await sandbox.run(
      ["why", "--server", server.url().absoluteString] + limit, variables: ["OSTIARY_ADMIN_TOKEN": "ost_admin_a"])
    #expect(why.status == 5 || why.status == 2, "\(why.error)")
    // Signing out works here, also without the server.
    #expect(await sandbox.run(["logout"] + limit).status == 0)
    #expect(await sandbox.run(["status", "--timeout", "0"]).status == 2)
  }
}
