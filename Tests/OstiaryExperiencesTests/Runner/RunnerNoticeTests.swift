import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Runner: notices and questions", .timeLimit(.minutes(20)))
struct RunnerNoticeTests {
  /// An app that does something when it is told.
  private final class Listener: ExperienceDelegate {
    struct Reactions: Sendable {
      var appeared: @Sendable (String) async -> Void = { _ in }
      var signedIn: @Sendable () async -> Void = {}
      var recorded: @Sendable (ExperienceEvent) async -> Void = { _ in }
    }

    private let reactions: Locked<Reactions>
    private let lines = Locked<[String]>([])
    var calls: [String] { lines.withLock { $0 } }

    init(_ reactions: Reactions = Reactions()) { self.reactions = Locked(reactions) }

    func change(_ change: @Sendable (inout Reactions) -> Void) { reactions.withLock { change(&$0) } }

    func write(_ line: String) { lines.withLock { $0.append(line) } }

    func screenDidAppear(_ screen: String, triggers: [String]) async {
      write("appeared")
      await reactions.withLock { $0.appeared }(screen)
    }

    func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
      write("validate")
      return .valid
    }

    func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
      write("logIn")
      return .accepted("u1")
    }

    func didSignIn(_ user: SignedInUser) async {
      write("didSignIn")
      await reactions.withLock { $0.signedIn }()
    }

    func willClose(with fields: [String: FieldValue]) async { write("willClose") }
    func record(_ event: ExperienceEvent) async { await reactions.withLock { $0.recorded }(event) }
  }

  private static let entries = ["email": "ada@example.com", "password": Fixtures.password]

  private func runner(_ app: Listener) throws -> ExperienceRunner {
    ExperienceRunner(try Fixtures.starter(), flow: "log-in", delegate: app)
  }

  @Test("Bug-G09 an experience that is closed before the app was asked asks it nothing")
  func nothingAfterTheEnd() async throws {
    let gate = Gate()
    let app = Listener()
    app.change { $0.appeared = { _ in try? await gate.pass() } }
    let runner = try runner(app)
    runner.present()
    try await gate.waitForWaiting()
    for (key, entry) in Self.entries { runner.enter(entry, in: key) }
    #expect(runner.perform("log-in"))
    #expect(runner.dismiss())
    gate.open()
    #expect(try await runner.outcome() == .dismissed)
    // What is asked would be asked by a task of its own; let all of them run.
    for _ in 0..<1_000 { await Task.yield() }
    #expect(app.calls == ["appeared", "willClose"])
  }

  @Test("Bug-G10 a notice may submit a screen and wait for the answer")
  func submitInNotice() async throws {
    let box = Locked<ExperienceRunner?>(nil)
    let app = Listener()
    app.change { reactions in
      reactions.appeared = { _ in
        guard let runner = box.withLock({ $0 }) else { return }
        _ = await runner.submit(Self.entries, with: "log-in")
        app.write("submitted")
      }
    }
    let runner = try runner(app)
    box.withLock { $0 = runner }
    runner.present()
    guard case .signedIn(let user) = try await runner.outcome() else { return #expect(Bool(false), "not signed in") }
    #expect(user.id == "u1")
    try await waitUntil { app.calls.contains("submitted") }
    #expect(app.calls.filter { $0 != "submitted" } == ["appeared", "validate", "logIn", "didSignIn"])
    box.withLock { $0 = nil }
  }

  @Test("Bug-G10 a notice may wait for the outcome")
  func outcomeInNotice() async throws {
    let box = Locked<ExperienceRunner?>(nil)
    let told = Locked<ExperienceOutcome?>(nil)
    let app = Listener()
    app.change { reactions in
      reactions.signedIn = {
        let outcome = try? await box.withLock { $0 }?.outcome()
        told.withLock { $0 = outcome }
      }
    }
    let runner = try runner(app)
    box.withLock { $0 = runner }
    runner.present()
    await runner.submit(Self.entries, with: "log-in")
    let outcome = try await runner.outcome()
    try await waitUntil { told.withLock { $0 } == outcome }
    box.withLock { $0 = nil }
  }

  @Test("Bug-G10 statistics that take long delay no question")
  func slowStatistics() async throws {
    let gate = Gate()
    let events = Locked<[ExperienceEvent.Name]>([])
    let app = Listener()
    app.change { reactions in
      reactions.recorded = { event in
        try? await gate.pass()
        events.withLock { $0.append(event.name) }
      }
    }
    let runner = try runner(app)
    runner.present()
    try await gate.waitForWaiting()
    let moment = await runner.submit(Self.entries, with: "log-in")
    #expect(moment.outcome != nil)
    try await waitUntil { app.calls == ["appeared", "validate", "logIn", "didSignIn"] }
    #expect(events.withLock { $0 }.isEmpty)
    gate.open()
    _ = try await runner.outcome()
    #expect(
      events.withLock { $0 } == [.flowStarted, .screenDisplayed, .actionTapped, .login, .flowCompleted],
      "in their order, and all before the outcome")
  }
}
