import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The executable in a terminal, and beside another program.
@Suite("Experience: the executable", .serialized, .timeLimit(.minutes(20)))
struct ExperienceTerminalTests {
  private func pane(_ tmux: URL, _ sandbox: Sandbox, _ stub: OnboardingStub) async throws -> TmuxPane {
    try await TmuxPane(
      tmux, command: "experience run '\(stub.address)' --token \(OnboardingStub.token)", in: sandbox)
  }

  @Test("In a terminal, passwords are not shown, and messages stand above what is asked again")
  func terminal() async throws {
    guard let tmux = TmuxPane.tmux else { return print("experience run: not run in a terminal, there is no tmux") }
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    let pane = try await pane(tmux, sandbox, stub)
    try await pane.waitFor("\nE-mail: ")
    try await pane.type(line: "ada@example.com")
    try await pane.waitFor("\nPassword: ")
    try await pane.type(line: "planted-wrong")
    try await pane.waitFor("\nE-mail [ada@example.com]: ")
    try await pane.type(line: "")
    try await pane.waitFor("\nPassword [***]: ")
    try await pane.type(line: OnboardingStub.password)
    try await pane.waitForLine("terminal: ")
    let lines = try await pane.lines()
    #expect(lines.contains("! That did not work."))
    #expect(lines.contains("✓ Logged in as u-1."))
    #expect(lines.contains("ended with 0"))
    #expect(!lines.joined().contains("planted") && !lines.joined().contains(OnboardingStub.password))
  }

  @Test("Ctrl-C leaves a terminal that shows what is typed", arguments: ["E-mail: ", "Password: "])
  func interrupted(question: String) async throws {
    guard let tmux = TmuxPane.tmux else { return print("experience run: not interrupted, there is no tmux") }
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    let pane = try await pane(tmux, sandbox, stub)
    if question != "E-mail: " {
      try await pane.waitFor("\nE-mail: ")
      try await pane.type(line: "ada@example.com")
    }
    try await pane.waitFor("\n" + question)
    try await pane.press("C-c")
    try await pane.waitForLine("terminal: ")
    let lines = try await pane.lines()
    #expect(lines.contains { $0.hasSuffix("ended with 130") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("terminal: echo") }, "\(lines)")
    #expect(stub.server.requests.allSatisfy { $0.path != "/onboarding/login" })
  }

  @Test("A program on the other side of a pipe is asked before it answers")
  func pipe() async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    let tool = try RunningTool(
      Tool.url, ["experience", "run", stub.address, "--token", OnboardingStub.token], in: sandbox)
    _ = try await tool.waitForOutput("E-mail: ")
    tool.send("ada@example.com\r\n")
    _ = try await tool.waitForOutput("Password: ")
    // The last line of an input may have no end.
    tool.send(OnboardingStub.password)
    tool.closeInput()
    let outcome = try await tool.outcome()
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.hasSuffix("✓ Logged in as u-1.\n"))
    #expect(!outcome.output.contains(OnboardingStub.password))
  }

  @Test("Without standard input the experience is closed; what is no text is refused", arguments: ["<&-", "<binary"])
  func input(redirection: String) async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    try Data([0xFF, 0xFE, 0x0A]).write(to: sandbox.folder.appending(path: "binary"))
    let shell = try RunningTool(
      URL(filePath: "/bin/sh"),
      ["-c", "\"$OSTIARY\" experience run \(stub.address) --token \(OnboardingStub.token) \(redirection)"], in: sandbox,
      variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
    let outcome = try await shell.outcome()
    #expect(outcome.status == (redirection == "<&-" ? 3 : 2), "\(outcome.error)")
    if redirection == "<binary" { #expect(outcome.error.contains("not UTF-8")) }
  }
}
