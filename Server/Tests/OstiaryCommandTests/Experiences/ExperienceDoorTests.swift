import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

/// The command against the server's own door.
@Suite("experience run, with a server", .timeLimit(.minutes(20)))
struct ExperienceDoorTests {
  @Test("Signing up: a taken address, a weak password, an account; then logging in with it")
  func signUp() async throws {
    let sandbox = try Sandbox()
    try await AccountServer.run { server in
      let signUp = await sandbox.run(
        server.run, input: "\(AccountServer.bob)\nshort\nada@example.com\n\(AccountServer.password)\nAda\n")
      #expect(signUp.status == 0, "\(signUp.output) \(signUp.error)")
      let messages = signUp.output.split(separator: "\n").filter { $0.hasPrefix("! ") }
      #expect(messages.count == 2, "\(messages)")
      #expect(messages.first?.contains("already") == true, "\(messages)")
      #expect(messages.last?.contains("15") == true, "\(messages)")
      #expect(signUp.output.contains("✓ Signed up as "))

      let wrong = await sandbox.run(server.run + ["--type", "login"], input: "ada@example.com\nplanted-wrong\n")
      #expect(wrong.status == 3)
      #expect(wrong.output.contains("\n! "))
      let login = await sandbox.run(
        server.run + ["--type", "login", "--json"], input: "ada@example.com\n\(AccountServer.password)\n")
      #expect(login.status == 0, "\(login.error)")
      #expect(try login.json()["outcome"] == "signed_in")
      let user = try #require(try login.json()["user"]?.string)
      #expect(signUp.output.contains("✓ Signed up as \(user).\n"))
    }
  }

  @Test("A lost password: the code from the mail and a new password in one conversation, which ends logged in")
  func recovery() async throws {
    let sandbox = try Sandbox()
    try await AccountServer.run { server in
      let isWrong = Locked(true)
      let person = AskedAnswers { question in
        if question.hasPrefix("E-mail") { return AccountServer.bob }
        if question.hasPrefix("Code") {
          // First a wrong one.
          let isFirst = isWrong.withLock { wrong in
            defer { wrong = false }
            return wrong
          }
          return isFirst ? "1" : try await server.code(for: AccountServer.bob)
        }
        return "another long password"
      }
      let outcome = await sandbox.run(server.run + ["--type", "recover-password"], conversation: person)
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
      #expect(outcome.output.contains("✓ Logged in as "))
      #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("! ") } == 1, "\(outcome.output)")
      #expect(!outcome.output.contains("another long password"))
    }
  }

  @Test("A token that is no app's is refused, and what to do is said")
  func wrongToken() async throws {
    let sandbox = try Sandbox()
    try await AccountServer.run { server in
      let outcome = await sandbox.run(["experience", "run", server.door.address, "--token", "nobody's"])
      #expect(outcome.status == 4)
      #expect(outcome.error.contains("Check the app's token."))
    }
  }

  @Test("What `ostiary serve` prints can be pasted into a shell as it is")
  func pasted() async throws {
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url, ["serve", "--in-memory", "--port", "0", "--dev", "--allow-sign-up"], in: sandbox)
    let announcement = try await server.waitForLine("ostiary experience run http")
    let line = try #require(announcement.split(separator: "\n").last { $0.contains("ostiary experience run") })
    let command = line.replacing("ostiary ", with: "\"$OSTIARY\" ", maxReplacements: 1)
    let shell = try RunningTool(
      URL(filePath: "/bin/sh"), ["-c", String(command)], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    shell.send("ada@example.com\n\(AccountServer.password)\nAda\n")
    shell.closeInput()
    let outcome = try await shell.outcome()
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    #expect(outcome.output.contains("✓ Signed up as "))
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }
}
