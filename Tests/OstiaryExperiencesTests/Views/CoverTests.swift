import OstiaryTesting
import Testing

@testable import OstiaryExperiences

@Suite("Views: cover", .timeLimit(.minutes(20)))
struct CoverTests {
  @Test("Bug-D08 The app is seen before an experience, while it is paused and after it")
  func moments() async throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in", delegate: RecordingApp())
    #expect(runner.snapshot.cover == .app)
    runner.present()
    #expect(runner.snapshot.cover == .screen)
    runner.pause()
    #expect(runner.snapshot.cover == .app)
    runner.resume()
    #expect(runner.snapshot.cover == .screen)
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(runner.snapshot.cover == .app)
  }

  @Test("Bug-D08 The screen stays and says that it waits while the app is asked")
  func waiting() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass()
        return .invalid("No.")
      }
    }
    let runner = try Fixtures.runner("log-in", app)
    runner.enter("ada@example.com", in: "email")
    runner.enter(Fixtures.password, in: "password")
    runner.perform("log-in")
    #expect(runner.snapshot.cover == .waitingScreen)
    gate.open()
    #expect(await runner.settled().cover == .screen)
  }

  @Test("Bug-D08 A presenter puts a view up, takes it down while the experience is paused, and removes it once")
  func steps() async throws {
    let runner = try Fixtures.runner("log-in", RecordingApp())
    var presentation = ExperiencePresentation()
    #expect(presentation.step(runner.snapshot) == .show)
    #expect(presentation.step(runner.snapshot) == nil)
    runner.pause()
    #expect(presentation.step(runner.snapshot) == .withdraw)
    #expect(presentation.step(runner.snapshot) == nil)
    runner.resume()
    #expect(presentation.step(runner.snapshot) == .show)
    runner.pause()
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(presentation.step(runner.snapshot) == .remove, "also when the moment of the pause was not told")
    #expect(presentation.step(runner.snapshot) == nil)
    #expect(presentation.end() == nil)
  }

  @Test("Bug-D08 A presenter shows nothing of an experience that is not presented, and ends with the runner")
  func ends() throws {
    let idle = ExperienceRunner(try Fixtures.starter()).snapshot
    var presentation = ExperiencePresentation()
    #expect(presentation.step(idle) == nil)
    #expect(presentation.end() == .remove)
    #expect(presentation.end() == nil && presentation.step(idle) == nil)
  }
}
