internal import Foundation
package import OstiaryCore

/// The source of the answers in a conversation.
/// It must never show a secret answer, and must never read more of the input than the line it was asked for.
package protocol AnswerSource: Sendable {
  /// Whether a person types them.
  var isTerminal: Bool { get }

  /// Shows a question and waits for a line.
  /// - Parameter sink: shows the question.
  /// - Returns: `nil` at the end of input.
  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink) async throws -> Secret?

  /// The same, with what a terminal shows when a signal ends the process at a secret question.
  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink, lastWords: String) async throws -> Secret?
}

extension AnswerSource {
  package func ask(
    _ question: String, isSecret: Bool, on sink: any OutputSink, lastWords: String
  ) async throws -> Secret? {
    try await ask(question, isSecret: isSecret, on: sink)
  }
}

/// Answers that are lines of a descriptor: of a terminal, which does not show secrets as they are typed, or of a pipe
/// or file, from which secrets are read like other answers.
struct DescriptorAnswers: AnswerSource {
  private let descriptor: Int32
  let isTerminal: Bool

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// The process's standard input.
  static var standardInput: DescriptorAnswers { DescriptorAnswers(STDIN_FILENO) }

  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink) async throws -> Secret? {
    try await ask(question, isSecret: isSecret, on: sink, lastWords: "")
  }

  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink, lastWords: String) async throws -> Secret? {
    try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it has a thread of its own.
      Thread.detachNewThread {
        continuation.resume(with: Result { try read(question, isSecret: isSecret, sink, lastWords) })
      }
    }
  }

  private func read(
    _ question: String, isSecret: Bool, _ sink: any OutputSink, _ lastWords: String
  ) throws -> Secret? {
    let silence =
      isSecret && isTerminal ? SilentTerminal(descriptor, prompt: question, lastWords: lastWords) : nil
    // The echo is turned on again at every exit: a line, the end of input, an error, a signal.
    defer { silence?.end() }
    try sink.write(Data(question.utf8))
    let line = try LineInput(descriptor).readLine()
    // Without a typed Return, the next line would stand beside the question.
    if !isTerminal || (line == nil && silence == nil) { try sink.write(Data("\n".utf8)) }
    return line
  }
}
