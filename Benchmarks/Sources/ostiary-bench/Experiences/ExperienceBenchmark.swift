import Foundation
import OstiaryExperiences

/// Times what the runner of experiences does for each step itself: fields are filled in, checked and drawn, screens changed.
/// What the app does meanwhile, and drawing, are not in it.
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
    let operations: [(name: String, title: String, batch: Int, bar: Bar, run: () async throws -> Void)] = [
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
        "page", "that screen as a page", 500, .none,
        { keep(ExperiencePage(steps.snapshot.screen, action: "/", style: .none).html.utf8.count) }
      ),
    ]
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
    table.show("What the runner of experiences does itself, CPU time; \(rounds) interleaved rounds", unit: "µs")
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
