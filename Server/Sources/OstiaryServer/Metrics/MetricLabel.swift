/// The values of one label of a metric: the cases of an enum. A metric can't have more series than the sources have cases.
protocol MetricLabel: CaseIterable, Hashable, Sendable, RawRepresentable where RawValue == String {}

/// A label's value: the case of an enum, or a text of the sources.
///
/// It can't be made of any other text: no user, address, client or secret can become one.
package struct MetricValue: Hashable, Sendable, ExpressibleByStringLiteral {
  let text: String

  package init(stringLiteral text: StaticString) { self.text = text.description }

  init(_ label: some MetricLabel) { text = label.rawValue }
}

/// A label of a metric, with all its values.
struct MetricDimension: Sendable {
  let name: String
  let values: [MetricValue]

  init<Label: MetricLabel>(_ name: StaticString, _ label: Label.Type) {
    self.init(name, label.allCases.map { MetricValue($0) })
  }

  init(_ name: StaticString, _ values: [MetricValue]) {
    self.name = name.description
    self.values = values
  }
}
