import Foundation
import OstiaryCore
import OstiaryHTML
import Testing

@testable import OstiaryExperiences

@Suite("Runner: entries", .timeLimit(.minutes(20)))
struct RunnerEntryTests {
  private func experience(_ flows: Experience.Flow...) -> Experience { Experience(id: "entries", flows: flows) }

  private func screen(
    _ id: String, _ fields: [Experience.Field], _ actions: [Experience.Action]? = nil, required: Bool = false
  ) -> Experience.Screen {
    let usual = [Experience.Action(id: "go", work: .move(.next)), Experience.Action(id: "back", work: .move(.back))]
    return Experience.Screen(id: id, fields: fields, actions: actions ?? usual, isRequired: required)
  }

  private func present(_ experience: Experience, _ app: RecordingApp) -> ExperienceRunner {
    let runner = ExperienceRunner(experience, delegate: app)
    runner.present()
    return runner
  }

  /// The pairs that a browser sends for a page whose fields were filled in.
  private func form(_ screen: ScreenSnapshot, _ entries: [String: String], _ action: String) throws
    -> [(name: String, value: String)]
  {
    var form = try #require(HTMLPage(ExperiencePage(screen, action: "/").html).forms.first)
    for index in form.fields.indices {
      guard let entry = form.fields[index].name.flatMap({ entries[$0] }) else { continue }
      if form.fields[index].type == "checkbox" {
        form.fields[index].isChecked = entry == "true"
      } else {
        form.fields[index].value = Secret(entry)
      }
    }
    let button = try #require(form.fields.firstIndex { $0.isSubmitButton && $0.value?.reveal() == action })
    return form.entries(pressing: button).map { ($0.name, $0.value) }
  }

  /// What a server does with a form that comes in.
  private func take(_ pairs: [(name: String, value: String)], _ runner: ExperienceRunner) async {
    guard let input = ExperienceInput(pairs, for: runner.snapshot.screen) else { return }
    await runner.submit(input)
  }

  @Test("Bug-G07 a form that is sent twice, or after Back, counts for its own screen only")
  func formOfAnotherScreen() async throws {
    let app = RecordingApp()
    let runner = present(
      experience(
        .init(
          id: "f", kind: .signUp,
          screens: [
            screen("one", [.init(key: "name", kind: .text)]),
            screen("two", [.init(key: "news", kind: .toggle, value: "true")]),
            screen("three", [.init(key: "note", kind: .text)]),
          ])), app)
    let first = try form(runner.snapshot.screen, ["name": "Ada"], "go")
    await take(first, runner)
    #expect(runner.snapshot.screen.id == "two")
    await take(first, runner)
    #expect(runner.snapshot.screen.id == "two", "the second click does nothing")
    #expect(runner.snapshot.screen.fields.first?.isOn == true)
    let second = try form(runner.snapshot.screen, ["news": "true"], "go")
    await take(second, runner)
    runner.goBack()
    runner.goBack()
    #expect(runner.snapshot.screen.id == "one")
    await take(first, runner)
    #expect(runner.snapshot.screen.id == "one", "this form is of an earlier showing")
    await take(try form(runner.snapshot.screen, ["name": "Ada"], "go"), runner)
    #expect(runner.snapshot.screen.id == "two")
    #expect(app.count("validate one") == 2 && app.count("validate two") == 1)
  }

  @Test("Bug-G11 fields that were handed to the app and accepted complete their screen")
  func acceptedFieldsComplete() async throws {
    let app = RecordingApp()
    let runner = present(
      experience(
        .init(
          id: "f", kind: .login,
          screens: [
            screen(
              "one", [.init(key: "name", kind: .text, isRequired: true)],
              [.init(id: "hand", work: .submitFields(nil, onSuccess: .goToScreen("two")))], required: true),
            screen("two", []),
          ])), app)
    await runner.submit(["name": "Ada"], with: "hand")
    #expect(runner.snapshot.screen.id == "two")
    await runner.submit([:], with: "go")
    #expect(runner.snapshot.outcome != nil, "it came back to \(runner.snapshot.screen.id)")
  }

  @Test("Bug-G22 a field that repeats another must have its value, not its text")
  func matchingValues() async throws {
    let fields = [
      Experience.Field(key: "email", kind: .email),
      Experience.Field(key: "again", kind: .email, constraints: .init(matches: "email")),
      Experience.Field(key: "count", kind: .number),
      Experience.Field(key: "same", kind: .number, constraints: .init(matches: "count")),
      Experience.Field(key: "pin", kind: .text, isSecure: true),
      Experience.Field(key: "repeat", kind: .text, constraints: .init(matches: "pin")),
    ]
    let document = experience(.init(id: "f", kind: .login, screens: [screen("one", fields)]))
    let entries = [
      "email": "ada@example.com", "again": " ada@example.com ", "count": "5", "same": "5.0", "pin": "12",
      "repeat": "12",
    ]
    let runner = present(document, RecordingApp())
    var moment = await runner.submit(entries, with: "go")
    #expect(moment.outcome != nil)
    #expect(moment.screen.fields.compactMap(\.issue) == [])
    #expect(try #require(document.check(entries, on: "one", of: "f")).issues == [:])
    for (key, other) in ["again": "b@example.com", "same": "6", "repeat": "13"] {
      var wrong = entries
      wrong[key] = other
      moment = await present(document, RecordingApp()).submit(wrong, with: "go")
      #expect(moment.screen.fields.filter { $0.issue != nil }.map(\.key) == [key])
      #expect(try #require(document.check(wrong, on: "one", of: "f")).issues == [key: FieldIssue(.mismatch)])
    }
    // Nothing repeats nothing.
    #expect(try #require(document.check([:], on: "one", of: "f")).issues == [:])
  }

  @Test("Bug-G23 the newest entry of a key counts on every screen of the flow")
  func newestEntry() async throws {
    let app = RecordingApp()
    let email = Experience.Field(key: "email", kind: .email, isRequired: true)
    let runner = present(
      experience(.init(id: "f", kind: .signUp, screens: [screen("one", [email]), screen("two", [email])])), app)
    await runner.submit(["email": "old@example.com"], with: "go")
    #expect(runner.snapshot.screen.fields.first?.value == "old@example.com")
    runner.enter("older@example.com", in: "email")
    runner.goBack()
    #expect(runner.snapshot.screen.fields.first?.value == "older@example.com")
    await runner.submit(["email": "new@example.com"], with: "go")
    #expect(runner.snapshot.screen.fields.first?.value == "new@example.com")
    await runner.submit([:], with: "go")
    #expect(app.calls.last { $0.hasPrefix("signUp") } == #"signUp {email: "new@example.com"}"#)
    _ = try await runner.outcome()
    #expect(app.signedIn.first?.properties == ["email": "new@example.com"])
  }

  @Test("Bug-G24 willClose has what was entered into other flows too")
  func willCloseOfAllFlows() async throws {
    let app = RecordingApp()
    let runner = try Fixtures.runner("log-in", app)
    runner.enter("ada@example.com", in: "email")
    runner.enter("pw", in: "password")
    runner.perform("forgot")
    runner.enter("ada.l@example.com", in: "email")
    runner.dismiss()
    _ = try await runner.outcome()
    #expect(app.calls.last == #"willClose {email: "ada.l@example.com", password: secret(2)}"#)
  }

  @Test("Bug-G25 a hidden field has the document's value, whatever properties the user has")
  func hiddenFields() async throws {
    let app = RecordingApp()
    let fields = [
      Experience.Field(key: "plan", kind: .hidden, value: "admin"),
      Experience.Field(key: "campaign", kind: .hidden),
    ]
    let document = experience(.init(id: "f", kind: .login, screens: [screen("one", fields)]))
    let runner = ExperienceRunner(document, properties: ["plan": "free", "campaign": "autumn"], delegate: app)
    runner.present()
    await runner.submit([:], with: "go")
    #expect(app.calls.last { $0.hasPrefix("logIn") } == #"logIn {campaign: "autumn", plan: "admin"}"#)
    let drawn = try #require(
      document.draw(screen: "one", of: "f", entries: ["plan": "free"], properties: ["plan": "free"]))
    #expect(drawn.fields.first?.value == "admin")
  }

  @Test("Bug-G12 a hidden field that repeats another keeps no person from going on, who can't change it")
  func hiddenRepetition() async throws {
    let fields = [
      Experience.Field(key: "name", kind: .text),
      Experience.Field(key: "plan", kind: .hidden, value: "admin", constraints: .init(matches: "name")),
    ]
    for work in [Experience.Action.Work.move(.next), .submitFields(nil, onSuccess: .dismiss)] {
      let document = experience(
        .init(id: "f", kind: .login, screens: [screen("one", fields, [.init(id: "go", work: work)])]))
      try document.validate()
      let app = RecordingApp()
      let moment = await present(document, app).submit(["name": "Ada"], with: "go")
      #expect(moment.outcome != nil && app.calls.contains { $0.contains(#"plan: "admin""#) }, "\(work)")
      #expect(try #require(document.check(["name": "Ada"], on: "one", of: "f")).issues == [:])
    }
  }
}
