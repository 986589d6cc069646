import CoreMetrics
import OstiaryCore

/// One series of a metric, as Prometheus reads it.
protocol PrometheusSeries: AnyObject, Sendable {
  /// The lines of the series.
  func lines(_ name: String, _ labels: [(String, String)]) -> [String]
}

final class PrometheusCounter: PrometheusSeries, CounterHandler {
  private let value = Locked<Int64>(0)

  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    value.withLock { value in
      let (sum, overflow) = value.addingReportingOverflow(amount)
      value = overflow ? .max : sum
    }
  }

  func reset() { value.withLock { $0 = 0 } }

  func lines(_ name: String, _ labels: [(String, String)]) -> [String] {
    [PrometheusText.line(name, labels, "\(value.withLock { $0 })")]
  }
}

final class PrometheusGauge: PrometheusSeries, MeterHandler {
  private let value = Locked(0.0)

  func set(_ new: Int64) { set(Double(new)) }
  func set(_ new: Double) { value.withLock { $0 = new } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }

  func lines(_ name: String, _ labels: [(String, String)]) -> [String] {
    [PrometheusText.line(name, labels, PrometheusText.number(value.withLock { $0 }))]
  }
}

final class PrometheusHistogram: PrometheusSeries, TimerHandler {
  /// The upper bounds, in microseconds.
  private static let bounds: [Int64] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
  ]

  private struct Counts {
    /// By bound; the last one is of those above all bounds.
    var counts = [Int64](repeating: 0, count: PrometheusHistogram.bounds.count + 1)
    var seconds = 0.0
  }

  private let state = Locked(Counts())

  func recordNanoseconds(_ duration: Int64) {
    let index = Self.bounds.firstIndex { duration <= $0 * 1000 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[index] += 1
      state.seconds += Double(duration) / 1e9
    }
  }

  func lines(_ name: String, _ labels: [(String, String)]) -> [String] {
    let state = state.withLock { $0 }
    var sum: Int64 = 0
    var lines: [String] = []
    for (index, count) in state.counts.enumerated() {
      sum += count
      let bound = index < Self.bounds.count ? PrometheusText.number(Double(Self.bounds[index]) / 1e6) : "+Inf"
      lines.append(PrometheusText.line(name + "_bucket", labels + [("le", bound)], "\(sum)"))
    }
    lines.append(PrometheusText.line(name + "_sum", labels, PrometheusText.number(state.seconds)))
    lines.append(PrometheusText.line(name + "_count", labels, "\(sum)"))
    return lines
  }
}
