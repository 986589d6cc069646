import CoreMetrics

/// The kinds of calls of the database, in metrics and spans.
enum StorageCallKind: String, MetricLabel {
  case read
  /// A read that has a time limit.
  case longRead = "long_read"
  case write
  /// A write that may share its transaction with others.
  case sharedWrite = "shared_write"
  /// Ends something, or changes what caches hold.
  case end
  /// A write that may take long.
  case longWrite = "long_write"
}

/// The outcome of a call of the database, in metrics and spans.
enum StorageOutcome: String, MetricLabel {
  case done
  /// The call's own code ended it.
  case refused
  case cancelled
  case tooLong = "too_long"
  case busy
  case unavailable
  case overloaded
  case full
  case closed
  case failed

  init(_ error: ServerError) {
    self =
      switch error.code {
      case .workTooLong: .tooLong
      case .storageBusy: .busy
      case .storageUnavailable: .unavailable
      case .storageOverloaded: .overloaded
      case .storageFull: .full
      case .storageClosed: .closed
      default: error.isStorageFault ? .failed : .refused
      }
  }
}

/// Why a transaction was run again, in metrics.
enum StorageRetry: String, MetricLabel {
  /// Another transaction has changed the same rows.
  case conflict
  /// The connection broke, or the server asked for another one.
  case connection
}

/// What an engine does with a connection, in metrics.
enum StorageConnectionUse: String, MetricLabel {
  case busy
  case idle
}

/// The connections of an engine that has several, and the calls that wait for one.
struct StoragePool: Sendable {
  var busy = 0
  var idle = 0
  /// The most connections that it opens.
  var most: Int
  var waiting = 0
}

/// The metrics of a database's calls.
final class StorageMetrics: Sendable {
  private static let calls = MetricDefinition(
    "ostiary_database_calls_total", .counter, "Calls of the database, by their outcome.",
    MetricDimension("kind", StorageCallKind.self), MetricDimension("outcome", StorageOutcome.self))
  private static let durations = MetricDefinition(
    "ostiary_database_call_duration_seconds", .histogram,
    "Time of a call of the database, with the wait for a connection and all attempts.",
    MetricDimension("kind", StorageCallKind.self))
  private static let retries = MetricDefinition(
    "ostiary_database_retries_total", .counter, "Transactions of PostgreSQL that were run again.",
    MetricDimension("kind", StorageCallKind.self), MetricDimension("cause", StorageRetry.self))
  private static let connections = MetricDefinition(
    "ostiary_database_connections", .gauge, "Connections to PostgreSQL that are open.",
    MetricDimension("use", StorageConnectionUse.self))
  private static let most = MetricDefinition(
    "ostiary_database_connections_limit", .gauge, "The most connections to PostgreSQL that this server opens.")
  private static let waiting = MetricDefinition(
    "ostiary_database_waiting_calls", .gauge, "Calls that wait for a connection to PostgreSQL.")

  static let all = [calls, durations, retries, connections, most, waiting] + LeaseMetrics.all

  private let calls, retries: CounterMetric
  private let durations: DurationMetric
  private let connections, most, waiting: GaugeMetric
  let leases: LeaseMetrics

  init(_ factory: any MetricsFactory) {
    calls = CounterMetric(Self.calls, factory)
    durations = DurationMetric(Self.durations, factory)
    retries = CounterMetric(Self.retries, factory)
    connections = GaugeMetric(Self.connections, factory)
    most = GaugeMetric(Self.most, factory)
    waiting = GaugeMetric(Self.waiting, factory)
    leases = LeaseMetrics(factory)
  }

  func ended(_ kind: StorageCallKind, _ outcome: StorageOutcome, in time: Duration) {
    calls.add(1, MetricValue(kind), MetricValue(outcome))
    durations.record(time, MetricValue(kind))
  }

  func retried(_ kind: StorageCallKind, _ cause: StorageRetry) {
    retries.add(1, MetricValue(kind), MetricValue(cause))
  }

  func read(_ pool: StoragePool) {
    connections.set(Double(pool.busy), MetricValue(StorageConnectionUse.busy))
    connections.set(Double(pool.idle), MetricValue(StorageConnectionUse.idle))
    most.set(Double(pool.most))
    waiting.set(Double(pool.waiting))
  }
}
