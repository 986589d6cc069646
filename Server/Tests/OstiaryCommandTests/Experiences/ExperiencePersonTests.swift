import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

/// A person with a terminal of 40 columns and nothing else, at the command and the server themselves.
@Suite("Experience: a person at a terminal", .serialized, .timeLimit(.minutes(20)))
struct ExperiencePersonTests {
  private static let address = "ada@example.com"
  private static let columns = 40

  /// Answers each question when it is there. What is typed before would be shown, secret or not.
  private final class Person {
    let pane: TmuxPane
    private var asked: [String: Int] = [:]

    /// Starts the command.
    init(_ tmux: URL, _ sandbox: Sandbox, _ door: PrimerDoor, _ arguments: String = "") async throws {
      pane = try await TmuxPane(
        tmux, command: "experience run '\(door.address)' --token '\(door.token)' \(arguments)", in: sandbox,
        columns: ExperiencePersonTests.columns)
    }

    /// Waits for a question, which is the last line that is shown, and types a line.
    func answer(_ question: String, _ line: String) async throws {
      asked[question, default: 0] += 1
      try await pane.waitFor("\n" + question, times: asked[question, default: 0])
      try await pane.type(line: line)
    }

    /// Waits for the end of the command.
    /// - Returns: What was shown.
    func end(_ status: Int) async throws -> String {
      try await pane.waitForLine("terminal: ")
      let shown = pane.shown
      #expect(shown.contains("ended with \(status)\n") && shown.contains("terminal: echo\n"), "\(shown)")
      #expect(!shown.contains("planted"), "\(shown)")
      // What is typed may be longer, and an identifier stays whole.
      // A line that tells of waiting is written again and again over itself.
      let lines = shown.split { $0.isNewline }
      for line in lines where !line.contains("@") && line.split(separator: " ").count > 1 {
        #expect(String(line).displayWidth <= ExperiencePersonTests.columns, "\(line)")
      }
      return shown
    }
  }

  @Test("Bug-G01 signing up, logging in and recovering the password, with wrong input, by the terminal alone")
  func whole() async throws {
    guard let tmux = TmuxPane.tmux else { return print("experience run: no person, there is no tmux") }
    let sandbox = try Sandbox()
    try await AccountServer.run { server in
      // No address, a taken one, and a password that is too short.
      var person = try await Person(tmux, sandbox, server.door)
      try await person.answer("E-mail address (name@example.com): ", "no address")
      try await person.answer("Password: ", "planted")
      try await person.answer("E-mail address [no address]: ", "bob@example.com")
      try await person.answer("E-mail address [bob@example.com]: ", Self.address)
      try await person.answer("Password [***]: ", AccountServer.password)
      try await person.answer("Name (optional): ", "Ada")
      var shown = try await person.end(0)
      #expect(shown.contains("Create an account\n=================\n[:1] I have an account\n"))
      #expect(shown.contains("\n! Enter an e-mail address, such as\n  name@example.com.\n"), "\(shown)")
      #expect(shown.contains("\n! That e-mail address has an account\n  already.\n"), "\(shown)")
      #expect(shown.contains("\n! Use at least 15 characters.\n"), "\(shown)")
      #expect(shown.contains("✓ Signed up as"), "\(shown)")

      person = try await Person(tmux, sandbox, server.door, "--type login")
      try await person.answer("E-mail address: ", Self.address)
      try await person.answer("Password: ", "planted wrong password")
      try await person.answer("E-mail address [\(Self.address)]: ", "")
      try await person.answer("Password [***]: ", AccountServer.password)
      shown = try await person.end(0)
      #expect(shown.contains("\n! The name or the password is wrong.\n"), "\(shown)")
      #expect(shown.contains("✓ Logged in as"), "\(shown)")

      // Forgotten at the question for the password itself. A wrong code, and one that is no code.
      person = try await Person(tmux, sandbox, server.door, "--type login")
      try await person.answer("E-mail address: ", Self.address)
      try await person.answer("Password: ", ":")
      try await person.answer("Please choose: ", "1")
      try await person.answer("E-mail address [\(Self.address)]: ", "")
      try await person.answer("Code from the mail: ", "ABCD EFGH")
      try await person.answer("New password: ", "planted new password")
      // Meanwhile the list leads back to the new password, and then to the code.
      try await person.answer("Code from the mail [***]: ", ":")
      try await person.answer("Please choose: ", "2")
      try await person.answer("New password [***]: ", "planted newer password")
      try await person.answer("Code from the mail [***]: ", try await server.code(for: Self.address))
      try await person.answer("E-mail address [\(Self.address)]: ", "")
      try await person.answer("Password: ", "planted newer password")
      shown = try await person.end(0)
      #expect(shown.contains("[1]      Forgot the password?\n"), "\(shown)")
      #expect(shown.contains("\n! That code is not right."), "\(shown)")
      #expect(shown.contains("✓ Logged in as"), "\(shown)")
    }
  }

  @Test(
    "Ctrl-D and Ctrl-C at a question, secret or not, leave a terminal that shows what is typed, and say what happened",
    arguments: [("C-d", 3, "\nClosed.\n"), ("C-c", 130, "\nInterrupted. What the server has\n")], [0, 1])
  func left(key: (name: String, status: Int, words: String), question: Int) async throws {
    guard let tmux = TmuxPane.tmux else { return print("experience run: not left, there is no tmux") }
    let sandbox = try Sandbox()
    try await AccountServer.run { server in
      let person = try await Person(tmux, sandbox, server.door, "--type login")
      if question > 0 { try await person.answer("E-mail address: ", Self.address) }
      try await person.pane.waitFor("\n" + (question > 0 ? "Password: " : "E-mail address: "))
      try await person.pane.press(key.name)
      let shown = try await person.end(key.status)
      #expect(shown.contains(key.words), "\(shown)")
    }
  }
}
