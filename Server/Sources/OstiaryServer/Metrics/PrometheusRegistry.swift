import CoreMetrics
import OstiaryCore

/// Keeps the metrics that it was told of, and writes them as Prometheus reads them.
///
/// It is a factory for `swift-metrics` that takes no other metric, label or value: what it keeps is bounded by its definitions,
/// whichever code records with it.
final class PrometheusRegistry: MetricsFactory {
  private struct State {
    /// In the order of the text.
    var definitions: [MetricDefinition]
    var series: [String: [[String]: any PrometheusSeries]] = [:]
  }

  private let state: Locked<State>

  init(_ definitions: [MetricDefinition]) { state = Locked(State(definitions: definitions)) }

  var definitions: [MetricDefinition] { state.withLock { $0.definitions } }

  /// Takes a further metric, whose labels were not known before.
  func declare(_ definition: MetricDefinition) {
    state.withLock { state in
      if !state.definitions.contains(where: { $0.name == definition.name }) { state.definitions.append(definition) }
    }
  }

  /// All metrics that have a series.
  var text: String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    for definition in state.definitions {
      guard let series = state.series[definition.name] else { continue }
      lines += PrometheusText.head(definition)
      for (values, one) in series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        lines += one.lines(definition.name, Array(zip(definition.dimensions.map(\.name), values)))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The series with those labels; nil if no definition has it.
  private func find<Series: PrometheusSeries>(
    _ kind: MetricDefinition.Kind, _ name: String, _ labels: [(String, String)], make: () -> Series
  ) -> Series? {
    let values = labels.map(\.1)
    return state.withLock { state in
      if let known = state.series[name]?[values] { return known as? Series }
      guard let definition = state.definitions.first(where: { $0.name == name }), definition.kind == kind,
        definition.takes(values), labels.map(\.0) == definition.dimensions.map(\.name)
      else { return nil }
      let new = make()
      state.series[name, default: [:]][values] = new
      return new
    }
  }

  // MARK: MetricsFactory

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let series = find(.counter, label, dimensions) { PrometheusCounter() }
    return if let series { series } else { NOOPMetricsHandler.instance }
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    let series = find(.gauge, label, dimensions) { PrometheusGauge() }
    return if let series { series } else { NOOPMetricsHandler.instance }
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    let series = find(.histogram, label, dimensions) { PrometheusHistogram() }
    return if let series { series } else { NOOPMetricsHandler.instance }
  }

  /// No definition is of this kind.
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    NOOPMetricsHandler.instance
  }

  // A series lives as long as the registry: what was counted stays.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
}
