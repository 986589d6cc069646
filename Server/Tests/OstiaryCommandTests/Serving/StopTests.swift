import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("serve stops", .serialized, .timeLimit(.minutes(20)))
struct StopTests {
  /// When a stop is sent to a server that starts.
  private enum Moment: CaseIterable {
    /// At a random time after its process was made.
    case random
    /// When the signal no longer has its usual effect.
    case caught
    /// When its first line can be read.
    case announced
  }

  /// All of them with `OSTIARY_STORMS=full`.
  private static let starts = ProcessInfo.processInfo.environment["OSTIARY_STORMS"] == "full" ? 400 : 40
  /// By the default effect of SIGTERM.
  private static let killed = 128 + SIGTERM

  private static func start(in sandbox: Sandbox) throws -> RunningTool {
    try RunningTool(Tool.url, ["serve", "--in-memory", "--port", "0", "--dev"], in: sandbox)
  }

  @Test("Bug-C20: a stop at any moment of the start ends the process")
  func anyMoment() async throws {
    let sandbox = try Sandbox()
    // How long a start takes here. It is no verdict: random moments are to be moments of the start.
    let began = ContinuousClock.now
    let first = try Self.start(in: sandbox)
    _ = try await first.waitForOutput("Listening")
    let duration = ContinuousClock.now - began
    first.signal(SIGTERM)
    #expect(try await first.outcome().status == 0)

    // Four at a time, so that the processes are in each other's way.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in stride(from: worker, to: Self.starts, by: 4) {
            let moment = Moment.allCases[number / 4 % Moment.allCases.count]
            try await Self.stop(at: moment, within: duration * 2, in: sandbox)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func stop(at moment: Moment, within duration: Duration, in sandbox: Sandbox) async throws {
    let server = try start(in: sandbox)
    var when = "\(moment)"
    switch moment {
    case .random:
      let delay = duration * Double.random(in: 0...1)
      when = "after \(delay)"
      // The moment itself is the input of this test. It waits for nothing.
      try await Task.sleep(for: delay)
    case .caught: try await untilNotFatal(SIGTERM, server)
    case .announced: _ = try await server.waitForOutput("✓")
    }
    server.signal(SIGTERM)
    let outcome = try await server.outcome()
    // What goes on is killed after some minutes (SIGKILL).
    #expect(outcome.status == 0 || outcome.status == killed, "\(when): \(outcome.status) \(outcome.output)")
    if outcome.status == 0 { #expect(outcome.error.contains("Stopping"), "\(when)") }
    if moment == .announced { #expect(outcome.status == 0, "\(outcome.error)") }
  }

  /// Returns when a signal is caught or ignored by the process.
  private static func untilNotFatal(_ number: Int32, _ server: RunningTool) async throws {
    #if os(Linux)
      try await waitUntil("a signal that is not fatal") {
        guard let status = try? String(contentsOfFile: "/proc/\(server.identifier)/status", encoding: .utf8) else {
          return true
        }
        let isFatal = status.split(separator: "\n").allSatisfy { line in
          guard line.hasPrefix("SigIgn:") || line.hasPrefix("SigCgt:") else { return true }
          let mask = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
          return mask & 1 << (number - 1) == 0
        }
        return !isFatal
      }
    #else
      _ = try await server.waitForOutput("✓")
    #endif
  }

  /// A server with a request in flight, whose answer waits for the gate.
  private func withRequestInFlight(
    _ body: (_ server: RunningTool, _ client: RunningTool, _ answer: Gate) async throws -> Void
  ) async throws {
    let (arrival, answer) = (Gate(), Gate())
    let upstream = try LoopbackServer { _ in
      arrival.open()
      return [.wait(answer), .response(200, body: "late")]
    }
    defer { upstream.stop() }
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url,
      [
        "serve", "--in-memory", "--port", "0", "--dev", "--json", "--gateway-public", "/app/slow", "--gateway-upstream",
        "/app=http://127.0.0.1:\(upstream.port)",
      ], in: sandbox)
    let text = try await server.waitForOutput("\n}\n")
    let origin = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["origin"]?.string)
    let client = try RunningTool(
      URL(filePath: "/usr/bin/env"), ["curl", "-qsS", "--noproxy", "*", origin + "/app/slow"], in: sandbox)
    try await arrival.pass()
    server.signal(SIGTERM)
    _ = try await server.waitForError("Stopping")
    try await body(server, client, answer)
  }

  @Test(
    "Bug-C20: a request in flight is answered before a stopped server ends",
    .enabled(if: ChildProcess.find("curl") != nil))
  func requestInFlight() async throws {
    try await withRequestInFlight { server, client, answer in
      answer.open()
      let outcome = try await client.outcome()
      #expect(outcome.output == "late", "\(outcome.error)")
      #expect(try await server.outcome().status == 0)
    }
  }

  @Test("Bug-C20: a second signal ends the server at once", .enabled(if: ChildProcess.find("curl") != nil))
  func secondSignal() async throws {
    try await withRequestInFlight { server, client, answer in
      server.signal(SIGTERM)
      let end = try await server.outcome()
      #expect(end.status == Self.killed, "\(end.error)")
      let request = try await client.outcome()
      #expect(request.status != 0)
      answer.open()
    }
  }

  @Test("Bug-C20: a server whose first user's password was typed stops on Ctrl-C, with everything in order")
  func typedPassword() async throws {
    let sandbox = try Sandbox()
    let terminal = try RunningTool.atTerminal(
      "ostiary serve --in-memory --port 0 --user bob; echo status=$?", in: sandbox)
    _ = try await terminal.waitForOutput("New password for bob")
    terminal.send("a long enough password\n")
    _ = try await terminal.waitForOutput("The same again")
    terminal.send("a long enough password\n")
    _ = try await terminal.waitForOutput("Sign in from another terminal")
    terminal.send("\u{3}")
    let text = try await terminal.waitForOutput("status=")
    #expect(text.contains("Stopping"))
    terminal.closeInput()
    #expect(try await terminal.outcome().output.contains("status=0"))
  }

  @Test("Ctrl-C at the second prompt for a new password ends the command as at the first")
  func secondPrompt() async throws {
    let sandbox = try Sandbox()
    let terminal = try RunningTool.atTerminal(
      "trap : INT; ostiary user add bob; echo status=$?; stty -a", in: sandbox)
    _ = try await terminal.waitForOutput("New password for bob")
    terminal.send("a long enough password\n")
    _ = try await terminal.waitForOutput("The same again")
    terminal.send("\u{3}")
    let text = try await terminal.waitForOutput("echoctl")
    #expect(text.contains("status=130"))
    #expect(text.contains(" echo "))
    terminal.closeInput()
    _ = try await terminal.outcome()
  }
}
