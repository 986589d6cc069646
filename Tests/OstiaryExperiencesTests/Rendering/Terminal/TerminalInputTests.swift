import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Terminal: what is typed", .timeLimit(.minutes(20)))
struct TerminalInputTests {
  /// Answers the one question of a log-in, and says what was shown and what the app was asked.
  private static func answer(
    _ field: Experience.Field, _ line: String, language: String = "en"
  ) async throws -> (shown: String, calls: [String]) {
    let screen = Experience.Screen(id: "s", fields: [field], actions: [.init(id: "go", work: .move(.submit))])
    let experience = Experience(
      id: "e", language: language, flows: [.init(id: "f", kind: .login, screens: [screen])])
    let (app, terminal) = (RecordingApp(), ScriptedTerminal([line]))
    _ = try await TerminalRenderer(terminal).run(ExperienceRunner(experience, delegate: app))
    return (terminal.shown, app.calls.filter { $0.hasPrefix("logIn") })
  }

  /// The value of an option is the number of another one.
  private static let choice = Experience.Field(
    key: "answer", kind: .choice, isRequired: true,
    options: [.init("0", label: "No"), .init("1", label: "Yes"), .init("2", label: "Perhaps")])

  @Test(
    "Bug-G01 the number that stands before an option chooses it, also where it is the value of another option",
    arguments: [("1", "0"), ("2", "1"), ("3", "2"), ("No", "0"), ("Yes", "1"), ("0", "0")])
  func number(line: String, value: String) async throws {
    let (shown, calls) = try await Self.answer(Self.choice, line)
    #expect(shown.contains("  1) No\n  2) Yes\n  3) Perhaps\n"))
    #expect(calls == ["logIn {answer: \"\(value)\"}"])
  }

  @Test(
    "Bug-G20 an option's number has digits of any script or width, and spaces around an answer are nothing",
    arguments: [("２", "1"), ("٢", "1"), ("२ ", "1"), (" Yes ", "1"), ("3\u{3000}", "2"), ("\u{200F}1", "0")])
  func digits(line: String, value: String) async throws {
    #expect(try await Self.answer(Self.choice, line).calls == ["logIn {answer: \"\(value)\"}"])
  }

  @Test(
    "Bug-G01 a number that no option has is asked for again, the least and the greatest too",
    arguments: ["4", "-1", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "ye", " "])
  func noNumber(line: String) async throws {
    let (shown, calls) = try await Self.answer(Self.choice, line)
    #expect(shown.contains("! Please choose: No, Yes, Perhaps\n") && calls == [])
  }

  @Test(
    "Bug-G20 yes and no are taken in large letters of the language, with wide letters, and with spaces around them",
    arguments: [
      ("EVET", true), ("evet ", true), ("HAYIR", false), ("Hayır", false), ("１", true), ("ｎ", false), (" y", true),
      ("NO", false),
    ])
  func toggle(line: String, isOn: Bool) async throws {
    let field = Experience.Field(key: "news", kind: .toggle, value: isOn ? "false" : "true")
    let (shown, calls) = try await Self.answer(field, line, language: "tr")
    #expect(calls == ["logIn {news: \(isOn)}"], "\(shown)")
  }

  @Test("Bug-G20 an action's number has digits of any script or width, and spaces around it are nothing")
  func actions() async throws {
    for line in [":２", ":٢", ": 2 "] {
      #expect(try await ScriptedTerminal.run("log-in", [line]).outcome == .skipped, "\(line)")
    }
    for line in ["２", "٢", " 2", ":２"] {
      #expect(try await ScriptedTerminal.run("log-in", ["ada@example.com", ":", line]).outcome == .skipped, "\(line)")
    }
  }

  // MARK: What would steer the terminal

  /// Clears the screen, colours text, reorders a line, writes over it and rings.
  private static let evil = "\u{1B}[2Ja\u{9B}31mb\u{202E}c\rd\u{7}\u{2067}e\u{0}f\u{85}"

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// A document in which every text there is would steer the terminal, those that replace Ostiary's own too.
  private static func document() throws -> Experience {
    let names = try #require(BuiltInTexts.table("en")).keys
    let own = Dictionary(uniqueKeysWithValues: names.map { (BuiltInTexts.key($0), Experience.TextForms.one(evil)) })
    let text = Experience.Text.literal(evil)
    let fields: [Experience.Field] = [
      .init(key: "name", kind: .text, label: text, placeholder: text, help: text, error: text),
      .init(
        key: "plan", kind: .choice, label: text, value: "b",
        options: [.init("a", label: text), .init("b", label: text)]),
      .init(key: "news", kind: .toggle, label: text, help: text),
      .init(key: "pin", kind: .password, label: text, help: text, isRequired: true),
    ]
    let actions: [Experience.Action] = [
      .init(id: "go", label: text, work: .move(.submit)),
      .init(id: "skip", label: text, style: .link, work: .move(.skip)),
      .init(id: "close", work: .move(.dismiss)),
    ]
    let screens: [Experience.Screen] = [
      .init(id: "one", title: text, text: text, actions: [.init(id: "next", work: .move(.next))]),
      .init(id: "two", title: text, text: text, fields: fields, actions: actions),
    ]
    return Experience(
      id: "e", language: "en", texts: ["en": own], flows: [.init(id: "f", kind: .login, screens: screens)])
  }

  @Test("No text of a document, of the app or of a user can steer the terminal, words in place of Ostiary's included")
  func steering() async throws {
    let app = RecordingApp {
      $0.logIn = { _ in
        var result = ValidationResult.invalid(Self.evil)
        result.invalidate(field: "name", message: Self.evil)
        return .refused(result)
      }
    }
    let terminal = ScriptedTerminal([
      Self.evil, "", Self.evil, "9", "1", "perhaps", "", ":", "9", "", "secret", ":9", Self.evil, "::" + Self.evil,
    ])
    let runner = ExperienceRunner(try Self.document(), properties: ["name": .string(Self.evil)], delegate: app)
    _ = try await TerminalRenderer(terminal).run(runner)
    #expect(app.count("logIn") == 2)
    #expect(terminal.prompts.count > 12)
    for shown in terminal.prompts + terminal.blocks {
      #expect(!shown.unicodeScalars.contains(where: Self.steers), "\(shown.debugDescription)")
    }
  }

  @Test("A terminal of no columns, or of fewer than none, gets lines all the same", arguments: [0, -1, 1, 11])
  func narrow(columns: Int) async throws {
    let terminal = ScriptedTerminal(["ada@example.com", ":", ""], layout: TerminalLayout(columns: columns))
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in", delegate: RecordingApp())
    #expect(try await TerminalRenderer(terminal).run(runner) == .dismissed)
    #expect(terminal.shown.contains("Log in\n"))
  }
}
