import CoreMetrics
import HTTPTypes

/// The first digit of a status, in metrics.
enum StatusClass: String, MetricLabel {
  case informational = "1xx"
  case successful = "2xx"
  case redirection = "3xx"
  case clientError = "4xx"
  case serverError = "5xx"

  init(_ status: HTTPResponse.Status) {
    self =
      switch status.code {
      case ..<200: .informational
      case ..<300: .successful
      case ..<400: .redirection
      case ..<500: .clientError
      default: .serverError
      }
  }
}

/// Why a request could not be answered, in metrics: the codes of errors that can end one.
enum RequestFailure: String, MetricLabel {
  case storageBusy = "storage_busy"
  case storageUnavailable = "storage_unavailable"
  case storageOverloaded = "storage_overloaded"
  case storageMoved = "storage_moved"
  case storageFull = "storage_full"
  case storageDenied = "storage_denied"
  case storageCorrupt = "storage_corrupt"
  case storageClosed = "storage_closed"
  case storageFailed = "storage_failed"
  case storageTooNew = "storage_too_new"
  case overloaded
  case hashingFailed = "hashing_failed"
  case workTooLong = "work_too_long"
  case other

  init(_ error: any Error) {
    self = (error as? ServerError).flatMap { RequestFailure(rawValue: "\($0.code)") } ?? .other
  }
}

/// The metrics of requests.
struct RequestMetrics: Sendable {
  private static func durations(_ doors: [MetricValue]) -> MetricDefinition {
    MetricDefinition(
      "ostiary_request_duration_seconds", .histogram, "Time from a request's head to its answer's.",
      MetricDimension("door", doors), MetricDimension("status", StatusClass.self))
  }
  private static let failures = MetricDefinition(
    "ostiary_request_failures_total", .counter, "Requests that ended with an error of the server, by its code.",
    MetricDimension("code", RequestFailure.self))

  static func definitions(_ doors: [MetricValue]) -> [MetricDefinition] { [durations(doors), failures] }

  private let durations: DurationMetric
  private let failures: CounterMetric

  init(_ factory: any MetricsFactory, doors: [MetricValue]) {
    durations = DurationMetric(Self.durations(doors), factory)
    failures = CounterMetric(Self.failures, factory)
  }

  /// - Parameter door: Nil for a path that no door has.
  func answered(_ door: MetricValue?, _ status: HTTPResponse.Status, in time: Duration) {
    durations.record(time, door ?? "none", MetricValue(StatusClass(status)))
  }

  func failed(_ error: any Error) { failures.add(1, MetricValue(RequestFailure(error))) }
}
