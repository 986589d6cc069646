import CoreMetrics
import OstiaryCore

/// The handlers of a metric's series. Each is made when it is first used.
private final class MetricFamily<Handler: Sendable>: Sendable {
  let definition: MetricDefinition
  private let make: @Sendable (String, [(String, String)]) -> Handler
  private let handlers = Locked<[[MetricValue]: Handler]>([:])

  init(_ definition: MetricDefinition, make: @escaping @Sendable (String, [(String, String)]) -> Handler) {
    self.definition = definition
    self.make = make
  }

  /// - Parameter values: The value of each of the metric's labels, in their order.
  subscript(values: [MetricValue]) -> Handler {
    handlers.withLock { handlers in
      if let known = handlers[values] { return known }
      let new = make(definition.name, zip(definition.dimensions, values).map { ($0.name, $1.text) })
      handlers[values] = new
      return new
    }
  }
}

/// A counter, made by the factory of the server.
final class CounterMetric: Sendable {
  private let family: MetricFamily<any CounterHandler>
  private let reached = Locked<[[MetricValue]: Int]>([:])

  init(_ definition: MetricDefinition, _ factory: any MetricsFactory) {
    family = MetricFamily(definition) { factory.makeCounter(label: $0, dimensions: $1) }
  }

  /// - Parameter values: The value of each label, in their order.
  func add(_ amount: Int = 1, _ values: MetricValue...) {
    family[values].increment(by: Int64(clamping: amount))
  }

  /// Adds what a count that is kept elsewhere has grown by since the last call.
  func reach(_ total: Int, _ values: MetricValue...) {
    let growth = reached.withLock { reached in
      let last = reached[values] ?? 0
      reached[values] = max(last, total)
      return max(0, total - last)
    }
    family[values].increment(by: Int64(clamping: growth))
  }
}

/// A number that grows and shrinks.
final class GaugeMetric: Sendable {
  private let family: MetricFamily<any MeterHandler>

  init(_ definition: MetricDefinition, _ factory: any MetricsFactory) {
    family = MetricFamily(definition) { factory.makeMeter(label: $0, dimensions: $1) }
  }

  /// - Parameter values: The value of each label, in their order.
  func set(_ value: Double, _ values: MetricValue...) { family[values].set(value) }
}

/// Durations.
final class DurationMetric: Sendable {
  private let family: MetricFamily<any TimerHandler>

  init(_ definition: MetricDefinition, _ factory: any MetricsFactory) {
    family = MetricFamily(definition) { factory.makeTimer(label: $0, dimensions: $1) }
  }

  /// - Parameter values: The value of each label, in their order.
  func record(_ duration: Duration, _ values: MetricValue...) {
    let (seconds, attoseconds) = duration.components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    family[values].recordNanoseconds(
      overflow ? .max : max(0, nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue))
  }
}
