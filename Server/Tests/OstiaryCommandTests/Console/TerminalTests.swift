import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The executable in terminals of other kinds and sizes.
@Suite("Terminals", .serialized, .timeLimit(.minutes(20)))
struct TerminalTests {
  /// What commands print of a profile that is signed in.
  private static let script = """
    for command in status 'why' 'profile list' doctor 'status --profile nosuch'; do "$OSTIARY" $command; done
    printf '%s\\n' all-shown
    """

  @Test("Words are whole in terminals of 80 and 40 columns", arguments: [80, 40])
  func widths(columns: Int) async throws {
    guard let tmux = TmuxPane.tmux else { return print("terminals: not tried in one, there is no tmux") }
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    let pane = try await TmuxPane(tmux, script: Self.script, in: sandbox, columns: columns, rows: 24)
    try await pane.waitFor("all-shown")
    let lines = try await pane.rows()
    #expect(lines.allSatisfy { $0.displayWidth <= columns })
    // A line that the terminal had to break would go on in the next row.
    let whole = pane.shown.split(separator: "\n").map(String.init)
    for line in whole where line.displayWidth > columns {
      #expect(!line.trimmingCharacters(in: .whitespaces).contains(" "), "\(line)")
    }
    #expect(whole.contains { $0.hasPrefix("✓ Signed in as") })
  }

  @Test("A locale without UTF-8, TERM=dumb and a pipe get signs, letters and lines that they can show")
  func kinds() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    let commands = [
      ["status"], ["why"], ["profile", "list"], ["doctor"], ["help", "login"], ["status", "--profile", "é"],
    ]
    for locale in ["C", "de_DE.ISO-8859-1"] {
      for command in commands {
        let outcome = try await Tool.run(command, in: sandbox, variables: ["LC_ALL": locale, "TERM": "dumb"])
        let bytes = (outcome.output + outcome.error).utf8
        #expect(bytes.allSatisfy { $0 < 0x80 && $0 != 0x1B }, "\(command): \(outcome.output) \(outcome.error)")
      }
    }
    #expect(try await Tool.run(["status"], in: sandbox, variables: ["LC_ALL": "C"]).output.hasPrefix("+ Signed in"))
    #expect(try await Tool.run(["status"], in: sandbox).output.hasPrefix("✓ Signed in"))
  }

  @Test("In a pane, what is written over a line is a line, so that a question is found behind a line of waiting")
  func overwritten() async throws {
    guard let tmux = TmuxPane.tmux else { return print("terminals: no line is written over, there is no tmux") }
    let sandbox = try Sandbox()
    let program = #"printf 'a\r\n/ Asking\033[K\r- Asking\033[K\r\033[KE-mail: '; echo all-shown"#
    let pane = try await TmuxPane(tmux, program + "; exec tail -f /dev/null", in: sandbox.folder)
    try await pane.waitForLine("all-shown")
    #expect(pane.shown.contains("a\n/ Asking\n- Asking\nE-mail: all-shown\n"), "\(pane.shown)")
  }

  @Test("A question whose answer is no secret shows it, in lines of whole words")
  func shownAnswer() async throws {
    let question: Line = "The server takes tokens of another one. Go there? Enter y: "
    #expect(question.question(fitting: 40) == "The server takes tokens of another one.\n  Go there? Enter y: ")
    #expect(question.question(fitting: nil) == question.plain && question.question(fitting: 80) == question.plain)
    guard let tmux = TmuxPane.tmux else { return print("terminals: no question, there is no tmux") }
    let sandbox = try Sandbox()
    let server = try LoopbackServer { request in
      let address = "http://\(request.fields[HTTPField.Name("Host") ?? .accept] ?? "")"
      guard request.path.hasPrefix("/.well-known/oauth-protected-resource") else {
        return [.response(401, [("WWW-Authenticate", "Bearer")], body: "")]
      }
      let document = #"{"resource":"\#(address)/orders","authorization_servers":["\#(address)"]}"#
      return [.response(200, [("Content-Type", "application/json")], body: document)]
    }
    defer { server.stop() }
    let login =
      "\"$OSTIARY\" login oidc --api http://127.0.0.1:\(server.port)/orders --register; printf '%s\\n' all-shown"
    let pane = try await TmuxPane(tmux, script: login, in: sandbox, columns: 60, rows: 24)
    try await pane.waitFor("Enter y: ")
    try await pane.type(line: "n")
    try await pane.waitFor("all-shown")
    #expect(pane.shown.contains("Enter y: n"), "\(pane.shown)")
    #expect(pane.shown.contains("Nothing was sent"), "\(pane.shown)")
  }

  @Test("The prompt of a locale without UTF-8 is ASCII")
  func prompt() async throws {
    guard let tmux = TmuxPane.tmux else { return print("terminals: no prompt, there is no tmux") }
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let login = "\"$OSTIARY\" login pega --server \(server.url) --user 'é'; printf '%s\\n' all-shown"
      let pane = try await TmuxPane(
        tmux, script: login, in: sandbox, variables: ["LC_ALL": "C"], columns: 80, rows: 24)
      try await pane.waitFor("Password for ? at ")
      try await pane.press("C-d")
      try await pane.waitFor("all-shown")
      #expect(!pane.shown.contains("é"), "\(pane.shown)")
    }
  }
}
