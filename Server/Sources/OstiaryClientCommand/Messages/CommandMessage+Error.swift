package import OstiaryCore

extension CommandMessage {
  /// The message as an error, which by itself is a mistake on the command line.
  /// - Parameters:
  ///   - code: what has happened, for programs.
  ///   - disposition: what it means for the next attempt.
  package func error(
    _ code: OstiaryError.Code = .invalidInput, _ disposition: OstiaryError.Disposition = .misuse
  ) -> OstiaryError {
    OstiaryError(code, line.plain, advice: advice, disposition: disposition, requestMayHaveExecuted: false)
  }

  /// The message and its advice in one text, where an argument of the command is refused.
  package var sentences: String { advice.isEmpty ? line.plain : "\(line.plain) \(advice)" }
}
