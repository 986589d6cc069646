import Foundation
import Testing

@testable import OstiaryClientCommand

@Suite("A password prompt that is suspended and continued", .serialized, .timeLimit(.minutes(20)))
struct SuspendedPromptTests {
  /// The shell restores a job's terminal settings (bash), or leaves the terminal as it is (dash).
  @Test(
    "Bug-B10: Ctrl-Z at the prompt shows typing in the shell, and fg hides the password again",
    arguments: ["bash --norc --noprofile -i", "dash -i"])
  func suspended(shell: String) async throws {
    guard let tmux = TmuxPane.tmux else { return print("login: not suspended in a terminal, there is no tmux") }
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      let tool = try Tool.url.path(percentEncoded: false)
      let pane = try await TmuxPane(
        tmux, "exec \(shell)", in: sandbox.folder,
        variables: ["OSTIARY_HOME": sandbox.path, "OSTIARY": tool, "PS1": "$ ", "TERM": "dumb"])
      // Typed text that a test looks for is written so that only its result has the words.
      try await pane.type(line: "echo the shell is re\"\"ady")
      try await pane.waitFor("the shell is ready")
      try await pane.type(line: "\"$OSTIARY\" \(server.login.joined(separator: " "))")
      for round in 1...8 {
        try await pane.waitFor("Password for alice", times: round)
        try await pane.type("hidden\(round)-")
        try await pane.press("C-z")
        try await pane.waitFor("Stopped", times: round)
        try await pane.type(line: "echo \"$(stty -a | grep -ow -e '-*echo') at rou\"\"nd \(round)\"")
        try await pane.waitFor("at round \(round)")
        try await pane.type(line: "fg")
      }
      try await pane.waitFor("Password for alice", times: 9)
      try await pane.type(line: PegaServer.password)
      try await pane.waitFor("Signed in to")
      #expect(!pane.shown.contains("-echo at round"), "\(pane.shown)")
      #expect(!pane.shown.contains("hidden") && !pane.shown.contains(PegaServer.password), "\(pane.shown)")
    }
  }
}
