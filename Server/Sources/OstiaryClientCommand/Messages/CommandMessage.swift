package import ArgumentParser
package import HTTPTypes
package import OstiaryCore
internal import OstiaryPrivateFiles

/// A text that the command shows a person. Every such text is a case of a type of its topic in this folder, so that a test can read
/// all of them, and so that no other place needs words of its own.
package protocol CommandMessage: Sendable {
  /// What is said: what happened, or what is asked.
  var line: Line { get }
  /// What to type or do next; empty if there is nothing.
  var advice: String { get }
  /// At least one example of each case, with values as a server or a person would give them.
  static var examples: [Self] { get }
  /// Whether its lines are whole sentences, and not parts of a table.
  static var isSentences: Bool { get }
}

extension CommandMessage {
  package var advice: String { "" }
  package static var isSentences: Bool { true }

  /// What is said and what to do next, as a person reads it.
  package var whole: Line { advice.isEmpty ? line : line + " " + Line(advice) }
}

extension OstiaryError {
  /// An error that the command has found itself.
  package init(
    _ code: Code, _ message: some CommandMessage, disposition: Disposition? = nil, request: HTTPRequest? = nil,
    requestMayHaveExecuted: Bool? = nil
  ) {
    self.init(
      code, message.line.plain, advice: message.advice, disposition: disposition, request: request,
      requestMayHaveExecuted: requestMayHaveExecuted ?? (request != nil))
  }

  /// A mistake on the command line.
  package static func usage(_ message: some CommandMessage) -> OstiaryError { OstiaryError(.invalidInput, message) }

  /// A file that can't be used.
  package static func file(_ message: some CommandMessage) -> OstiaryError {
    OstiaryError(.fileFailed, message, disposition: .misuse)
  }
}

extension ValidationError {
  /// Options that do not go together, or that have no meaning.
  package init(_ message: some CommandMessage) { self.init(message.whole.plain) }
}
