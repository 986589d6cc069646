internal import OstiaryCore

/// Runs an experience on a terminal, line by line, so that it also works when its input and output are pipes.
///
/// Fields are asked for one after the other; a line left empty keeps what stands in brackets, and `:0` clears what may
/// be left out. A colon and a number chooses another action at any open question (`::` begins a value with a colon). A
/// colon alone lists what can be chosen, at secret questions too, where every other line is the secret. What is wrong
/// stands above the question that is asked again. The end of input closes the experience.
///
/// Lines fit into the terminal's ``ExperienceTerminal/layout``.
public struct TerminalRenderer: ExperienceRenderer {
  private let terminal: any ExperienceTerminal

  /// Makes a renderer for a terminal.
  public init(_ terminal: any ExperienceTerminal) {
    self.terminal = terminal
  }

  public func run(_ runner: ExperienceRunner) async throws -> ExperienceOutcome {
    runner.present()
    var shown: ShownScreen?
    while true {
      let moment = await runner.settled()
      try Task.checkCancellation()
      if moment.outcome != nil { return try await runner.outcome() }
      if case .paused = moment.phase {
        try await waitForResumption(of: runner)
        continue
      }
      let screen = moment.screen
      let current = ShownScreen(flow: moment.flow, screen: screen.id)
      var questions = TerminalQuestions(screen, runner, terminal)
      if shown != current { try await questions.show() }
      // After a refusal, only what was refused is asked again.
      let isRepeated = shown == current && screen.firstInvalidField != nil
      shown = current
      switch try await questions.ask(onlyRefused: isRepeated) {
      case .action(let id): try await perform(id, runner, screen)
      case .end: runner.dismiss()
      }
    }
  }

  private struct ShownScreen: Equatable {
    let flow: String
    let screen: String
  }

  private func waitForResumption(of runner: ExperienceRunner) async throws {
    for await moment in runner.snapshots() {
      if case .paused = moment.phase { continue }
      return
    }
    try Task.checkCancellation()
  }

  private func perform(_ action: String, _ runner: ExperienceRunner, _ screen: ScreenSnapshot) async throws {
    guard runner.performing(action, drawnIn: screen.turn)?.isWaiting == true else { return }
    let writer = TerminalWriter(terminal.layout, isRightToLeft: screen.isRightToLeft)
    try await terminal.show(writer.text(TerminalWriter.plain(screen.words.waiting)))
  }
}
