import OstiaryCore

@testable import OstiaryExperiences

/// A terminal whose user answers from a list: by field where a field is asked for, else in order.
final class ScriptedTerminal: ExperienceTerminal {
  private struct State: Sendable {
    var lines: [String]
    var shown = ""
  }

  private let state: Locked<State>

  init(_ lines: [String]) {
    state = Locked(State(lines: lines))
  }

  /// Everything that was to be seen, secrets as a terminal without echo leaves them.
  var shown: String { state.withLock { $0.shown } }

  func show(_ text: String) async throws { state.withLock { $0.shown += text } }

  func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
    state.withLock { state in
      state.shown += prompt.text
      guard !state.lines.isEmpty else { return nil }
      let line = state.lines.removeFirst()
      state.shown += (prompt.isSecret ? "" : line) + "\n"
      return Secret(line)
    }
  }
}
