import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: experiences", .timeLimit(.minutes(20)))
struct ExperienceTests {
  let delegate = RecordingDelegate()

  func makeApp() async throws -> App {
    let app = try await App()
    app.use { Primer.setExperienceDelegate(delegate) }
    return app
  }

  /// A log-in whose screen is filled in, in front of a delegate that keeps the blocks it is given.
  private func filledIn(_ app: App) async throws -> ExperienceRunner {
    delegate.holds = true
    let runner = try #require(await app.present(.login))
    runner.enter("ann@example.com", in: "email")
    runner.enter("x", in: "password")
    return runner
  }

  @Test("Primer-P8: one screen of a log-in, in the order of the vendor's page, and no password anywhere")
  func logIn() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present(.login))
    await runner.submit(["email": "ann@example.com", "password": "opensesame"], with: "go")
    #expect(
      try await runner.outcome() == .signedIn(.init(id: "u1", isNew: false, properties: ["email": "ann@example.com"])))
    #expect(delegate.calls == ["appeared credentials []", "validate", "logIn"])
    #expect(delegate.fields["logIn"] as? [String: String] == ["email": "ann@example.com", "password": "opensesame"])
    #expect(app.user.userID == "u1" && app.user.properties as? [String: String] == ["email": "ann@example.com"])
    try await app.service.persist()
    #expect(!app.store.saved.isEmpty)
    #expect(!app.store.saved.contains { String(decoding: $0, as: UTF8.self).contains("opensesame") })
  }

  @Test("Primer-P3, P4: a screen's fields for the screen, all fields for the flow")
  func signUp() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present())
    await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    #expect((delegate.fields["validate"] ?? [:]).keys.sorted() == ["email", "password"])
    await runner.submit(["age": "30", "news": "true", "city": "Bonn"], with: "done")
    _ = try await runner.outcome()
    #expect((delegate.fields["validate"] ?? [:]).keys.sorted() == ["age", "city", "news"])
    let all = try #require(delegate.fields["signUp"])
    #expect(all.keys.sorted() == ["age", "city", "email", "news", "password"])
    #expect(all["age"] as? Int == 30 && all["age"] as? Double == 30)
    #expect(all["news"] as? Bool == true && all["city"] as? String == "Bonn")
    #expect(delegate.calls.filter { $0 == "willClose" }.isEmpty)
    #expect(app.user.properties.keys.sorted() == ["age", "city", "email", "news"])
    #expect(app.user.properties["age"] as? Int == 30 && app.user.properties["news"] as? Bool == true)
  }

  @Test("Primer-P6, P7: the three ways to be invalid, and whose message is shown", arguments: 0..<6)
  func invalid(_ way: Int) async throws {
    let app = try await makeApp()
    delegate.result = {
      let result = PMRValidationResult()
      switch way {
      case 0: result.invalidateWithErrorMessage("Nothing goes.")
      case 1: result.invalidateField("email")
      case 2: result.invalidateField("email", withErrorMessage: "Taken.")
      case 3:
        result.invalidateField("email")
        result.invalidateWithErrorMessage("For all.")
      case 4:
        result.invalidateField("email", withErrorMessage: "Taken.")
        result.invalidateField("email")
      default: result.invalidateField("nobody")
      }
      return result
    }
    let runner = try #require(await app.present())
    let moment = await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    #expect(moment.phase == .shown && moment.screen.id == "account")
    let message = moment.screen.fields.first { $0.key == "email" }?.message
    let expected: [String?] = [nil, "Please check your email", "Taken.", "For all.", "Taken.", nil]
    #expect(message == expected[way])
    #expect(moment.screen.messages.isEmpty == (1...4).contains(way))
    if way == 0 { #expect(moment.screen.messages == ["Nothing goes."]) }
    #expect(app.user.properties.isEmpty == true && app.user.userID == nil)
  }

  @Test("Primer-P6: nil and a fresh result are valid; what is changed afterwards counts for nothing")
  func valid() async throws {
    let app = try await makeApp()
    let result = PMRValidationResult()
    delegate.result = { result }
    delegate.holds = true
    let runner = try #require(await app.present())
    runner.enter("ann@example.com", in: "email")
    runner.enter("open sesame 123", in: "password")
    runner.perform("next")
    try await waitUntil { delegate.held.count == 1 }
    delegate.held[0]()
    result.invalidateWithErrorMessage("Too late.")
    #expect(await runner.settled().screen.id == "profile")
  }

  @Test("Primer-P9: a failure appends nothing, and an identifier that comes with one is not used")
  func failure() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present(.login))
    delegate.result = { nil }
    let refusing = RefusingDelegate()
    app.use { Primer.setExperienceDelegate(refusing) }
    let moment = await runner.submit(["email": "ann@example.com", "password": "x"], with: "go")
    withExtendedLifetime(refusing) {}
    #expect(moment.screen.messages == ["There was an issue."])
    #expect(app.user.userID == nil && app.user.properties.isEmpty == true)
  }

  @Test("Primer-P9, P12: a recovery appends nothing, and says that it closes")
  func recover() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present(.recoverPassword))
    await runner.submit(["email": "ann@example.com"], with: "send")
    #expect(try await runner.outcome() == .completed(flow: "recover"))
    #expect(delegate.calls == ["appeared address []", "validate", "recover", "willClose"])
    #expect(app.user.properties.isEmpty == true)
  }

  @Test("Primer-P12: closing tells once what was entered, also by the app, also while paused; a log-in does not")
  func willClose() async throws {
    for way in 0..<3 {
      let app = try await makeApp()
      delegate.calls = []
      let runner = try #require(await app.present())
      runner.enter("ann@", in: "email")
      runner.enter("open", in: "password")
      switch way {
      case 0: runner.perform("skip")
      case 1: #expect(await app.answer { done in app.use { Primer.dismissExperience(completion: done) } })
      default:
        app.use { Primer.pauseExperience() }
        app.use { Primer.dismissExperience() }
      }
      _ = try await runner.outcome()
      #expect(delegate.calls.filter { $0 == "willClose" }.count == 1)
      #expect(delegate.fields["willClose"] as? [String: String] == ["email": "ann@", "password": "open"])
    }
  }

  @Test("Primer-P13: submitted fields, with success and without", arguments: [true, false])
  func handleFields(_ succeeds: Bool) async throws {
    let app = try await makeApp()
    let opened = Locked<[URL]>([])
    app.use { Primer.setURLOpener { url in opened.withLock { $0.append(url) } } }
    delegate.succeeds = succeeds
    let runner = try #require(await app.present(.newUser, screen: "profile"))
    await runner.submit(["city": "Bonn", "age": "30"], with: "share")
    #expect(delegate.fields["handle"] as? [String: String] == ["city": "Bonn"])
    if succeeds { try await waitUntil { opened.withLock { $0.count } == 1 } }
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(opened.withLock { $0.map(\.absoluteString) } == (succeeds ? ["https://terms.example/"] : []))
    #expect(app.user.properties.isEmpty == true)
  }

  @Test("Primer-P14: triggers, known and unknown, with success and failure", arguments: [true, false])
  func triggers(_ succeeds: Bool) async throws {
    let app = try await makeApp()
    delegate.succeeds = succeeds
    #expect(app.use { Primer.fireTrigger("terms") } == false)
    let runner = try #require(await app.present())
    await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    #expect(app.use { Primer.fireTrigger("nothing") } == false)
    #expect(app.use { Primer.fireTrigger("terms") })
    if succeeds {
      _ = try await runner.outcome()
      #expect(delegate.calls.suffix(3) == ["trigger terms", "validate", "signUp"])
    } else {
      #expect(await runner.settled().screen.id == "account")
    }
  }

  @Test("Primer-P14: a trigger fired by eight threads at once is handled once")
  func triggerStorm() async throws {
    let app = try await makeApp()
    delegate.holds = true
    let runner = try #require(await app.present(.newUser, screen: "profile"))
    let service = app.service
    let calls = (0..<8).map { _ in
      Task.detached { PrimerService.$current.withValue(service) { Primer.fireTrigger("terms") } }
    }
    var fired = 0
    for call in calls where await call.value { fired += 1 }
    #expect(fired == 8)
    try await waitUntil { delegate.held.count == 1 }
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(delegate.calls.filter { $0 == "trigger terms" }.count == 1)
  }

  @Test("Primer-P16: one experience at a time; the flags; nothing to close")
  func once() async throws {
    let app = try await makeApp()
    #expect(!app.use { Primer.isPresentingExperience() })
    #expect(await app.answer { done in app.use { Primer.dismissExperience(completion: done) } } == false)
    #expect(await app.answer { done in app.use { Primer.pauseExperience(completion: done) } } == false)
    let runner = try #require(await app.present())
    #expect(app.use { Primer.isPresentingExperience() })
    #expect(await app.present() == nil)
    #expect(await app.answer { done in app.use { Primer.dismissExperience(completion: done) } })
    #expect(!app.use { Primer.isPresentingExperience() })
    #expect(try await runner.outcome() == .dismissed)
    #expect(await app.present() != nil)
  }

  @Test("Primer-P17: pausing keeps what was entered and closes nothing")
  func pause() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present())
    runner.enter("ann@example.com", in: "email")
    #expect(await app.answer { done in app.use { Primer.pauseExperience(completion: done) } })
    #expect(app.use { Primer.isPresentingExperience() } && runner.snapshot.phase == .paused)
    #expect(await app.answer { done in app.use { Primer.resumeExperience(completion: done) } })
    #expect(runner.snapshot.screen.fields.first?.value == "ann@example.com")
    #expect(!delegate.calls.contains("willClose"))
  }

  @Test("Primer-P18: going to the next screen validates this one first")
  func next() async throws {
    let app = try await makeApp()
    let runner = try #require(await app.present())
    app.use { Primer.goToNextExperienceScreen() }
    #expect(runner.snapshot.screen.id == "account" && runner.snapshot.screen.fields[0].message != nil)
    runner.enter("ann@example.com", in: "email")
    runner.enter("open sesame 123", in: "password")
    app.use { Primer.goToNextExperienceScreen() }
    #expect(await runner.settled().screen.id == "profile")
    #expect(delegate.calls.contains("validate"))
  }

  @Test("Primer-P20: blocks that are called twice, from any thread, or after the end")
  func twice() async throws {
    let app = try await makeApp()
    let runner = try await filledIn(app)
    runner.perform("go")
    try await waitUntil { delegate.held.count == 1 }
    let validated = delegate.held[0]
    await Task.detached {
      validated()
      validated()
    }.value
    try await waitUntil { delegate.held.count == 2 }
    let loggedIn = delegate.held[1]
    app.use { Primer.dismissExperience() }
    #expect(try await runner.outcome() == .dismissed)
    loggedIn()
    #expect(app.user.userID == nil)
    #expect(delegate.calls == ["appeared credentials []", "validate", "logIn", "willClose"])
  }

  @Test("Primer-P5, P21: a second submission while the overlay is there asks nobody again")
  func doubleSubmission() async throws {
    let app = try await makeApp()
    let runner = try await filledIn(app)
    #expect(runner.perform("go"))
    #expect(runner.snapshot.isWaiting && !runner.perform("go"))
    try await waitUntil { delegate.held.count == 1 }
    app.use { Primer.goToNextExperienceScreen() }
    #expect(delegate.calls.filter { $0 == "validate" }.count == 1)
    delegate.held[0]()
    try await waitUntil { delegate.held.count == 2 }
    delegate.held[1]()
    _ = try await runner.outcome()
    #expect(!runner.snapshot.isWaiting)
  }

  @Test("Primer-P5: a block that is dropped without a call takes the overlay away and leaves the user where they are")
  func dropped() async throws {
    let app = try await makeApp()
    let runner = try await filledIn(app)
    runner.perform("go")
    try await waitUntil { delegate.held.count == 1 }
    delegate.held = []
    #expect(await runner.settled().phase == .shown)
    #expect(app.user.userID == nil)
  }

  @Test("Primer-P2: with nothing implemented every flow goes on")
  func silent() async throws {
    let app = try await App()
    var runner = try #require(await app.present())
    await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    await runner.submit(["city": "Bonn"], with: "share")
    #expect(app.use { Primer.fireTrigger("terms") })
    guard case .signedIn(let user) = try await runner.outcome() else {
      Issue.record("Nobody has signed in.")
      return
    }
    #expect(user.isNew)
    runner = try #require(await app.present(.recoverPassword))
    await runner.submit(["email": "ann@example.com"], with: "send")
    #expect(try await runner.outcome() == .completed(flow: "recover"))
  }

  @Test("The older method is asked where the newer one is missing, about the unique fields alone")
  func uniqueFields() async throws {
    let app = try await App()
    let delegate = OlderDelegate()
    app.use { Primer.setExperienceDelegate(delegate) }
    let runner = try #require(await app.present())
    let moment = await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    #expect(delegate.unique as? [[String: String]] == [["email": "ann@example.com"]])
    #expect(moment.screen.fields[0].message == "Taken.")
  }

  @Test("Primer-P23: properties are in the texts, also those that come later")
  func texts() async throws {
    let app = try await makeApp()
    app.use { Primer.appendUserProperties(["first_name": "Ann"]) }
    let runner = try #require(await app.present())
    #expect(runner.snapshot.screen.title == "Hello Ann")
    app.use { Primer.appendUserProperties(["first_name": "Anne"]) }
    #expect(runner.snapshot.screen.title == "Hello Anne")
  }

  @Test("Primer-P26: what is known of the user fills in a field of that property, but never a secret one")
  func inherited() async throws {
    let app = try await makeApp()
    app.use { Primer.appendUserProperties(["email": "ann@example.com", "password": "no"]) }
    let runner = try #require(await app.present())
    #expect(runner.snapshot.screen.fields.map(\.value) == ["ann@example.com", nil])
    #expect(runner.snapshot.screen.fields.map(\.isFilled) == [true, false])
  }

  @Test("What draws an experience gets its runner once")
  func presenter() async throws {
    let app = try await makeApp()
    let shown = Locked<[String]>([])
    app.use { Primer.setPresenter { runner, _ in shown.withLock { $0.append(runner.snapshot.screen.id) } } }
    _ = await app.present(.login)
    #expect(shown.withLock { $0 } == ["credentials"])
    #expect(app.user.activeABNTests.map(\.variation) == ["B"] && app.user.lastViewedVariation == "B")
  }
}

@MainActor
private final class RefusingDelegate: PMRExperienceDelegate {
  func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    let result = PMRValidationResult()
    result.invalidateWithErrorMessage("There was an issue.")
    completion(result, "u9")
  }
}

@MainActor
private final class OlderDelegate: PMRExperienceDelegate {
  var unique: [[String: Any]] = []

  func validateUniqueFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    unique.append(fields)
    let result = PMRValidationResult()
    result.invalidateField("email", withErrorMessage: "Taken.")
    completion(result)
  }
}
