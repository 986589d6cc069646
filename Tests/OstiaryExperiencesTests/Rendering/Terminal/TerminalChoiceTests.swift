import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Terminal: choices", .timeLimit(.minutes(20)))
struct TerminalChoiceTests {
  // MARK: G01

  @Test("Bug-G01 every action that a screen lists can be chosen at every question of it, secret or not")
  func everyAction() async throws {
    let experience = try Fixtures.starter()
    var count = 0
    for flow in experience.flows {
      for screen in flow.screens {
        let drawn = try #require(experience.draw(screen: screen.id, of: flow.id))
        let listed = drawn.actions.filter { $0.id != drawn.mainAction?.id }
        let questions = drawn.fields.count { $0.kind != .hidden }
        for (index, action) in listed.enumerated() {
          for question in 0..<questions {
            let app = RecordingApp()
            let runner = ExperienceRunner(experience, flow: flow.id, screen: screen.id, delegate: app)
            let lines = [String](repeating: "", count: question) + [":", "\(index + 1)"]
            _ = try await TerminalRenderer(ScriptedTerminal(lines)).run(runner)
            let tapped = app.recorded.first { $0.name == .actionTapped }
            #expect(tapped?.parameters["action"] == action.id, "question \(question) of \(screen.id)")
            count += 1
          }
        }
      }
    }
    #expect(count > 20)
  }

  @Test("Bug-G01 at a secret question a colon alone lists what can be chosen; every other line is the secret")
  func secrets() async throws {
    let app = RecordingApp { $0.logIn = { _ in .refused(.invalid("No.")) } }
    let (outcome, shown) = try await ScriptedTerminal.run("log-in", ["ada@example.com", ":", "x", "", ":", ":1"], app)
    #expect(outcome == .dismissed)
    #expect(
      shown.contains(
        """
        [:] Something else
        Password:\u{20}
        [1]      Forgotten?
        [2]      Not now
        [3]      E-mail address
        [Return] Back
        Please choose: x
        ! Please choose
        Please choose:\u{20}
        Password:\u{20}

        """))
    #expect(shown.contains("Set a new password"))
    #expect(app.count("logIn") == 0)
    // A secret is none the less one for beginning with a colon.
    for (line, length) in [(":1", 2), (":close", 6), ("::", 1), (":::", 2), ("::x", 3), ("x:", 2)] {
      let app = RecordingApp()
      _ = try await ScriptedTerminal.run("log-in", ["ada@example.com", line], app)
      #expect(
        app.calls.last { $0.hasPrefix("logIn") } == #"logIn {email: "ada@example.com", password: secret(\#(length))}"#)
    }
  }

  @Test("Bug-G01 below the list, where what is typed is seen, no line is the secret")
  func seen() async throws {
    for line in ["::planted-1", "::", ":::", "planted-1"] {
      let app = RecordingApp()
      let (outcome, shown) = try await ScriptedTerminal.run(
        "log-in", ["ada@example.com", ":", line, "", "planted-2"], app)
      guard case .signedIn = outcome else { return #expect(Bool(false), "\(line): \(outcome)") }
      #expect(shown.contains("Please choose: \(line)\n! Please choose\n"), "\(line)")
      #expect(app.calls.contains(#"logIn {email: "ada@example.com", password: secret(9)}"#), "\(line): \(app.calls)")
    }
  }

  @Test("Bug-G01 a refused secret can be left: for another action, and for the field that was wrong")
  func refusedSecret() async throws {
    let app = RecordingApp {
      $0.logIn = { fields in
        fields["email"] == .text("ada@example.com") ? .accepted("u1") : .refused(.invalid(field: "password"))
      }
    }
    let (outcome, shown) = try await ScriptedTerminal.run(
      "log-in", ["adda@example.com", "planted-1", ":", "3", "ada@example.com", "planted-2"], app)
    guard case .signedIn = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(shown.contains("! Please check the password.\n[:] Something else\nPassword [***]: \n"))
    #expect(shown.contains("Please choose: 3\nE-mail address [adda@example.com]: ada@example.com\n"))
    #expect(!shown.contains("planted"))
    let left = try await ScriptedTerminal.run("log-in", ["adda@example.com", "planted-1", ":", "2"], app)
    #expect(left.outcome == .skipped)
    let wide = try await ScriptedTerminal.run("log-in", ["adda@example.com", "planted-1", ":", "２"], app)
    #expect(wide.outcome == .skipped, "in the digits of any script")
  }

  @Test("Bug-G01 a choice that is not there becomes no value, and the list says so")
  func unknown() async throws {
    let app = RecordingApp()
    let (outcome, shown) = try await ScriptedTerminal.run("log-in", [":9", "", "ada@example.com", ""], app)
    #expect(outcome == .dismissed)
    #expect(shown.contains("E-mail address: :9\n! Please choose\n[1]"))
    #expect(app.calls.last == #"willClose {email: "ada@example.com"}"#)
    let value = try await ScriptedTerminal.run("feedback", [":", "::-)", "1234", ""], app)
    #expect(value.outcome == .completed(flow: "feedback"))
    #expect(app.calls.contains(#"handle {opinion: ":-)"}"#))
  }

  @Test("Bug-G01 the end of input is an end at the list too")
  func endAtList() async throws {
    #expect(try await ScriptedTerminal.run("log-in", ["ada@example.com", ":"]).outcome == .dismissed)
    #expect(try await ScriptedTerminal.run("feedback", ["Fine", "1234", ":"]).outcome == .dismissed)
    #expect(
      try await ScriptedTerminal.run("feedback", ["Fine", "1234", ":", "", ""]).outcome == .completed(flow: "feedback"))
  }

  // MARK: G28

  @Test("Bug-G28 what may be left out can be cleared, and is no property afterwards")
  func clear() async throws {
    let account = ["ada@example.com", Fixtures.password, "yes"]
    let properties: [String: JSONValue] = ["first_name": "Ada", "age": 36]
    let app = RecordingApp()
    let (outcome, shown) = try await ScriptedTerminal.run(
      "sign-up", account + [":0", "", "", "", "", ""], app, properties: properties)
    guard case .signedIn(let user) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(shown.contains("\n[:0] Clear\nFirst name (optional) [Ada]: :0\n[:0] Clear\nAge (optional) [36]: \n"))
    #expect(user.properties["first_name"] == nil && user.properties["age"] == 36)
    #expect(user.cleared == ["first_name"])
    let call = try #require(app.calls.last { $0.hasPrefix("signUp") })
    #expect(call.contains(#"first_name: """#) && call.contains("age: 36"))
    // Return keeps it.
    let kept = try await ScriptedTerminal.run("sign-up", account + ["", "", "", "", "", ""], properties: properties)
    guard case .signedIn(let other) = kept.outcome else { return #expect(Bool(false), "\(kept.outcome)") }
    #expect(other.properties["first_name"] == "Ada" && other.cleared.isEmpty)
  }

  @Test("Bug-G28 texts know nothing of what was cleared")
  func texts() async throws {
    let name = Experience.Field(key: "name", kind: .text)
    let screens = [
      Experience.Screen(id: "one", fields: [name], actions: [.init(id: "go", work: .move(.next))]),
      Experience.Screen(
        id: "two", title: .literal("Welcome, {{name|friend}}"), actions: [.init(id: "go", work: .move(.next))]),
    ]
    let experience = Experience(id: "e", flows: [.init(id: "f", kind: .custom, screens: screens)])
    let runner = ExperienceRunner(experience, properties: ["name": "Ada"], delegate: RecordingApp())
    let terminal = ScriptedTerminal([":0", ""])
    _ = try await TerminalRenderer(terminal).run(runner)
    #expect(terminal.shown.contains("Welcome, friend\n==============="))
  }

  @Test("Bug-G28 a required value and a toggle can't be cleared; a secret can, from the list")
  func others() async throws {
    let fields = [
      Experience.Field(key: "name", kind: .text, isRequired: true, inherits: .nothing, value: "Ada"),
      Experience.Field(key: "news", kind: .toggle, value: "true"),
      Experience.Field(key: "pin", kind: .text, isSecure: true),
    ]
    let experience = Experience(
      id: "e",
      flows: [
        .init(
          id: "f", kind: .login,
          screens: [.init(id: "one", fields: fields, actions: [.init(id: "go", work: .move(.submit))])])
      ])
    let isFirst = Locked(true)
    let app = RecordingApp {
      $0.validate = { _, _ in
        isFirst.withLock { first in
          defer { first = false }
          return first ? .invalid(field: "name", message: "Taken.") : .valid
        }
      }
    }
    // The name and the toggle have nothing to clear. Then the name is refused, and the list leads to the secret.
    let terminal = ScriptedTerminal([":0", "", "", "", "1234", ":", "2", ":", "0", "Bob"])
    let outcome = try await TerminalRenderer(terminal).run(ExperienceRunner(experience, delegate: app))
    guard case .signedIn = outcome else { return #expect(Bool(false), "\(outcome)\n\(terminal.shown)") }
    #expect(!terminal.shown.contains("[:0]"))
    #expect(terminal.shown.contains("[0]      Clear\n"))
    #expect(app.calls.contains(#"logIn {name: "Bob", news: true, pin: secret(0)}"#), "\(app.calls)")
  }
}
