internal import Foundation
package import OstiaryCore

/// Where the answers in a conversation come from.
///
/// It must show nothing of a secret answer; it must never take more of the input than the line it was asked for.
package protocol AnswerSource: Sendable {
  /// Whether somebody types them.
  var isTerminal: Bool { get }

  /// Shows a question and waits for a line.
  /// - Parameter sink: where questions are shown.
  /// - Returns: `nil` at the end of input.
  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink) async throws -> Secret?
}

/// Answers that are lines of a descriptor: of a terminal, on which secrets are not shown as they are typed, or of a pipe or
/// file, out of which secrets come like the rest.
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
    try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it gets a thread of its own.
      Thread.detachNewThread {
        continuation.resume(with: Result { try read(question, isSecret: isSecret, sink) })
      }
    }
  }

  private func read(_ question: String, isSecret: Bool, _ sink: any OutputSink) throws -> Secret? {
    let silence = isSecret && isTerminal ? SilentTerminal(descriptor, prompt: question) : nil
    // Echo comes back on every way out: a line, the end of input, an error, a signal.
    defer { silence?.end() }
    try sink.write(Data(question.utf8))
    let line = try LineInput(descriptor).readLine()
    // Where nobody typed a Return, the next line would stand beside the question.
    if !isTerminal || (line == nil && silence == nil) { try sink.write(Data("\n".utf8)) }
    return line
  }
}
