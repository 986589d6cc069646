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

  func askSecret(_ question: some CommandMessage) async throws -> Secret {
    let text = charset.text(question.line.plain)
    return try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it has a thread of its own.
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.readSecret(text) })
      }
    }
  }

  private static func readSecret(_ prompt: String) throws -> Secret {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw OstiaryError(.interactionRequired, CommandLineMessage.noTerminal)
    }
    defer { close(descriptor) }
    let silence = SilentTerminal(descriptor, prompt: prompt)
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

  /// Asks for a line that is not shown.
  /// - Throws: ``OstiaryError`` `interactionCancelled` at the end of input.
  func askSecret(_ question: some CommandMessage) async throws -> Secret
}
