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
  package init(code: String, message: String, advice: String = "", status: ExitStatus) {
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
      self.init(
        code: "output_failed", message: "The output can't be written: \(error.reason).", status: .failure)
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
    if let retryAfter, retryAfter > .zero { return "Try again in \(Timestamp.words(retryAfter))." }
    return switch code {
    case .interactionCancelled, .signedOut: "Sign in with `ostiary login`."
    case .alreadySignedIn: "Sign out first with `ostiary logout`, or use another --profile."
    case .replayUnsafe: "Run the command again if repeating the request is harmless."
    case .captivePortal:
      // Over plain http the login page of another server can be either one's.
      "Sign in to the network with a browser. If it is the gateway's own page, write --option login=… with its address."
    case .responseTooLarge: "Use --output FILE without --json; that has no limit."
    default: CommandWording.advice(advice)
    }
  }
}
