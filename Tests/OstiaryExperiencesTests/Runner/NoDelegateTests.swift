import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Runner: no app, no acceptance", .timeLimit(.minutes(20)))
struct NoDelegateTests {
  private static let message = "The app does not answer, so nothing was accepted. Close it and open it again."

  private static let ways: [(flow: String, action: String, entries: [String: String])] = [
    ("log-in", "log-in", ["email": "ada@example.com", "password": Fixtures.password]),
    ("sign-up", "continue", ["email": "ada@example.com", "password": Fixtures.password, "terms": "1"]),
    ("sign-up", "facebook", [:]), ("recover", "send", ["email": "ada@example.com"]),
    ("feedback", "send", ["opinion": "x"]), ("feedback", "ask", [:]),
  ]

  @Test("Bug-G06: without a delegate nothing is accepted, and the screen says so", arguments: 0..<6)
  func none(_ way: Int) async throws {
    let (flow, action, entries) = Self.ways[way]
    let runner = ExperienceRunner(try Fixtures.starter(), flow: flow)
    runner.present()
    let first = runner.snapshot.screen.id
    let moment = await runner.submit(entries, with: action)
    #expect(moment.phase == .shown && moment.screen.id == first && moment.screen.messages == [Self.message])
    let german = ExperienceRunner(try Fixtures.starter(), flow: flow, languages: ["de"])
    german.present()
    #expect(
      await german.submit(entries, with: action).screen.messages.first?.hasPrefix("Die App antwortet nicht") == true)
    // It can be left, and a permission is one that is not granted.
    #expect(runner.dismiss())
  }

  @Test("Bug-G06: a delegate that is held weakly may go; then nothing is accepted any more", arguments: 0..<6)
  func gone(_ way: Int) async throws {
    let (flow, action, entries) = Self.ways[way]
    var app: RecordingApp? = RecordingApp()
    let weak = WeakExperienceDelegate(try #require(app))
    let runner = ExperienceRunner(try Fixtures.starter(), flow: flow, delegate: weak)
    runner.present()
    try await waitUntil { app?.count("appeared") == 1 }
    app = nil
    try await waitUntil { weak.target == nil }
    let moment = await runner.submit(entries, with: action)
    #expect(moment.outcome == nil && moment.screen.messages == [Self.message])
  }

  @Test("A permission that no app can ask for is not granted")
  func permission() async throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback")
    runner.present()
    let moment = await runner.submit([:], with: "notify")
    #expect(moment.screen.id == "opinion" && moment.screen.messages.isEmpty)
  }
}
