/// A metric: what it tells, and the labels in which its series differ. Features declare them; `ServerMetrics` has them all.
struct MetricDefinition: Sendable {
  enum Kind: String, Sendable {
    /// A number that only grows, from 0 at the start of the process.
    case counter
    /// A number that grows and shrinks.
    case gauge
    /// Durations, counted by their length.
    case histogram
  }

  /// By Prometheus' conventions: with the unit, and with `_total` for a counter.
  let name: String
  let help: String
  let kind: Kind
  let dimensions: [MetricDimension]

  init(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ dimensions: MetricDimension...) {
    self.name = name.description
    self.kind = kind
    self.help = help.description
    self.dimensions = dimensions
  }

  /// The most series that it can have.
  var mostSeries: Int { dimensions.reduce(1) { $0 * $1.values.count } }

  /// Whether these are values of its labels, each of its own.
  func takes(_ values: [String]) -> Bool {
    values.count == dimensions.count
      && zip(values, dimensions).allSatisfy { value, dimension in dimension.values.contains { $0.text == value } }
  }
}
