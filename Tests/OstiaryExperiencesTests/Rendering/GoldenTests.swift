import Foundation
import OstiaryCore
import OstiaryHTML
import Testing

@testable import OstiaryExperiences

/// One document and one script of answers, several ways: the app is asked the same, and the user is told the same.
@Suite("Golden", .timeLimit(.minutes(20)))
struct GoldenTests {
  private struct Script: Decodable {
    struct Step: Decodable {
      let action: String
      let entries: [String: String]
      /// The same on a terminal, which asks only for what it needs.
      let lines: [String]
    }
    let flow: String
    let steps: [Step]
  }

  /// An app with one user and one opinion.
  private static func app() -> RecordingApp {
    RecordingApp {
      $0.validate = { fields, _ in
        fields["email"] == .text("taken@example.com")
          ? .invalid(field: "email", message: "This address is taken.") : .valid
      }
      $0.signUp = { fields in
        fields["password"] == .secret("correct horse battery")
          ? .refused(.invalid(field: "password", message: "This password is too common.")) : .accepted("u2")
      }
      $0.logIn = { fields in
        fields["password"] == .secret("right")
          ? .accepted("u1") : .refused(.invalid("The e-mail address or the password is wrong."))
      }
    }
  }

  private static func script(_ name: String) throws -> Script {
    try JSONDecoder().decode(Script.self, from: Fixtures.data("golden/\(name).json"))
  }

  private static func expected(_ name: String) throws -> [String] {
    String(decoding: try Fixtures.data("golden/\(name).txt"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func messages(_ screen: ScreenSnapshot) -> [String] {
    (screen.messages + screen.fields.compactMap(\.message)).map { "! \($0)" }
  }

  @Test("The runner alone", arguments: ["sign-up", "log-in"])
  func runner(name: String) async throws {
    let (script, app) = (try Self.script(name), Self.app())
    let runner = ExperienceRunner(try Fixtures.starter(), flow: script.flow, delegate: app)
    runner.present()
    var told: [String] = []
    for step in script.steps {
      let moment = await runner.submit(step.entries, with: step.action)
      if moment.outcome == nil { told += messages(moment.screen) }
    }
    _ = try await runner.outcome()
    #expect(app.calls + told == (try Self.expected(name)))
  }

  @Test("A terminal", arguments: ["sign-up", "log-in"])
  func terminal(name: String) async throws {
    let (script, app) = (try Self.script(name), Self.app())
    let terminal = ScriptedTerminal(script.steps.flatMap(\.lines))
    let runner = ExperienceRunner(try Fixtures.starter(), flow: script.flow, delegate: app)
    _ = try await TerminalRenderer(terminal).run(runner)
    let told = terminal.shown.split(separator: "\n").filter { $0.hasPrefix("! ") }.map(String.init)
    #expect(app.calls + told == (try Self.expected(name)))
  }

  @Test("A page that is parsed, filled in and sent as a browser does", arguments: ["sign-up", "log-in"])
  func page(name: String) async throws {
    let (script, app) = (try Self.script(name), Self.app())
    let runner = ExperienceRunner(try Fixtures.starter(), flow: script.flow, delegate: app)
    runner.present()
    var told: [String] = []
    for step in script.steps {
      let moment = await runner.settled()
      let html = ExperiencePage(moment.screen, action: "/step").html
      told += Self.messages(html)
      let pairs = try Self.submit(html, step)
      let input = try #require(ExperienceInput(pairs, for: moment.screen))
      #expect(input.action == step.action)
      await runner.submit(input)
    }
    _ = try await runner.outcome()
    #expect(app.calls + told == (try Self.expected(name)))
  }

  /// What a page says is wrong: at the top without a link, or beside a field.
  private static func messages(_ html: String) -> [String] {
    html.components(separatedBy: "\n").compactMap { line in
      if line.hasPrefix("<li>"), !line.hasPrefix("<li><a") { return "! " + line.dropFirst(4).dropLast(5) }
      guard line.hasPrefix("<p class=\"message\""), let start = line.firstIndex(of: ">") else { return nil }
      return "! " + line[line.index(after: start)...].dropLast(4)
    }
  }

  private static func submit(_ html: String, _ step: Script.Step) throws -> [(name: String, value: String)] {
    var form = try #require(HTMLPage(html).forms.first)
    for index in form.fields.indices {
      guard let name = form.fields[index].name, let entry = step.entries[name] else { continue }
      switch (form.fields[index].element, form.fields[index].type) {
      case ("input", "checkbox"): form.fields[index].isChecked = entry == "true"
      case ("select", _):
        for option in form.fields[index].options.indices {
          form.fields[index].options[option].isSelected = form.fields[index].options[option].value == entry
        }
      default: form.fields[index].value = Secret(entry)
      }
    }
    let button = try #require(
      form.fields.firstIndex { $0.isSubmitButton && $0.value?.reveal() == step.action })
    return form.entries(pressing: button).map { ($0.name, $0.value) }
  }
}
