import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Runner: values", .timeLimit(.minutes(20)))
struct RunnerValueTests {
  @Test("Primer-P8: only fields that are not secure become user properties, and a password is found nowhere")
  func properties() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner("sign-up", app)
    let secret = "plantedSecret-7f3a91c2"
    var seen: [String] = []
    var moment = await runner.submit(
      ["email": "ada@example.com", "password": secret, "terms": "on"], with: "continue")
    seen.append("\(moment)")
    seen.append(String(reflecting: runner))
    runner.goBack()
    moment = runner.snapshot
    #expect(moment.screen.fields.first { $0.key == "password" }?.isFilled == true)
    #expect(moment.screen.fields.first { $0.key == "password" }?.value == nil, "Flow-F2: never echoed")
    #expect(moment.screen.fields.first { $0.key == "email" }?.value == "ada@example.com")
    seen.append("\(moment)")
    var dumped = ""
    dump(runner, to: &dumped)
    dump(moment, to: &dumped)
    seen.append(dumped)
    await runner.submit([:], with: "continue")
    await runner.submit([:], with: "finish")
    let outcome = try await runner.outcome()
    seen += ["\(outcome)", "\(app.recorded)", "\(app.signedIn)"]
    let user = try #require(app.signedIn.first)
    #expect(
      user.properties == [
        "email": "ada@example.com", "terms": true, "plan": "free", "source": "onboarding",
      ])
    for text in seen { #expect(!text.contains(secret)) }
  }

  @Test("Primer-P9: what is refused, recovered or handed over becomes no property")
  func noProperties() async throws {
    let app = RecordingApp { $0.logIn = { _ in .refused(.invalid("No.")) } }
    let runner = try Fixtures.runner("log-in", app)
    await runner.submit(["email": "ada@example.com", "password": "x"], with: "log-in")
    #expect(runner.snapshot.screen.messages == ["No."])
    #expect(runner.snapshot.screen.fields.first?.value == "ada@example.com", "Flow-F2: the identifier is kept")
    runner.perform("forgot")
    await runner.submit([:], with: "send")
    #expect(runner.snapshot.flow == "log-in")
    runner.dismiss()
    #expect(try await runner.outcome() == .dismissed)
    #expect(app.signedIn.isEmpty)
    #expect(app.count("recoverPassword") == 1)
  }

  @Test("Primer-P25: an invalid field of an earlier screen leads back to it")
  func earlierScreen() async throws {
    let app = RecordingApp.refusingSignUp(["email": "Taken.", "first_name": "Too short."])
    let runner = try Fixtures.runner("sign-up", app)
    await runner.submit(["email": "a@b.c", "password": Fixtures.password, "terms": "1"], with: "continue")
    var moment = await runner.submit(["first_name": "A"], with: "finish")
    #expect(moment.screen.id == "account")
    #expect(moment.screen.firstInvalidField?.message == "Taken.")
    moment = await runner.submit(["email": "d@e.f"], with: "continue")
    #expect(moment.screen.id == "about")
    #expect(moment.screen.firstInvalidField?.message == "Too short.", "Flow-F3: messages wait on their fields")
    #expect(moment.screen.fields.first?.value == "A")
  }

  @Test("Primer-P26: fields are filled in by property, never a secure one")
  func inheritance() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner(
      "log-in", app, properties: ["email": "known@example.com", "password": "never", "first_name": "Ada"])
    #expect(runner.snapshot.screen.fields.map(\.value) == ["known@example.com", nil])
    #expect(runner.snapshot.screen.fields.map(\.isFilled) == [true, false])
    runner.enter("new@example.com", in: "email")
    runner.perform("forgot")
    #expect(runner.snapshot.screen.fields.first?.value == "new@example.com")
    runner.enter("third@example.com", in: "email")
    #expect(runner.goBack())
    #expect(runner.snapshot.screen.fields.first?.value == "new@example.com", "what the user entered stays")
  }

  @Test("Primer-P23: properties are put into texts; plurals follow the language")
  func texts() async throws {
    let app = RecordingApp()
    var screen = try Fixtures.runner("sign-up", app, properties: ["invites": 1]).snapshot.screen
    #expect(screen.title == "Welcome, friend")
    #expect(screen.text == "You have 1 invitation.")
    screen = try Fixtures.runner("sign-up", app, properties: ["first_name": "Ada", "invites": 3], languages: ["de-AT"])
      .snapshot.screen
    #expect(screen.title == "Willkommen, Ada")
    #expect(screen.text == "Du hast 3 Einladungen.")
    #expect(screen.fields.first?.label == "E-mail address", "a text without translation stays as it is")
    screen = try Fixtures.runner("sign-up", app, languages: ["ar"]).snapshot.screen
    #expect(screen.isRightToLeft && screen.language == "ar")
    #expect(screen.text == "You have  invitations.")
  }

  @Test("A field that repeats another must be the same")
  func matches() async throws {
    let again = Experience.Field(key: "again", kind: .newPassword, constraints: .init(matches: "password"))
    var experience = try Fixtures.starter()
    experience.flows[0].screens[0].fields.insert(again, at: 2)
    try experience.validate()
    let runner = ExperienceRunner(experience, delegate: RecordingApp())
    runner.present()
    var entries = ["email": "a@b.c", "password": Fixtures.password, "again": "other", "terms": "1"]
    var moment = await runner.submit(entries, with: "continue")
    #expect(moment.screen.fields.map(\.issue?.code) == [nil, nil, .mismatch, nil])
    entries["again"] = Fixtures.password
    moment = await runner.submit(entries, with: "continue")
    #expect(moment.screen.id == "about")
  }
}
