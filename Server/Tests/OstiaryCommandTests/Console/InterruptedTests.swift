import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// Ctrl-C where something is under way.
@Suite("Commands that are interrupted", .serialized, .timeLimit(.minutes(20)))
struct InterruptedTests {
  @Test(
    "Ctrl-C at a password prompt: typing is shown again, nothing is half-written, and a session that there was is there"
  )
  func prompt() async throws {
    guard let tmux = TmuxPane.tmux else { return print("request: not interrupted in a terminal, there is no tmux") }
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      #expect(await sandbox.run(server.login + ["--profile", "other"], answers: [PegaServer.password]).status == 0)
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let before = try sandbox.contents()
      let pane = try await TmuxPane(tmux, command: "request \(server.cases)", in: sandbox)
      try await pane.waitFor("Password for alice")
      try await pane.type("half-a-passw")
      try await pane.press("C-c")
      try await pane.waitForLine("terminal: ")
      #expect(pane.shown.contains("ended with 130") && pane.shown.contains("terminal: echo"), "\(pane.shown)")
      #expect(!pane.shown.contains("half-a-passw"))
      // No file is left of writing, and the session of the profile that was not used is as it was.
      let after = try sandbox.contents()
      #expect(
        Set(after.keys).subtracting(before.keys).allSatisfy {
          $0 == "run.sh" || $0.hasSuffix(".lock") || $0.hasPrefix("tmux-")
        })
      #expect(after["profiles.json"] == before["profiles.json"])
      for name in before.keys where name.hasSuffix(".session") && !name.contains("other") {
        #expect(after[name] == before[name])
      }
      let request = await sandbox.run(["request", server.cases], answers: [PegaServer.password])
      #expect(request.status == 0, "\(request.error)")
    }
  }

  @Test("Ctrl-C in a renewal: the session is not lost, and the next command renews it", arguments: [SIGINT, SIGTERM])
  func renewal(signal: Int32) async throws {
    let sandbox = try Sandbox()
    let server = try SalesforceServer()
    defer { server.stop() }
    let person = PersonAtBrowser(username: "ann@example.com", password: SalesforceServer.password)
    let login = await sandbox.run(
      ["login", "salesforce", "--server", server.login, "--option", "client-id=\(SalesforceServer.clientID)"],
      browser: { try await person.visit($0) })
    #expect(login.status == 0, "\(login.error)")
    server.expireSessions()
    server.holdRenewals(true)
    let grants = server.grants.count
    let process = try RunningTool(Tool.url, ["request", "/services/data"], in: sandbox)
    try await waitUntil("the renewal") { server.grants.count != grants }
    process.signal(signal)
    let outcome = try await process.outcome()
    #expect(outcome.status == 128 + signal || outcome.status == signal, "\(outcome.status)")
    #expect(outcome.output.isEmpty)
    #expect(try sandbox.contents().keys.allSatisfy { !$0.hasSuffix(".new") && !$0.hasSuffix(".tmp") })
    server.holdRenewals(false)
    let status = await sandbox.run(["status"])
    #expect(status.status == 0, "\(status.output) \(status.error)")
    let request = await sandbox.run(["request", "/services/data"])
    #expect(request.status == 0, "\(request.error)")
  }
}
