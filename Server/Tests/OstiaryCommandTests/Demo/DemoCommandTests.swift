import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("demo", .timeLimit(.minutes(20)))
struct DemoCommandTests {
  @Test("The demo plays its story, every step checked, and leaves nothing behind")
  func plays() async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run(["demo"])
    #expect(outcome.status == 0, "\(outcome.output)")
    for words in [
      "Signed in as alice", "dropped", "one new sign-in", "wrong password", "network", "Signed out", "nothing was sent",
      "the file is whole", "it was sent once", "the app was asked once", "opened once", "no question was asked",
      "the gateway was asked nothing", "from the inside out", "that is taken", "of three letters",
      "on the same screen", "has an account", "a code came by mail", "with the new password",
    ] {
      #expect(outcome.output.contains(words), "\(words) is missing")
    }
    #expect(outcome.output.contains("because the server refused its proof"))
    #expect(outcome.error.isEmpty)
    #expect(try sandbox.contents().isEmpty)
  }

  @Test("With --json it is one document, with the time of each step")
  func json() async throws {
    let report = try await Sandbox().run(["demo", "--json"]).json()
    #expect(report["passed"] == .bool(true))
    let steps = try #require(report["steps"]?.array)
    #expect(steps.count == 37)
    #expect(steps.allSatisfy { $0["passed"] == .bool(true) && ($0["milliseconds"]?.double ?? -1) >= 0 })
  }

  @Test("A step that does not go as expected says what was expected, and ends the story with exit status 1")
  func fails() async throws {
    let sink = BufferSink()
    let story = DemoStory(console: Console(output: sink, error: sink, variables: [:]))
    await #expect(throws: ExitStatus.failure) {
      try await story.step(TestMessage(line: "Water runs uphill")) {
        try story.expect(false, TestMessage(line: "water to run downhill"))
      }
    }
    await #expect(throws: ExitStatus.failure) {
      try await story.step(TestMessage(line: "Called")) { throw OstiaryError(.cannotConnect, "Nobody answers.") }
    }
    #expect(sink.text.contains("✗"))
    #expect(sink.text.contains("Expected water to run downhill."))
    #expect(sink.text.contains("instead: Nobody answers."))
    #expect(story.steps.map(\.passed) == [false, false])
  }
}
