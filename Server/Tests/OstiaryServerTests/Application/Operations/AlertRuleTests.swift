import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// The alert rules that are shipped (Packaging/ostiary.rules.yml), beside the metrics that there are. Scripts/check-rules.sh has promtool
/// judge them.
@Suite("Alert rules", .timeLimit(.minutes(5)))
struct AlertRuleTests {
  /// A metric in a rule, with the labels that it asks for.
  private struct Use: Hashable {
    let metric: String
    let matchers: String
  }

  private static func text() throws -> String { try String(contentsOf: PrometheusScrapeTests.rules, encoding: .utf8) }

  /// The metrics that a text names, besides those of Prometheus itself.
  private static func uses(_ text: String) -> [Use] {
    text.matches(of: /\b(ostiary_[a-z0-9_]+)(?:\{([^}]*)\})?/).map {
      Use(metric: String($0.1), matchers: String($0.2 ?? ""))
    }
  }

  private static func definition(_ name: String, _ all: [MetricDefinition]) -> MetricDefinition? {
    if let known = all.first(where: { $0.name == name }) { return known }
    for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
      return all.first { $0.kind == .histogram && $0.name == name.dropLast(suffix.count) }
    }
    return nil
  }

  /// What a rule asks for that no server has.
  private static func problems(_ text: String, _ all: [MetricDefinition]) -> [String] {
    uses(text).flatMap { use -> [String] in
      guard let definition = Self.definition(use.metric, all) else { return ["\(use.metric) is no metric"] }
      return use.matchers.matches(of: /([a-z_]+)(=~|!~|!=|=)"([^"]*)"/).flatMap { match -> [String] in
        let name = String(match.1)
        guard let dimension = definition.dimensions.first(where: { $0.name == name }) else {
          return ["\(use.metric) has no label \(name)"]
        }
        return match.3.split(separator: "|").filter { word in !dimension.values.contains { $0.text == word } }
          .map { "\(name) is never \($0)" }
      }
    }
  }

  @Test("OP-08: every metric, label and value that an alert rule names exists")
  func names() async throws {
    let text = try Self.text()
    let all = try await OperationsTests.run { server, _ in server.application.metrics.definitions }
    #expect(Self.uses(text).count >= 30)
    #expect(Self.problems(text, all) == [])
    // A rule that is wrong in one of these ways would be noticed.
    for wrong in [
      "rate(ostiary_requests_total[5m])", "ostiary_ready{part=\"disk\"}", "ostiary_ready{check=\"disc\"}",
      "ostiary_database_calls_total{outcome=~\"busy|away\"}", "ostiary_ready_count",
    ] {
      #expect(Self.problems(wrong, all).count == 1, "\(wrong)")
    }
  }

  @Test("OP-08: every alert has a severity, says what is the matter, and what to do")
  func words() throws {
    let rules = try Self.text().components(separatedBy: "- alert: ").dropFirst()
    #expect(rules.count >= 15)
    for rule in rules {
      let name = rule.prefix { $0 != "\n" }
      #expect(name.hasPrefix("Ostiary"))
      #expect(rule.contains(/\n          severity: (page|ticket)\n/), "\(name)")
      for member in ["summary", "action"] { #expect(rule.contains("\n          \(member): \""), "\(name) \(member)") }
    }
  }
}
