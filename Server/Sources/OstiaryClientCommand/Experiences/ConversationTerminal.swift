internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences

/// The command's terminal for an experience: lines to an output, answers from a source.
final class ConversationTerminal: ExperienceTerminal {
  private let sink: any OutputSink
  private let answers: any AnswerSource
  private let isOver = Locked(false)

  init(_ sink: any OutputSink, answers: any AnswerSource) {
    self.sink = sink
    self.answers = answers
  }

  /// Whether the answers ended while there were still questions.
  var hasRunOut: Bool { isOver.withLock { $0 } }

  func show(_ text: String) async throws {
    try sink.write(Data(text.utf8))
  }

  func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
    let answer = try await answers.ask(prompt.text, isSecret: prompt.isSecret, on: sink)
    if answer == nil { isOver.withLock { $0 = true } }
    return answer
  }
}
