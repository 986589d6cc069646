import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryExperiences

@Suite("Runner", .timeLimit(.minutes(20)))
struct RunnerTests {
  private static let password = "correct horse battery staple"

  private func runner(
    _ flow: String, _ app: RecordingApp, properties: [String: JSONValue] = [:], languages: [String] = []
  ) throws -> ExperienceRunner {
    let runner = ExperienceRunner(
      try Fixtures.starter(), flow: flow, languages: languages, properties: properties, delegate: app)
    #expect(runner.present())
    return runner
  }

  @Test("Primer-P4, trace 1: a one-screen log-in calls in the documented order and never willClose")
  func login() async throws {
    let app = RecordingApp()
    let runner = try runner("log-in", app)
    await runner.submit(["email": "ada@example.com", "password": Self.password], with: "log-in")
    let outcome = try await runner.outcome()
    #expect(
      app.calls == [
        "appeared credentials []",
        #"validate credentials {email: "ada@example.com", password: secret(28)}"#,
        #"logIn {email: "ada@example.com", password: secret(28)}"#,
        #"didSignIn u1 known ["email"]"#,
      ])
    #expect(
      app.recorded.map(\.name) == [.flowStarted, .screenDisplayed, .actionTapped, .login, .flowCompleted])
    #expect(
      outcome
        == .signedIn(SignedInUser(id: "u1", isNew: false, properties: ["email": "ada@example.com"])))
    #expect(runner.snapshot.phase == .finished(outcome))
  }

  @Test("Primer-P3, Primer-P4, trace 2: each screen's own fields are validated, and the union is submitted")
  func signUp() async throws {
    let app = RecordingApp {
      $0.validate = { fields, screen in
        fields["email"] == .text("bad@example.com") ? .invalid(field: "email") : .valid
      }
    }
    let runner = try runner("sign-up", app)
    var moment = await runner.submit(
      ["email": "bad@example.com", "password": Self.password, "terms": "true"], with: "continue")
    #expect(moment.screen.id == "account")
    #expect(moment.screen.firstInvalidField?.message == "Please check the e-mail address.")
    moment = await runner.submit(["email": "ada@example.com"], with: "continue")
    #expect(moment.screen.id == "about")
    app.change {
      $0.signUp = { _ in .refused(.invalid("There was an issue signing up.")) }
    }
    moment = await runner.submit(["first_name": "Ada", "age": "36"], with: "finish")
    #expect(moment.screen.messages == ["There was an issue signing up."])
    #expect(app.signedIn.isEmpty)
    app.change { $0.signUp = { _ in .accepted("u2") } }
    await runner.submit([:], with: "finish")
    _ = try await runner.outcome()
    #expect(
      app.calls.last { $0.hasPrefix("validate about") }
        == #"validate about {age: 36.0, birthday: "", first_name: "Ada", mood: "", phone: "", plan: "free", source: "onboarding"}"#
    )
    #expect(
      app.calls.last { $0.hasPrefix("signUp") }
        == #"signUp {age: 36.0, birthday: "", email: "ada@example.com", first_name: "Ada", mood: "", password: secret(28), phone: "", plan: "free", source: "onboarding", terms: true}"#
    )
    #expect(app.recorded.filter { $0.name == .signUp }.count == 1)
    #expect(app.count("willClose") == 0)
  }

  @Test("Primer-P3: a screen without fields is not validated")
  func noFields() async throws {
    let app = RecordingApp()
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback", screen: "thanks", delegate: app)
    runner.present()
    await runner.submit([:], with: "done")
    #expect(try await runner.outcome() == .completed(flow: "feedback"))
    #expect(app.count("validate") == 0)
    #expect(app.count("willClose") == 1, "Primer-P12: the end of a custom flow is told")
  }

  @Test("Primer-P8: only fields that are not secure become user properties, and a password is found nowhere")
  func properties() async throws {
    let app = RecordingApp()
    let runner = try runner("sign-up", app)
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
    let runner = try runner("log-in", app)
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
      let runner = try runner("sign-up", app)
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
      let runner = try runner("log-in", app)
      runner.enter("x", in: "email")
      if way == "skip" { runner.perform("close") } else { runner.dismiss() }
      #expect(!runner.dismiss())
      #expect(!runner.skip())
      #expect(try await runner.outcome() == (way == "skip" ? .skipped : .dismissed))
      #expect(app.calls.filter { $0.hasPrefix("willClose") } == [#"willClose {email: "x"}"#])
      #expect(app.recorded.contains { $0.name == .flowSkipped } == (way == "skip"))
    }
    let app = RecordingApp()
    let runner = try runner("log-in", app)
    runner.enter("pw", in: "password")
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(app.calls.last == "willClose {password: secret(2)}")
  }

  @Test("Primer-P13: handed-over fields go on when the app says so, and only then")
  func submitFields() async throws {
    let app = RecordingApp { $0.handle = { _ in false } }
    let runner = try runner("feedback", app)
    await runner.submit(["opinion": "Fine", "pin": "1234"], with: "send")
    #expect(runner.snapshot.screen.id == "opinion")
    app.change { $0.handle = { _ in true } }
    await runner.submit([:], with: "try")
    #expect(runner.snapshot.screen.id == "opinion", "without a success action, yes changes nothing")
    await runner.submit([:], with: "send")
    #expect(runner.snapshot.screen.id == "thanks")
    #expect(app.calls.filter { $0.hasPrefix("handle") } == Array(repeating: #"handle {opinion: "Fine"}"#, count: 3))
    #expect(app.count("validate") == 0)
  }

  @Test("Primer-P14: a trigger follows the app's answer; an unknown one is none")
  func triggers() async throws {
    for (answer, expected) in [(true, "about"), (false, "")] {
      let app = RecordingApp { $0.trigger = { _ in answer } }
      let runner = try runner("sign-up", app)
      #expect(!runner.fireTrigger("nothing"))
      #expect(runner.fireTrigger("offer"))
      let moment = await runner.settled()
      if answer { #expect(moment.screen.id == expected) } else { #expect(moment.outcome == .dismissed) }
      #expect(app.count("handleTrigger offer") == 1)
    }
    let app = RecordingApp { $0.trigger = { _ in false } }
    let runner = try runner("feedback", app)
    await runner.submit([:], with: "ask")
    #expect(runner.snapshot.screen.id == "opinion", "a failure action that is not there is none")
  }

  @Test("Primer-P14: a trigger set off from eight threads at once is asked about once at a time")
  func triggerStorm() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.trigger = { _ in
        try await gate.pass(); return true
      }
    }
    let runner = try runner("feedback", app)
    let known = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { runner.fireTrigger("ask") } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(known == 8)
    gate.open()
    #expect(await runner.settled().screen.id == "thanks")
    #expect(app.count("handleTrigger") == 1)
  }

  @Test("Primer-P10, Primer-P11, trace 4: a provider's fields all become properties; new users sign up")
  func provider() async throws {
    for isNew in [true, false] {
      let app = RecordingApp {
        $0.provider = { _ in
          ProviderValidation(
            userID: "u3", isNewUser: isNew, properties: ["id": "42", "profile_pic": "https://graph.example/p.jpg"])
        }
      }
      let runner = try runner("sign-up", app)
      await runner.submit([:], with: "facebook")
      _ = try await runner.outcome()
      #expect(app.signedIn.first?.properties.count == 2)
      #expect(app.signedIn.first?.provider == "facebook")
      #expect(app.recorded.contains { $0.name == (isNew ? .signUp : .providerLogin) })
      #expect(!app.recorded.contains { $0.name == (isNew ? .providerLogin : .signUp) || $0.name == .login })
      #expect(app.count("willClose") == 0)
    }
    let app = RecordingApp { $0.provider = { _ in ProviderValidation(.invalid("Not you."), userID: "u3") } }
    let runner = try runner("sign-up", app)
    let moment = await runner.submit([:], with: "facebook")
    #expect(moment.screen.messages == ["Not you."])
    #expect(app.signedIn.isEmpty)
  }

  @Test("Primer-P17: a pause keeps what was entered and what is asked, and is no dismissal")
  func pause() async throws {
    let gate = Gate()
    let app = RecordingApp {
      $0.validate = { _, _ in
        try await gate.pass(); return .invalid("No.")
      }
    }
    let runner = try runner("log-in", app)
    #expect(!runner.resume())
    runner.enter("ada@example.com", in: "email")
    #expect(runner.pause())
    #expect(!runner.pause())
    #expect(runner.snapshot.phase == .paused)
    #expect(!runner.enter("other", in: "email"))
    #expect(!runner.perform("log-in"))
    #expect(runner.resume())
    #expect(runner.snapshot.screen.fields.first?.value == "ada@example.com")
    runner.enter(Self.password, in: "password")
    #expect(runner.perform("log-in"))
    #expect(runner.pause())
    gate.open()
    try await waitFor { app.count("validate") == 1 && runner.snapshot.screen.messages == ["No."] }
    #expect(runner.snapshot.phase == .paused)
    #expect(app.count("willClose") == 0)
    #expect(runner.dismiss())
    _ = try await runner.outcome()
    #expect(app.count("willClose") == 1)
  }

  @Test("Primer-P18: going to the next screen validates first")
  func next() async throws {
    let app = RecordingApp()
    let runner = try runner("sign-up", app)
    #expect(runner.goToNextScreen())
    var moment = await runner.settled()
    #expect(moment.screen.id == "account")
    #expect(moment.screen.fields.compactMap(\.issue?.code) == [.required, .required, .mustBeOn])
    #expect(moment.screen.fields.first?.message == "Please check the e-mail address.")
    #expect(app.count("validate") == 0)
    for (key, entry) in ["email": "ada@example.com", "password": Self.password, "terms": "1"] {
      runner.enter(entry, in: key)
    }
    #expect(runner.goToNextScreen())
    moment = await runner.settled()
    #expect(moment.screen.id == "about")
  }

  @Test("Primer-P25: an invalid field of an earlier screen leads back to it")
  func earlierScreen() async throws {
    let app = RecordingApp {
      $0.signUp = { _ in
        var result = ValidationResult()
        result.invalidate(field: "email", message: "Taken.")
        result.invalidate(field: "first_name", message: "Too short.")
        return .refused(result)
      }
    }
    let runner = try runner("sign-up", app)
    await runner.submit(["email": "a@b.c", "password": Self.password, "terms": "1"], with: "continue")
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
    let runner = try runner(
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
    var screen = try runner("sign-up", app, properties: ["invites": 1]).snapshot.screen
    #expect(screen.title == "Welcome, friend")
    #expect(screen.text == "You have 1 invitation.")
    screen = try runner("sign-up", app, properties: ["first_name": "Ada", "invites": 3], languages: ["de-AT"])
      .snapshot.screen
    #expect(screen.title == "Willkommen, Ada")
    #expect(screen.text == "Du hast 3 Einladungen.")
    #expect(screen.fields.first?.label == "E-mail address", "a text without translation stays as it is")
    screen = try runner("sign-up", app, languages: ["ar"]).snapshot.screen
    #expect(screen.isRightToLeft && screen.language == "ar")
    #expect(screen.text == "You have  invitations.")
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

  @Test("A screen that is required can't be skipped or left, and must be submitted before its flow")
  func required() async throws {
    var experience = try Fixtures.starter()
    experience.flows[0].screens[0].actions.append(.init(id: "jump", work: .move(.goToScreen("about"))))
    experience.flows[0].screens[0].actions.append(.init(id: "skip", work: .move(.skipScreen)))
    let runner = ExperienceRunner(experience, properties: ["email": "ada@example.com"])
    runner.present()
    #expect(!runner.skip() && !runner.perform("skip"))
    #expect(!runner.snapshot.screen.actions.contains { $0.id == "skip" })
    runner.perform("jump")
    #expect(runner.snapshot.screen.id == "about")
    #expect(runner.perform("later"), "an optional screen may be skipped, also the last")
    let moment = await runner.settled()
    #expect(moment.screen.id == "account")
    #expect(moment.screen.fields.map(\.issue?.code) == [nil, .required, .mustBeOn])
    #expect(!moment.screen.canGoBack, "leading back is no step forward")
    await runner.submit(["password": Self.password, "terms": "yes"], with: "continue")
    await runner.submit([:], with: "later")
    guard case .signedIn(let user) = try await runner.outcome() else { return #expect(Bool(false), "not signed in") }
    #expect(user.properties["email"] == "ada@example.com")
  }

  @Test("A field that repeats another must be the same")
  func matches() async throws {
    let again = Experience.Field(key: "again", kind: .newPassword, constraints: .init(matches: "password"))
    var experience = try Fixtures.starter()
    experience.flows[0].screens[0].fields.insert(again, at: 2)
    try experience.validate()
    let runner = ExperienceRunner(experience)
    runner.present()
    var entries = ["email": "a@b.c", "password": Self.password, "again": "other", "terms": "1"]
    var moment = await runner.submit(entries, with: "continue")
    #expect(moment.screen.fields.map(\.issue?.code) == [nil, nil, .mismatch, nil])
    entries["again"] = Self.password
    moment = await runner.submit(entries, with: "continue")
    #expect(moment.screen.id == "about")
  }

  @Test("Without an app everything is accepted (Primer-P2 for all functions at once)")
  func nobody() async throws {
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in")
    runner.present()
    await runner.submit(["email": "ada@example.com", "password": Self.password], with: "log-in")
    let outcome = try await runner.outcome()
    guard case .signedIn(let user) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(user.id == nil)
  }
}

/// Waits for a condition that nothing announces.
func waitFor(_ condition: @Sendable () -> Bool) async throws {
  struct WaitedInVain: Error {}
  for _ in 0..<60_000 {
    if condition() { return }
    try await Task.sleep(for: .milliseconds(2))
  }
  throw WaitedInVain()
}
