internal import Dispatch
internal import Foundation
package import OstiaryCore

/// The terminal from which the process was started, independent of its standard input and output.
struct ControllingTerminal: Terminal {
  private static let path = "/dev/tty"
  /// The terminal's characters.
  let charset: LocaleCharset

  var isAvailable: Bool {
    let descriptor = open(Self.path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  func ask(_ question: some CommandMessage, isSecret: Bool) async throws -> Secret {
    let line = question.line.written(in: charset)
    return try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it has a thread of its own.
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.read(line, isSecret: isSecret) })
      }
    }
  }

  private static func read(_ question: Line, isSecret: Bool) throws -> Secret {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw OstiaryError(.interactionRequired, CommandLineMessage.noTerminal)
    }
    defer { close(descriptor) }
    let prompt = question.question(fitting: DescriptorSink(descriptor).columns)
    let silence = isSecret ? SilentTerminal(descriptor, prompt: prompt) : nil
    // The echo is turned on again at every exit: a line, the end of input, an error, a signal.
    defer { silence?.end() }
    SilentTerminal.send(prompt, to: descriptor)
    guard let line = try LineInput(descriptor).readLine() else {
      throw OstiaryError(.interactionCancelled, CommandLineMessage.nothingEntered)
    }
    return line
  }
}

/// A terminal with a person who can be asked.
package protocol Terminal: Sendable {
  /// Whether there is one.
  var isAvailable: Bool { get }

  /// Asks for a line.
  /// - Parameter isSecret: whether it is not shown as it is typed.
  /// - Throws: ``OstiaryError`` `interactionCancelled` at the end of input.
  func ask(_ question: some CommandMessage, isSecret: Bool) async throws -> Secret
}

extension Terminal {
  /// Asks for a line that is not shown.
  package func askSecret(_ question: some CommandMessage) async throws -> Secret {
    try await ask(question, isSecret: true)
  }

  /// Asks whether to go on: `y` does.
  func agrees(to question: some CommandMessage) async throws -> Bool {
    try await ask(question, isSecret: false).reveal().trimmingCharacters(in: .whitespaces).lowercased() == "y"
  }
}
