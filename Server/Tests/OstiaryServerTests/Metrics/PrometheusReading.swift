/// Metrics in Prometheus' text format 0.0.4, read by a parser of the tests' own, which takes nothing that the format doesn't say.
struct PrometheusReading {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  struct Sample: Hashable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  /// The type of each metric.
  private(set) var types: [String: String] = [:]
  private(set) var helps: [String: String] = [:]
  private(set) var samples: [Sample] = []

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
    var seen: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if let match = line.wholeMatch(of: /# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
        let (name, rest) = (String(match.2), String(match.3))
        if match.1 == "HELP" {
          guard helps.updateValue(rest, forKey: name) == nil else { throw Malformed(description: "twice: \(line)") }
        } else {
          guard ["counter", "gauge", "histogram"].contains(rest), types.updateValue(rest, forKey: name) == nil else {
            throw Malformed(description: "type: \(line)")
          }
        }
        continue
      }
      guard let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/) else {
        throw Malformed(description: "\(line)")
      }
      guard seen.insert("\(match.1){\(match.2 ?? "")}").inserted else { throw Malformed(description: "twice: \(line)") }
      guard let value = Self.number(String(match.3)) else { throw Malformed(description: "value: \(line)") }
      let sample = Sample(name: String(match.1), labels: try Self.labels(match.2 ?? ""), value: value)
      guard let type = types[Self.family(sample.name, types)] else {
        throw Malformed(description: "no type before \(line)")
      }
      if type == "counter", !(value >= 0) { throw Malformed(description: "negative: \(line)") }
      samples.append(sample)
    }
    guard Set(types.keys) == Set(helps.keys) else { throw Malformed(description: "HELP and TYPE go together") }
    try checkHistograms()
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  private static func family(_ name: String, _ types: [String: String]) -> String {
    for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
      let base = String(name.dropLast(suffix.count))
      if types[base] == "histogram" { return base }
    }
    return name
  }

  private static func number(_ text: String) -> Double? {
    switch text {
    case "+Inf": .infinity
    case "-Inf": -.infinity
    case "NaN": .nan
    default: Double(text)
    }
  }

  private static func labels(_ text: some StringProtocol) throws -> [String: String] {
    var labels: [String: String] = [:]
    var rest = String(text)
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/),
        labels.updateValue(String(match.2), forKey: String(match.1)) == nil
      else { throw Malformed(description: "labels: \(text)") }
      rest = String(rest[match.range.upperBound...])
    }
    return labels
  }

  /// Buckets grow, and the last one counts all.
  private func checkHistograms() throws {
    for (name, type) in types where type == "histogram" {
      var series: [[String: String]: [(bound: Double, count: Double)]] = [:]
      for sample in samples where sample.name == name + "_bucket" {
        var labels = sample.labels
        guard let bound = labels.removeValue(forKey: "le").flatMap(Self.number) else {
          throw Malformed(description: "\(name) has a bucket without a bound")
        }
        series[labels, default: []].append((bound, sample.value))
      }
      for (labels, buckets) in series {
        let isOrdered = zip(buckets, buckets.dropFirst()).allSatisfy { $0.bound < $1.bound && $0.count <= $1.count }
        guard isOrdered, buckets.last?.bound == .infinity, buckets.last?.count == value(name + "_count", labels),
          value(name + "_sum", labels) != nil
        else { throw Malformed(description: "\(name) \(labels)") }
      }
    }
  }
}
