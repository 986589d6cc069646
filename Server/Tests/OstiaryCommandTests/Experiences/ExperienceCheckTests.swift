import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("experience check", .timeLimit(.minutes(20)))
struct ExperienceCheckTests {
  private static let bad = #"{"format": 1, "id": "a", "flows": [{"id": "f", "kind": "dance"}], "colour": 1}"#

  @Test("A good document is said to be good, from a file and from standard input")
  func good() async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "good.json"))
    let file = await sandbox.run(["experience", "check", "good.json"])
    #expect(file.status == 0, "\(file.error)")
    #expect(file.output == "✓ good.json can be used: small, version 1, 3 flows.\n")
    let input = await sandbox.run(["experience", "check", "-"], input: OnboardingStub.document)
    #expect(input.status == 0 && input.output.hasPrefix("✓ standard input can be used"))
    let json = await sandbox.run(["experience", "check", "-", "--json"], input: OnboardingStub.document)
    #expect(json.status == 0 && json.error.isEmpty)
    #expect(try json.json()["isValid"] == true)
    #expect(try json.json()["flows"]?.array?.count == 3)
  }

  @Test("Every problem is told with its place; the exit status is 1")
  func bad() async throws {
    let outcome = try await Sandbox().run(["experience", "check", "-"], input: Self.bad)
    #expect(outcome.status == 1)
    #expect(outcome.error.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("standard input: $.version: error: ") })
    #expect(lines.contains { $0.hasPrefix("standard input: $.flows[0].kind: error: ") })
    #expect(lines.contains { $0.hasPrefix("standard input: $.flows[0].screens: error: ") })
    #expect(lines.contains { $0.hasPrefix("standard input: $.colour: warning: ") })
    #expect(lines.last == "✗ standard input can't be used: 3 problems.")
    let json = try await Sandbox().run(["experience", "check", "-", "--json"], input: Self.bad)
    #expect(json.status == 1 && json.error.isEmpty)
    let problems = try json.json()["problems"]?.array ?? []
    #expect(problems.compactMap { $0["path"]?.string } == ["$.version", "$.flows[0].kind", "$.flows[0].screens"])
    #expect(problems.compactMap { $0["code"]?.string } == ["missing", "bad_value", "missing"])
    #expect(try json.json()["notices"]?.array?.first?["code"] == "unknown_member")
  }

  @Test("Bug-G12 a screen without a way out is an error with the shortest way there; an unreachable one is a warning")
  func deadEnd() async throws {
    let document = """
      {"format": 1, "id": "a", "version": 1, "flows": [{"id": "f", "kind": "custom", "screens": [
        {"id": "s", "actions": [{"id": "go", "kind": "goToScreen", "screen": "u"}, {"id": "x", "kind": "dismiss"}]},
        {"id": "t", "actions": [{"id": "x", "kind": "dismiss"}]}, {"id": "u"}]}]}
      """
    let outcome = try await Sandbox().run(["experience", "check", "-"], input: document)
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n")
    let problem = try #require(lines.first { $0.hasPrefix("standard input: $.flows[0].screens[2]: error: ") })
    #expect(problem.hasSuffix("The shortest way here: f/s, “go”; f/u."))
    #expect(lines.contains { $0.hasPrefix("standard input: $.flows[0].screens[1]: warning: No action leads") })
    #expect(lines.last == "✗ standard input can't be used: 1 problem.")
  }

  @Test("What a document says can't steer the terminal")
  func controls() async throws {
    let outcome = try await Sandbox().run(
      ["experience", "check", "-"], input: #"{"format": 1, "\u001b[2J": 1, "id": "\u001b[31m"}"#)
    #expect(outcome.status == 1)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test(
    "A file that can't be read is no bad document: exit status 2, and what to do", arguments: ["missing.json", "."])
  func unreadable(path: String) async throws {
    let outcome = try await Sandbox().run(["experience", "check", path])
    #expect(outcome.status == 2)
    #expect(outcome.error.hasPrefix("error: "))
    #expect(outcome.output.isEmpty)
  }

  @Test("A document without end is refused, not read")
  func endless() async throws {
    let outcome = try await Sandbox().run(["experience", "check", "/dev/zero"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("/dev/zero: $: error: "))
  }
}
