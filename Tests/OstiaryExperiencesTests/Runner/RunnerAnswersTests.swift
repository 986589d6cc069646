import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Runner: answers", .timeLimit(.minutes(20)))
struct RunnerAnswersTests {
  private func runner(_ app: any ExperienceDelegate) throws -> ExperienceRunner {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in", delegate: app)
    runner.present()
    runner.enter("ada@example.com", in: "email")
    runner.enter("secret word", in: "password")
    return runner
  }

  @Test("Primer-P5: the screen is covered from the question to the answer, and only then")
  func overlay() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass(); return .valid
      }
    }
    let runner = try runner(app)
    #expect(!runner.snapshot.isWaiting)
    runner.perform("log-in")
    #expect(runner.snapshot.phase == .waiting(.validation))
    try await gate.waitForWaiting()
    #expect(runner.snapshot.phase == .waiting(.validation))
    gate.open()
    #expect(await runner.settled().outcome != nil)
  }

  @Test("Primer-P5: an answer that is given at once uncovers the screen")
  func synchronous() async throws {
    let app = RecordingApp { $0.logIn = { _ in try await Completion.answer { $0(.refused(.invalid("No."))) } } }
    let runner = try runner(app)
    runner.perform("log-in")
    let moment = await runner.settled()
    #expect(moment.phase == .shown)
    #expect(moment.screen.messages == ["No."])
  }

  @Test("Primer-P6: nothing and a fresh result are valid; each way to invalidate is not")
  func results() {
    #expect(ValidationResult().isValid)
    #expect(!ValidationResult.invalid("x").isValid)
    #expect(!ValidationResult.invalid(field: "k").isValid)
    #expect(!ValidationResult.invalid(field: "k", message: "x").isValid)
    var result = ValidationResult.invalid(field: "k", message: "first")
    result.invalidate(field: "k")
    #expect(result.fields == ["k": "first"])
    result.invalidate(field: "k", message: "last")
    #expect(result.fields == ["k": "last"])
  }

  @Test("Primer-P6: an invalid result outweighs a user id")
  func invalidWins() async throws {
    let app = RecordingApp { $0.logIn = { _ in UserValidation(.invalid("No."), userID: "u1") } }
    let runner = try runner(app)
    runner.perform("log-in")
    #expect(await runner.settled().outcome == nil)
    #expect(app.signedIn.isEmpty)
  }

  @Test(
    "Primer-P7: a field's own message, then the result's, then the document's, then a general one",
    arguments: [true, false], [(true, true), (true, false), (false, true), (false, false)])
  func precedence(own: Bool, others: (result: Bool, document: Bool)) async throws {
    var experience = try Fixtures.starter()
    if !others.document { experience.flows[1].screens[0].fields[1].error = nil }
    let app = RecordingApp {
      $0.logIn = { _ in
        var result = ValidationResult()
        if others.result { result.invalidate(message: "result") }
        result.invalidate(field: "password", message: own ? "own" : nil)
        return .refused(result)
      }
    }
    let runner = ExperienceRunner(experience, flow: "log-in", delegate: app)
    runner.present()
    let moment = await runner.submit(["email": "a@b.c", "password": "x"], with: "log-in")
    let expected =
      own ? "own" : others.result ? "result" : others.document ? "Please check the password." : "Please check this."
    #expect(moment.screen.firstInvalidField?.message == expected)
    #expect(moment.screen.messages == (own && others.result ? ["result"] : []), "no message is lost or shown twice")
  }

  @Test("An unknown field's message stands at the top")
  func unknownField() async throws {
    let app = RecordingApp { $0.logIn = { _ in .refused(.invalid(field: "nowhere", message: "Lost.")) } }
    let runner = try runner(app)
    runner.perform("log-in")
    #expect(await runner.settled().screen.messages == ["Lost."])
  }

  @Test("Primer-P20: a second answer is ignored, from whatever thread")
  func twice() async throws {
    let app = RecordingApp {
      $0.logIn = { _ in
        try await Completion.answer { completion in
          Thread.detachNewThread {
            completion(.accepted("first"))
            completion(.accepted("second"))
          }
        }
      }
    }
    let runner = try runner(app)
    runner.perform("log-in")
    _ = try await runner.outcome()
    #expect(app.signedIn.map(\.id) == ["first"])
  }

  @Test("Primer-P20: an answer after dismissal changes nothing")
  func late() async throws {
    let held = Locked<Completion<UserValidation>?>(nil)
    let app = RecordingApp {
      $0.logIn = { _ in try await Completion.answer { completion in held.withLock { $0 = completion } } }
    }
    let runner = try runner(app)
    runner.perform("log-in")
    try await waitUntil { held.withLock { $0 != nil } }
    runner.dismiss()
    #expect(try await runner.outcome() == .dismissed)
    let completion = held.withLock { $0 }
    _ = completion?(.accepted("late"))
    #expect(runner.snapshot.outcome == .dismissed)
    #expect(app.signedIn.isEmpty)
    #expect(app.count("willClose") == 1)
  }

  @Test("An answer that nobody can give any more uncovers the screen")
  func abandoned() async throws {
    let app = RecordingApp { $0.logIn = { _ in try await Completion.answer { _ in } } }
    let runner = try runner(app)
    runner.perform("log-in")
    let moment = await runner.settled()
    #expect(moment.phase == .shown)
    #expect(moment.screen.messages.isEmpty)
    #expect(moment.screen.fields.map(\.isFilled) == [true, true])
  }

  @Test("An error says what Ostiary says, or a general word; never what it quotes")
  func errors() async throws {
    struct Quoting: Error, CustomStringConvertible { var description: String { "password=secret word" } }
    let app = RecordingApp { $0.logIn = { _ in throw Quoting() } }
    let runner = try runner(app)
    runner.perform("log-in")
    #expect(await runner.settled().screen.messages == ["Something went wrong. Please try again."])
    app.change { $0.logIn = { _ in throw OstiaryError(.cannotConnect, "No connection.", advice: "Try later.") } }
    runner.perform("log-in")
    #expect(await runner.settled().screen.messages == ["No connection. Try later."])
  }

  @Test("Primer-P21: a double submission is one question")
  func double() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass(); return .valid
      }
    }
    let runner = try runner(app)
    let begun = (0..<10).filter { _ in runner.perform("log-in") }.count
    #expect(begun == 1)
    #expect(!runner.enter("other@example.com", in: "email"))
    gate.open()
    _ = try await runner.outcome()
    #expect(app.count("validate") == 1)
    #expect(app.count("logIn") == 1)
  }

  /// Leaves out one function after the other: each then accepts.
  private final class Partial: ExperienceDelegate {}

  @Test("Primer-P2: whatever function is left out, the flow goes on")
  func leftOut() async throws {
    let experience = try Fixtures.starter()
    for (flow, action, entries, next) in [
      ("log-in", "log-in", ["email": "a@b.c", "password": "x"], "an outcome"),
      ("recover", "send", ["email": "a@b.c"], "log-in: credentials"),
      ("feedback", "send", ["opinion": "x"], "feedback: thanks"), ("feedback", "ask", [:], "feedback: thanks"),
    ] {
      let runner = ExperienceRunner(experience, flow: flow, delegate: Partial())
      runner.present()
      let moment = await runner.submit(entries, with: action)
      #expect((moment.outcome == nil ? "\(moment.flow): \(moment.screen.id)" : "an outcome") == next)
      runner.dismiss()
    }
    let runner = ExperienceRunner(experience, flow: "sign-up", delegate: Partial())
    runner.present()
    var moment = await runner.submit([:], with: "facebook")
    #expect(moment.phase == .shown, "a provider that nobody speaks to does nothing")
    moment = await runner.submit(
      ["email": "a@b.c", "password": String(repeating: "x", count: 15), "terms": "1"], with: "continue")
    moment = await runner.submit([:], with: "finish")
    #expect(moment.outcome != nil)
  }

  @Test("The app and its answers may call the runner back")
  func reentrant() async throws {
    let box = Locked<ExperienceRunner?>(nil)
    let app = RecordingApp {
      $0.validate = { _, _ in
        _ = box.withLock { $0 }?.dismiss()
        return .valid
      }
    }
    let runner = try runner(app)
    box.withLock { $0 = runner }
    runner.perform("log-in")
    #expect(try await runner.outcome() == .dismissed)
    box.withLock { $0 = nil }
    #expect(app.count("logIn") == 0)
  }

  @Test("A runner that is let go ends its streams and its questions")
  func released() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass(); return .valid
      }
    }
    var runner: ExperienceRunner? = try runner(app)
    let snapshots = try #require(runner).snapshots()
    runner?.perform("log-in")
    try await gate.waitForWaiting()
    runner = nil
    for await _ in snapshots {}
    try await waitUntil { gate.waiting == 0 }
  }
}
