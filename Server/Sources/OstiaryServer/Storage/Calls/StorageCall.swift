internal import OstiaryCore

/// One call of the database, from its begin to its end: what is measured of it, and its span.
///
/// It is a value of the task, so that an engine can tell of further attempts.
final class StorageCall: Sendable {
  @TaskLocal static var current: StorageCall?

  private let kind: StorageCallKind
  private let metrics: StorageMetrics?
  private let started = ContinuousClock.now
  private let retries = Locked(0)
  private let span: TraceSpan?

  /// - Parameter isPostgreSQL: Whether it is a call of PostgreSQL, or else of SQLite.
  init(_ kind: StorageCallKind, _ metrics: StorageMetrics?, isPostgreSQL: Bool) {
    self.kind = kind
    self.metrics = metrics
    span = TraceSpan.child(.databaseCall)
    span?.set(.operation, SpanText(kind))
    span?.set(.database, SpanText(isPostgreSQL ? "postgresql" : "sqlite" as MetricValue))
  }

  /// Its transaction is run again.
  func retried(_ cause: StorageRetry) {
    retries.withLock { $0 += 1 }
    metrics?.retried(kind, cause)
  }

  func end(_ outcome: StorageOutcome) {
    metrics?.ended(kind, outcome, in: started.duration(to: .now))
    guard let span else { return }
    span.set(.attempts, 1 + retries.withLock { $0 })
    span.set(.outcome, SpanText(outcome))
    switch outcome {
    case .done, .refused, .cancelled: break
    default: span.fail(SpanText(outcome))
    }
    span.end()
  }
}
