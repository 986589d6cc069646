/// The parts of Prometheus' text format, version 0.0.4.
enum PrometheusText {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// The lines that introduce a metric.
  static func head(_ definition: MetricDefinition) -> [String] {
    let help = definition.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return ["# HELP \(definition.name) \(help)", "# TYPE \(definition.name) \(definition.kind.rawValue)"]
  }

  static func line(_ name: String, _ labels: [(String, String)], _ value: String) -> String {
    guard !labels.isEmpty else { return "\(name) \(value)" }
    return "\(name){\(labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ","))} \(value)"
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return "\(Int64(value))" }
    return "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
