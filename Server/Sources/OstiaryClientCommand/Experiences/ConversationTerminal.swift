internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences

/// The command's terminal for an experience: lines to an output, answers from a source.
///
/// A signal that ends the process is told before it does so, and leaves a terminal that shows what is typed.
final class ConversationTerminal: ExperienceTerminal {
  private let sink: any OutputSink
  private let answers: any AnswerSource
  private let shape: @Sendable () -> TerminalLayout
  /// What is said when a signal ends the process, in lines; `nil` for a source that is no terminal.
  private let lastWords: String?
  private let isOver = Locked(false)
  private let signals = Locked<EndingSignals?>(nil)

  /// - Parameters:
  ///   - layout: what lines have to fit into, now.
  ///   - lastWords: what is said when a signal ends the process, in lines.
  init(
    _ sink: any OutputSink, answers: any AnswerSource,
    layout: @escaping @Sendable () -> TerminalLayout = { TerminalLayout() }, lastWords: String? = nil
  ) {
    self.sink = sink
    self.answers = answers
    shape = layout
    self.lastWords = answers.isTerminal ? lastWords : nil
    listen()
  }

  deinit { close() }

  /// Whether the answers ended while there were still questions.
  var hasRunOut: Bool { isOver.withLock { $0 } }

  var layout: TerminalLayout { shape() }

  func show(_ text: String) async throws {
    try sink.write(Data(text.utf8))
  }

  func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
    // The source listens by itself while the terminal does not show what is typed: it has to be restored first.
    if prompt.isSecret { close() }
    defer { if prompt.isSecret { listen() } }
    let answer = try await answers.ask(
      prompt.text, isSecret: prompt.isSecret, on: sink, lastWords: lastWords ?? "")
    if answer == nil { isOver.withLock { $0 = true } }
    return answer
  }

  /// Gives signals their usual meaning back.
  func close() {
    signals.withLock { signals in
      signals?.release()
      signals = nil
    }
  }

  private func listen() {
    guard let lastWords else { return }
    signals.withLock { [sink] signals in
      signals = EndingSignals { try? sink.write(Data("\n\(lastWords)".utf8)) }
    }
  }
}
