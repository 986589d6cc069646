import Foundation

/// Where spans are sent, and of how many requests.
package struct TraceSettings: Sendable, Hashable {
  /// The collector's address, such as `http://127.0.0.1:4318`: spans go to `/v1/traces` below it, as OTLP in JSON over HTTP.
  package var endpoint: String
  /// Of how many requests in a hundred spans are sent, where a trusted proxy has not decided that.
  package var percent = 100
  /// The name of this server among others, in its spans.
  package var node: String?
  /// How long a stop waits for the spans that are left.
  var stopTime = Duration.seconds(3)

  /// All spans go to a collector.
  package init(endpoint: String) { self.endpoint = endpoint }

  private static let path = "/v1/traces"

  /// The address to which spans are sent; nil if ``endpoint`` is none.
  var url: String? {
    guard let parts = URLComponents(string: endpoint), ["http", "https"].contains(parts.scheme),
      parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.query == nil,
      parts.fragment == nil, (1...65_535).contains(parts.port ?? 1)
    else { return nil }
    let base = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    return base.hasSuffix(Self.path) ? base : base + Self.path
  }

  /// The sentences for what can't be used.
  var problems: [String] {
    var problems: [String] = []
    if url == nil { problems.append("The address for spans must look like http://127.0.0.1:4318, without a password.") }
    if !(1...100).contains(percent) { problems.append("The percentage of traced requests must be between 1 and 100.") }
    return problems
  }
}
