import Foundation
import OstiaryCore
import PythonTestSupport
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("demo", .timeLimit(.minutes(20)))
struct DemoCommandTests {
  /// A machine's own Python could have the product of a chapter.
  private static let withoutPython = ["OSTIARY_DEMO_PYTHON": "no-such-python"]
  private static let python = PythonEnvironment(
    name: "python-simplejwt", packages: ["djangorestframework-simplejwt>=5.5,<6"])

  @Test(
    "DIALECT-C17: with Django REST framework from PyPI the demo signs in to it by a dialect, and renews once",
    .enabled("There is no Python, or no registry with djangorestframework-simplejwt.") {
      await Self.python.interpreter() != nil
    })
  func foreignAPI() async throws {
    let python = try #require(await Self.python.interpreter())
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let outcome = try await Sandbox().run(
      ["demo"], variables: ["OSTIARY_DEMO_PYTHON": python.path(percentEncoded: false), "PATH": path])
    #expect(outcome.status == 0, "\(outcome.output)")
    for words in ["by the dialect simplejwt", "one renewal", "A wrong password is known as one", "off its list"] {
      #expect(outcome.output.contains(words), "\(words) is missing: \(outcome.output)")
    }
  }

  @Test("The demo plays its story, every step checked, and leaves nothing behind")
  func plays() async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run(["demo"], variables: Self.withoutPython)
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
    #expect(outcome.output.contains("no-such-python has no djangorestframework-simplejwt"))
    #expect(outcome.error.isEmpty)
    #expect(try sandbox.contents().isEmpty)
  }

  @Test("With --json it is one document, with the time of each step")
  func json() async throws {
    let report = try await Sandbox().run(["demo", "--json"], variables: Self.withoutPython).json()
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
