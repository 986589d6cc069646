import CoreMetrics
import Testing

@testable import OstiaryServer

@Suite("Prometheus registry")
struct PrometheusRegistryTests {
  private enum Colour: String, MetricLabel {
    case red, green
  }

  private static let colours = MetricDimension("colour", Colour.self)
  private static let paints = MetricDefinition("paints_total", .counter, "Paints, \\ and\nmore.", colours)
  private static let height = MetricDefinition("height_metres", .gauge, "Height.")
  private static let drying = MetricDefinition("drying_seconds", .histogram, "Drying.", colours)
  private let registry = PrometheusRegistry([paints, height, drying])

  @Test("OP-08: counters, gauges and histograms are written as the format says, in their order")
  func text() throws {
    let paints = CounterMetric(Self.paints, registry)
    paints.add(1, MetricValue(Colour.red))
    paints.add(2, "green")
    paints.add(-5, "green")
    GaugeMetric(Self.height, registry).set(1.5)
    let drying = DurationMetric(Self.drying, registry)
    for time in [Duration.microseconds(500), .milliseconds(3), .seconds(60), .seconds(-1), .seconds(Int64.max)] {
      drying.record(time, "red")
    }
    #expect(
      registry.text.hasPrefix(
        """
        # HELP paints_total Paints, \\\\ and\\nmore.
        # TYPE paints_total counter
        paints_total{colour="green"} 2
        paints_total{colour="red"} 1
        # HELP height_metres Height.
        # TYPE height_metres gauge
        height_metres 1.5

        """))
    let reading = try PrometheusReading(registry.text)
    func bucket(_ bound: String) -> Double? { reading.value("drying_seconds_bucket", ["colour": "red", "le": bound]) }
    #expect(bucket("0.0005") == 2 && bucket("0.0025") == 2 && bucket("0.005") == 3 && bucket("10") == 3)
    #expect(bucket("+Inf") == 5)
  }

  @Test("OP-08: numbers of any size have a text that the format knows")
  func numbers() throws {
    let height = GaugeMetric(Self.height, registry)
    for (number, text) in [
      (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-0.25, "-0.25"), (1e300, "1e+300"),
      (1_800_000_000, "1800000000"),
    ] {
      height.set(number)
      #expect(registry.text.hasSuffix("\nheight_metres \(text)\n"))
      _ = try PrometheusReading(registry.text)
    }
  }

  @Test("OP-08: nothing but what is defined is kept: no other metric, label or value, whoever records it")
  func bounded() {
    for number in 0..<1000 {
      Counter(label: "paints_total", dimensions: [("colour", "user-\(number)")], factory: registry).increment()
      Counter(label: "paints_total", dimensions: [("user", "red")], factory: registry).increment()
      Counter(label: "users_total_\(number)", dimensions: [], factory: registry).increment()
      Timer(label: "paints_total", dimensions: [("colour", "red")], factory: registry).recordSeconds(1)
      Recorder(label: "height_metres", dimensions: [], aggregate: true, factory: registry).record(1)
    }
    #expect(registry.text.isEmpty)
    Counter(label: "paints_total", dimensions: [("colour", "red")], factory: registry).increment()
    #expect(registry.text.hasSuffix("\npaints_total{colour=\"red\"} 1\n"))
  }

  @Test("A count that is kept elsewhere is followed, and never goes back")
  func reached() {
    let paints = CounterMetric(Self.paints, registry)
    for total in [3, 3, 5, 2, 6] { paints.reach(total, "red") }
    #expect(registry.text.hasSuffix("\npaints_total{colour=\"red\"} 6\n"))
  }

  @Test("What the format does not allow, the parser of these tests does not read")
  func parser() {
    for text in [
      "a 1\n", "# TYPE a counter\na 1\n", "# HELP a b\n# TYPE a counter\na 1", "# HELP a b\n# TYPE a counter\na -1\n",
      "# HELP a b\n# TYPE a counter\na 1\na 2\n", "# HELP a b\n# TYPE a counter\na{b=\"\n\"} 1\n",
      "# HELP a b\n# TYPE a counter\na{b=\"c\"d=\"e\"} 1\n", "# HELP a b\n# TYPE a counter\na one\n",
      "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_sum 1\na_count 2\n",
    ] {
      #expect(throws: PrometheusReading.Malformed.self, "\(text)") { try PrometheusReading(text) }
    }
  }
}
