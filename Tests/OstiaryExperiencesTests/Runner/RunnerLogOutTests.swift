import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Runner: log-out", .timeLimit(.minutes(20)))
struct RunnerLogOutTests {
  private static let ada: [String: JSONValue] = ["email": "ada@example.com", "first_name": "Ada", "city": "London"]

  @Test("Bug-G04 a log-out clears properties and entries, and the next user inherits nothing")
  func clears() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner("log-in", app, properties: Self.ada)
    runner.enter("ada.l@example.com", in: "email")
    runner.enter("pw", in: "password")
    let before = runner.snapshot
    runner.logOut()
    let moment = runner.snapshot
    #expect(moment.phase == .shown && moment.screen.id == "credentials")
    #expect(moment.screen.fields.map(\.isFilled) == [false, false])
    #expect(moment.screen.turn != before.screen.turn, "a form from before counts no more")
    await runner.submit(["email": "ben@example.com", "password": "other"], with: "log-in")
    guard case .signedIn(let user) = try await runner.outcome() else { return #expect(Bool(false), "not signed in") }
    #expect(user.properties == ["email": "ben@example.com"])
    #expect(!app.calls.contains { $0.contains("ada") })
    let screen = runner.snapshot.screen
    let texts = [screen.title, screen.text] + screen.messages.map { Optional($0) } + screen.fields.map(\.value)
    #expect(!texts.contains { $0?.contains("ada") == true })
  }

  @Test("Bug-G04 what is asked about a user who logs out is cancelled, and its answer signs no user in")
  func cancels() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.logIn = { _ in
        try? await gate.pass(); return .accepted("ada")
      }
    }
    let runner = try Fixtures.runner("log-in", app)
    runner.enter("ada@example.com", in: "email")
    runner.enter("pw", in: "password")
    #expect(runner.perform("log-in"))
    try await gate.waitForArrivals()
    runner.logOut()
    #expect(runner.snapshot.phase == .shown)
    try await waitUntil { gate.waiting == 0 }
    gate.open()
    #expect(runner.enter("ben@example.com", in: "email"))
    for _ in 0..<1_000 { await Task.yield() }
    #expect(runner.snapshot.outcome == nil && app.signedIn.isEmpty)
  }

  @Test("Bug-G04 properties are gone after a log-out before and after the experience is shown")
  func outside() async throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback", properties: Self.ada)
    runner.logOut()
    runner.present()
    #expect(runner.snapshot.screen.text == "Hello , what do you think?")
    runner.addProperties(["first_name": "Ben"])
    runner.dismiss()
    runner.logOut()
    #expect(runner.snapshot.screen.text == "Hello , what do you think?")
  }
}
