import Foundation
import OstiaryExperiences

/// Times what the runner of experiences does for each step itself: fields are filled in, checked and drawn, screens
/// changed. What the app does meanwhile, and drawing, are not in it. Then a screen as a page and on a terminal, and the
/// largest patterns.
enum ExperienceBenchmark {
  private static let rounds = 30
  private static let notWhatWasMeant = BenchmarkError(message: "What is measured is not what was meant.")

  static func run() async throws {
    let experience = try Experience(json: Data(document.utf8))
    let right = ["email": "ada@example.com", "password": "correct horse battery staple", "terms": "true"]
    let wrong = ["email": "ada@", "password": "short", "terms": "false"]
    let (steps, refusals) = (
      ExperienceRunner(experience, flow: "join", delegate: App()),
      ExperienceRunner(experience, flow: "join", delegate: App())
    )
    guard steps.present(), refusals.present() else { throw notWhatWasMeant }
    let (wide, narrow) = (String(repeating: "文", count: 4_096), String(repeating: "a", count: 4_096))
    var operations: [(name: String, title: String, batch: Int, bar: Bar, run: () async throws -> Void)] = [
      (
        "check", "raw: check the three entries of a screen", 500, .none,
        {
          guard experience.check(right, on: "account", of: "join")?.issues.isEmpty == true else {
            throw notWhatWasMeant
          }
        }
      ),
      (
        "refused", "a step: three fields filled in wrongly, their messages drawn", 500, .atMost(50),
        {
          let moment = await refusals.submit(wrong, with: "continue")
          guard moment.screen.fields.allSatisfy({ $0.message != nil }) else { throw notWhatWasMeant }
        }
      ),
      (
        "step", "two steps: three fields filled in, the app asked, the next screen; and back", 500, .atMost(100),
        {
          guard await steps.submit(right, with: "continue").screen.id == "about", steps.goBack() else {
            throw notWhatWasMeant
          }
        }
      ),
      (
        "draw", "a screen drawn without a runner", 500, .none,
        {
          guard let screen = experience.draw(screen: "account", of: "join") else { throw notWhatWasMeant }
          keep(screen.fields.count)
        }
      ),
      (
        "ways", "the same of a changed document, whose ways are looked for", 500, .none,
        {
          var changed = experience
          changed.flows[0].onSuccess = nil
          guard let screen = changed.draw(screen: "account", of: "join") else { throw notWhatWasMeant }
          keep(screen.fields.count)
        }
      ),
      (
        "page", "a screen with everything refused, as a page", 500, .atMost(1_000),
        { keep(ExperiencePage(refusals.snapshot.screen, action: "/").html.utf8.count) }
      ),
      ("width", "4,096 wide characters measured for a terminal", 10, .none, { keep(TerminalColumns.of(wide)) }),
    ]
    // Each is the largest of its form that is allowed, and has to look at every character.
    for (name, form) in Self.patterns {
      let pattern = try Self.largest(form)
      operations.append(
        (
          "pattern-\(name)", "4,096 characters matched: \(name)", 10, .atMost(1_000),
          { keep(pattern.matches(narrow) ? 1 : 0) }
        ))
    }
    var samples: [[Double]] = operations.map { _ in [] }
    for round in 0..<rounds + 2 {
      for (index, operation) in operations.enumerated() {
        let start = Operation.cpuNanoseconds()
        for _ in 0..<operation.batch { try await operation.run() }
        let perRun = Double(Operation.cpuNanoseconds() - start) / Double(operation.batch) / 1_000
        if round > 1 { samples[index].append(perRun) }
      }
    }
    var table = Table()
    for (operation, times) in zip(operations, samples) {
      table.add(operation.name, operation.title, times, operation.bar)
    }
    let heading = "What the runner of experiences does itself, CPU time; \(rounds) interleaved rounds"
    guard table.show(heading, unit: "µs") else { throw BenchmarkError(message: "A bar was missed.") }
  }

  /// Patterns by how large a part is that is repeated.
  private static let patterns: [(String, @Sendable (Int) -> String)] = [
    ("one after the other", { "(?:[a-z]{1,\($0)})*" }),
    ("each optional", { "(?:(?:[a-z]?){\($0)})*" }),
    ("every second optional", { "(?:(?:[a-z][a-z]?){\($0)})*" }),
  ]

  private static func largest(_ form: (Int) -> String) throws -> Pattern {
    var largest: Pattern?
    var count = 1
    while let pattern = Pattern(form(count)) {
      largest = pattern
      count += 1
    }
    guard let largest else { throw notWhatWasMeant }
    return largest
  }

  /// Accepts everything at once.
  private final class App: ExperienceDelegate {
  }

  private static let document = """
    {"format": 1, "id": "bench", "version": 1, "language": "en",
     "texts": {"en": {"welcome": "Welcome, {{first_name|friend}}"}},
     "flows": [{"id": "join", "kind": "signUp", "screens": [
       {"id": "account", "title": {"key": "welcome"}, "fields": [
         {"key": "email", "kind": "email", "label": "E-mail address", "required": true},
         {"key": "password", "kind": "newPassword", "label": "Password", "required": true,
          "constraints": {"minLength": 15}},
         {"key": "terms", "kind": "toggle", "label": "I agree", "required": true}],
        "actions": [{"id": "continue", "kind": "next"}]},
       {"id": "about", "title": "About you", "fields": [
         {"key": "first_name", "kind": "text", "label": "First name"},
         {"key": "age", "kind": "number", "label": "Age", "constraints": {"min": 16}}],
        "actions": [{"id": "finish", "kind": "submit"}, {"id": "back", "kind": "back"}]}]}]}
    """
}
