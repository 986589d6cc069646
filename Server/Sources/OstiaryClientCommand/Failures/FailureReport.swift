internal import OstiaryCore

/// A failure of another module that defines its own report.
package protocol ReportedFailure: Error {
  /// The report of the failure.
  var failureReport: FailureReport { get }
}

/// A failure as it is shown: one sentence on what happened, one on what to do.
package struct FailureReport: Sendable, Encodable {
  let code: String
  package let message: String
  let advice: String
  let host: String?
  let retryAfterSeconds: Double?
  let exitCode: Int32

  init(_ error: OstiaryError) {
    code = error.code.rawValue
    message = error.message
    advice = error.commandAdvice
    host = error.host
    retryAfterSeconds = error.retryAfter.map { Double($0.components.seconds) }
    exitCode = ExitStatus(error).rawValue
  }

  /// A failure with no error of the SDK behind it.
  package init(code: String, _ message: some CommandMessage, status: ExitStatus) {
    self.init(code: code, message: message.line.plain, advice: message.advice, status: status)
  }

  /// A failure of another module, in its own words.
  package init(code: String, message: String, advice: String, status: ExitStatus) {
    self.code = code
    self.message = message
    self.advice = advice
    host = nil
    retryAfterSeconds = nil
    exitCode = status.rawValue
  }

  /// A failure of a known type, or `nil`.
  package init?(describing error: any Error) {
    switch error {
    case let error as OstiaryError:
      self.init(error)
    case let error as any ReportedFailure:
      self = error.failureReport
    case let error as OutputFailed:
      self.init(code: "output_failed", CommandLineMessage.outputFailed(reason: error.reason), status: .failure)
    default:
      return nil
    }
  }

  /// The message of an error, in one sentence.
  static func words(_ error: any Error) -> String {
    FailureReport(describing: error)?.message ?? "\(type(of: error))"
  }

  /// The failure as a line on standard error.
  var line: Line {
    var line: Line = "\("error:", .failure) \(message)"
    if !advice.isEmpty { line = line + " \(advice)" }
    return line
  }

  /// The document that `--json` prints on standard error.
  struct Document: Encodable {
    let error: FailureReport
  }
}

extension OstiaryError {
  /// The next step, in terms of this command if it has a word for it.
  var commandAdvice: String {
    // More useful than “later”.
    if let retryAfter, retryAfter > .zero {
      return AdviceMessage.tryAgain(after: Timestamp.words(retryAfter)).line.plain
    }
    return CommandWording.advice(advice)
  }

  /// The failure of a command that makes a session: its advice tells of none that is kept.
  var ofNoSession: OstiaryError {
    var error = self
    error.advice = CommandWording.adviceWithoutSession(advice)
    return error
  }
}
