import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Runner: ends", .timeLimit(.minutes(20)))
struct RunnerEndTests {
  @Test("Primer-P12: a recovery that leads nowhere else is told by willClose")
  func recovery() async throws {
    var experience = try Fixtures.starter()
    experience.flows[2].onSuccess = nil
    let app = RecordingApp()
    let runner = ExperienceRunner(experience, flow: "recover", delegate: app)
    runner.present()
    await runner.submit(["email": "ada@example.com"], with: "send")
    #expect(try await runner.outcome() == .completed(flow: "recover"))
    #expect(
      app.calls.suffix(2) == [
        #"recoverPassword {email: "ada@example.com"}"#, #"willClose {email: "ada@example.com"}"#,
      ])
  }

  @Test("Primer-P12: willClose says the same of a toggle that nobody touched, whether or not a form has sent it")
  func untouchedToggle() async throws {
    for entries in [[:], ["email": "", "password": "", "terms": "false"]] {
      let app = RecordingApp()
      let runner = try Fixtures.runner("sign-up", app)
      await runner.submit(entries, with: "continue")
      runner.dismiss()
      _ = try await runner.outcome()
      #expect(app.calls.last == "willClose {terms: false}")
    }
  }

  @Test("Primer-P12, trace 3: skipping and dismissing call willClose once, with what was entered, secrets included")
  func willClose() async throws {
    for way in ["skip", "dismiss"] {
      let app = RecordingApp()
      let runner = try Fixtures.runner("log-in", app)
      runner.enter("x", in: "email")
      if way == "skip" { runner.perform("close") } else { runner.dismiss() }
      #expect(!runner.dismiss())
      #expect(!runner.skip())
      #expect(try await runner.outcome() == (way == "skip" ? .skipped : .dismissed))
      #expect(app.calls.filter { $0.hasPrefix("willClose") } == [#"willClose {email: "x"}"#])
      #expect(app.recorded.contains { $0.name == .flowSkipped } == (way == "skip"))
    }
    let app = RecordingApp()
    let runner = try Fixtures.runner("log-in", app)
    runner.enter("pw", in: "password")
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(app.calls.last == "willClose {password: secret(2)}")
  }

  @Test("Primer-P17: a pause keeps what was entered and what is asked, and is no dismissal")
  func pause() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass(); return .invalid("No.")
      }
    }
    let runner = try Fixtures.runner("log-in", app)
    #expect(!runner.resume())
    runner.enter("ada@example.com", in: "email")
    #expect(runner.pause())
    #expect(!runner.pause())
    #expect(runner.snapshot.phase == .paused)
    #expect(!runner.enter("other", in: "email"))
    #expect(!runner.perform("log-in"))
    #expect(runner.resume())
    #expect(runner.snapshot.screen.fields.first?.value == "ada@example.com")
    runner.enter(Fixtures.password, in: "password")
    #expect(runner.perform("log-in"))
    #expect(runner.pause())
    gate.open()
    try await waitUntil { app.count("validate") == 1 && runner.snapshot.screen.messages == ["No."] }
    #expect(runner.snapshot.phase == .paused)
    #expect(app.count("willClose") == 0)
    #expect(runner.dismiss())
    _ = try await runner.outcome()
    #expect(app.count("willClose") == 1)
  }

  @Test("Primer-P16: what is shown can't be shown again, and what isn't can't be closed")
  func twice() throws {
    let runner = ExperienceRunner(try Fixtures.starter())
    #expect(!runner.dismiss() && !runner.skip() && !runner.pause() && !runner.goToNextScreen())
    #expect(!runner.fireTrigger("offer") && !runner.enter("x", in: "email"))
    #expect(runner.snapshot.phase == .idle)
    #expect(runner.present() && !runner.present())
    #expect(runner.snapshot.flow == "sign-up", "the experience's type chooses the flow")
    #expect(runner.dismiss() && !runner.dismiss() && !runner.present() && !runner.resume())
  }
}
