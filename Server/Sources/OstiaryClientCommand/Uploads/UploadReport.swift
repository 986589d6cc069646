internal import OstiaryCore
internal import OstiaryNewzulu

/// What became of one file, for people and for programs.
struct UploadReport: Sendable, Encodable {
  /// The document of `ostiary upload --json`.
  struct Document: Encodable {
    let uploads: [UploadReport]
  }

  let file: String
  /// What the server calls it; `nil` if it is not uploaded.
  let id: String?
  let bytes: Int64
  /// How many bytes the server has.
  let uploadedBytes: Int64
  /// How many of them it had before.
  let resumedBytes: Int64
  let error: FailureReport?

  init(_ outcome: UploadBatch.Outcome) {
    file = outcome.file.path
    bytes = outcome.file.size
    uploadedBytes = outcome.sent
    resumedBytes = outcome.resumedFrom ?? 0
    switch outcome.result {
    case .success(let item): (id, error) = (item.id, nil)
    case .failure(let failure): (id, error) = (nil, Self.report(failure))
    }
  }

  /// What is said when an upload of several has failed; `nil` where nothing is: it is told at the end.
  func line(isOneOfSeveral: Bool) -> Line? {
    guard isOneOfSeveral, let error, error.code != Self.interrupted else { return nil }
    let words = error.advice.isEmpty ? error.message : "\(error.message) \(error.advice)"
    return UploadMessage.failed(file, reason: words).line
  }

  private static let interrupted = "interrupted"

  private static func report(_ error: any Error) -> FailureReport {
    FailureReport(describing: error)
      ?? (error is CancellationError
        ? FailureReport(code: interrupted, UploadMessage.stopped, status: ExitStatus(rawValue: 130))
        : FailureReport(
          code: "internal_error", CommandLineMessage.internalFailure(type: "\(type(of: error))"), status: .failure))
  }
}
