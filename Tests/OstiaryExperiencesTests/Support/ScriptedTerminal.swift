import OstiaryCore

@testable import OstiaryExperiences

/// A terminal whose user answers from a list: by field where a field is asked for, else in order.
final class ScriptedTerminal: ExperienceTerminal {
  private struct State: Sendable {
    var lines: [String]
    var shown = ""
    var prompts: [String] = []
    var blocks: [String] = []
  }

  private let state: Locked<State>
  let layout: TerminalLayout

  init(_ lines: [String], layout: TerminalLayout = TerminalLayout()) {
    self.layout = layout
    state = Locked(State(lines: lines))
  }

  /// Goes through a flow of the starter document with these lines.
  /// - Returns: How it ended, and everything that was to be seen.
  static func run(
    _ flow: String, _ lines: [String], _ app: RecordingApp = RecordingApp(), properties: [String: JSONValue] = [:],
    languages: [String] = []
  ) async throws -> (outcome: ExperienceOutcome, shown: String) {
    let terminal = ScriptedTerminal(lines)
    let runner = ExperienceRunner(
      try Fixtures.starter(), flow: flow, languages: languages, properties: properties, delegate: app)
    return (try await TerminalRenderer(terminal).run(runner), terminal.shown)
  }

  /// Everything that was to be seen, secrets as a terminal without echo leaves them.
  var shown: String { state.withLock { $0.shown } }

  /// The questions, without what was typed.
  var prompts: [String] { state.withLock { $0.prompts } }
  /// What was shown between them.
  var blocks: [String] { state.withLock { $0.blocks } }

  func show(_ text: String) async throws {
    state.withLock { state in
      state.shown += text
      state.blocks.append(text)
    }
  }

  func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
    state.withLock { state in
      state.shown += prompt.text
      state.prompts.append(prompt.text)
      guard !state.lines.isEmpty else { return nil }
      let line = state.lines.removeFirst()
      state.shown += (prompt.isSecret ? "" : line) + "\n"
      return Secret(line)
    }
  }
}
