import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: experiences that the app shows itself", .timeLimit(.minutes(20)))
struct LoadingTests {
  let delegate = RecordingDelegate()

  private func load(_ app: App, _ type: PMRExperienceType? = nil) async -> PMRExperienceController? {
    await withCheckedContinuation { continuation in
      app.use {
        guard let type else { return Primer.loadExperience { continuation.resume(returning: $0) } }
        Primer.load(type, withCompletion: { continuation.resume(returning: $0) })
      }
    }
  }

  @Test(
    "Bug-D06 Primer: a loaded experience begins when the app presents it, and is then the current one until it is over")
  func presented() async throws {
    let app = try await App()
    app.use { Primer.setExperienceDelegate(delegate) }
    let controller = try #require(await load(app, .login))
    #expect(app.use { !Primer.isPresentingExperience() && Primer.currentExperience() == nil })
    #expect(delegate.calls.isEmpty)
    controller.runner.present()
    try await waitUntil { app.use { Primer.isPresentingExperience() } }
    let current = app.use { Primer.currentExperience() }
    #expect(current?.runner === controller.runner && current === app.use { Primer.currentExperience() })
    #expect(app.use { Primer.currentUser() }.lastViewedVariation == "B")
    await controller.runner.submit(["email": "ann@example.com", "password": "x"], with: "go")
    _ = try await controller.runner.outcome()
    #expect(app.user.userID == "u1")
    #expect(app.use { !Primer.isPresentingExperience() && Primer.currentExperience() == nil })
    // Another one can be presented afterwards.
    #expect(await app.present() != nil)
  }

  @Test("Bug-D06 Primer: by itself an experience is loaded when one is needed, and counts as seen when it was shown")
  func automatic() async throws {
    let app = try await App()
    app.use { Primer.setRequiresLogin(false) }
    let unseen = try #require(await load(app))
    #expect(unseen.runner.snapshot.phase == .idle)
    // One that was never shown is needed still.
    let controller = try #require(await load(app))
    controller.runner.present()
    try await waitUntil { app.use { Primer.isPresentingExperience() } }
    #expect(await app.answer { done in app.use { Primer.dismissExperience(completion: done) } })
    #expect(await load(app) == nil)
    app.use { Primer.logInUser(withID: "u1") }
    #expect(await load(app) == nil)
    #expect(await load(app, .recoverPassword) != nil)
  }

  @Test("Bug-D06 Primer: a loaded experience that is dropped unshown ends, and nothing is left of it")
  func dropped() async throws {
    let app = try await App()
    weak var runner: ExperienceRunner?
    do {
      let controller = try #require(await load(app, .login))
      runner = controller.runner
      #expect(runner != nil)
    }
    try await waitUntil { runner == nil }
    #expect(await app.present() != nil)
  }

  @Test(
    "Bug-D06 Primer: while one is on the screen, a loaded one that is shown does not take its place in the app's calls")
  func two() async throws {
    let app = try await App()
    app.use { Primer.setRequiresLogin(false) }
    let first = try #require(await app.present(.login))
    let second = try #require(await load(app, .newUser))
    second.runner.present()
    // It counts as seen, so that none is needed any more, once the module has noticed that it is shown.
    try await waitUntil("the module to see what is shown") { await load(app) == nil }
    #expect(app.use { Primer.currentRunner } === first)
    #expect(await app.answer { done in app.use { Primer.dismissExperience(completion: done) } })
    #expect(first.snapshot.outcome != nil && second.runner.snapshot.outcome == nil)
  }

  @Test("Bug-D06 Primer: before a session has begun nothing is loaded, and without an experience nothing is")
  func nothing() async throws {
    let service = PrimerService(
      environment: PrimerEnvironment(transport: ScriptedTransport(), store: { FaultyStore() }, clock: ManualClock()))
    let controller = await withCheckedContinuation { continuation in
      PrimerService.$current.withValue(service) {
        Primer.loadExperienceType(.login, withCompletion: { continuation.resume(returning: $0) })
      }
    }
    #expect(controller == nil)
    #expect(await load(try await App(document: nil), .login) == nil)
  }
}
