package import OstiaryClientCommand
internal import OstiaryServer

extension ServerError: ReportedFailure {
  /// The failure in the server's words. A temporary failure is the server's; any other is the caller's.
  package var failureReport: FailureReport {
    let status: ExitStatus =
      if isStorageFault { .store } else if retryAfter != nil || code == .listenerLost { .server } else { .usage }
    return FailureReport(code: code.rawValue, message: message, advice: advice, status: status)
  }
}

extension ServerConfigurationError: ReportedFailure {
  /// Every problem of the configuration, in one line.
  package var failureReport: FailureReport {
    FailureReport(code: "server_configuration", message: problems.joined(separator: " "), advice: "", status: .usage)
  }
}
