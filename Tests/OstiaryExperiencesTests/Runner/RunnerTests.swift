import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryExperiences

@Suite("Runner", .timeLimit(.minutes(20)))
struct RunnerTests {
  @Test("Primer-P4, trace 1: a one-screen log-in calls in the documented order and never willClose")
  func login() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner("log-in", app)
    await runner.submit(["email": "ada@example.com", "password": Fixtures.password], with: "log-in")
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
    let runner = try Fixtures.runner("sign-up", app)
    var moment = await runner.submit(
      ["email": "bad@example.com", "password": Fixtures.password, "terms": "true"], with: "continue")
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

  @Test("Primer-P13: handed-over fields go on when the app says so, and only then")
  func submitFields() async throws {
    let app = RecordingApp { $0.handle = { _ in false } }
    let runner = try Fixtures.runner("feedback", app)
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
      let runner = try Fixtures.runner("sign-up", app)
      #expect(!runner.fireTrigger("nothing"))
      #expect(runner.fireTrigger("offer"))
      let moment = await runner.settled()
      if answer { #expect(moment.screen.id == expected) } else { #expect(moment.outcome == .dismissed) }
      #expect(app.count("handleTrigger offer") == 1)
    }
    let app = RecordingApp { $0.trigger = { _ in false } }
    let runner = try Fixtures.runner("feedback", app)
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
    let runner = try Fixtures.runner("feedback", app)
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
      let runner = try Fixtures.runner("sign-up", app)
      await runner.submit([:], with: "facebook")
      _ = try await runner.outcome()
      #expect(app.signedIn.first?.properties.count == 2)
      #expect(app.signedIn.first?.provider == "facebook")
      #expect(app.recorded.contains { $0.name == (isNew ? .signUp : .providerLogin) })
      #expect(!app.recorded.contains { $0.name == (isNew ? .providerLogin : .signUp) || $0.name == .login })
      #expect(app.count("willClose") == 0)
    }
    let app = RecordingApp { $0.provider = { _ in ProviderValidation(.invalid("Not you."), userID: "u3") } }
    let runner = try Fixtures.runner("sign-up", app)
    let moment = await runner.submit([:], with: "facebook")
    #expect(moment.screen.messages == ["Not you."])
    #expect(app.signedIn.isEmpty)
  }

  @Test("Primer-P18: going to the next screen validates first")
  func next() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner("sign-up", app)
    #expect(runner.goToNextScreen())
    var moment = await runner.settled()
    #expect(moment.screen.id == "account")
    #expect(moment.screen.fields.compactMap(\.issue?.code) == [.required, .required, .mustBeOn])
    #expect(moment.screen.fields.first?.message == "Please check the e-mail address.")
    #expect(app.count("validate") == 0)
    for (key, entry) in ["email": "ada@example.com", "password": Fixtures.password, "terms": "1"] {
      runner.enter(entry, in: key)
    }
    #expect(runner.goToNextScreen())
    moment = await runner.settled()
    #expect(moment.screen.id == "about")
  }

  @Test("A screen that is required can't be skipped or left, and must be submitted before its flow")
  func required() async throws {
    var experience = try Fixtures.starter()
    experience.flows[0].screens[0].actions.append(.init(id: "jump", work: .move(.goToScreen("about"))))
    experience.flows[0].screens[0].actions.append(.init(id: "skip", work: .move(.skipScreen)))
    let runner = ExperienceRunner(
      experience, properties: ["email": "ada@example.com"], delegate: RecordingApp())
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
    await runner.submit(["password": Fixtures.password, "terms": "yes"], with: "continue")
    await runner.submit([:], with: "later")
    guard case .signedIn(let user) = try await runner.outcome() else { return #expect(Bool(false), "not signed in") }
    #expect(user.properties["email"] == "ada@example.com")
  }
}
