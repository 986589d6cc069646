/// A resource that clients use, and its limit.
///
/// `ostiary serve --verbose` prints each, and the documentation's table is generated from them. Metrics tell how often each was reached.
package struct ResourceLimit: Sendable {
  package enum Amount: Sendable, Hashable {
    case count(Int)
    case bytes(Int)
    case time(Duration)
  }

  /// Its name for programs, which never changes.
  package var name: String { metricValue.text }
  /// Its name in metrics.
  let metricValue: MetricValue
  /// Its description, in a few words.
  package let title: String
  /// The limit of this server, computed when it started.
  package let most: Amount
  /// The limit without a configuration.
  package let standard: String
  /// The answer to a request or a connection above the limit.
  package let refusal: String
  private let count: (@Sendable () -> Int)?

  init(
    _ name: MetricValue, _ title: String, _ most: Amount, standard: String, refusal: String,
    count: (@Sendable () -> Int)?
  ) {
    metricValue = name
    self.title = title
    self.most = most
    self.standard = standard
    self.refusal = refusal
    self.count = count
  }

  /// How often it was reached since the start; nil if that isn't counted.
  package var timesReached: Int? { count?() }

  /// The line of `ostiary serve --verbose`.
  package var line: String { "\(title): \(most); \(refusal)" }
}

extension ResourceLimit.Amount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .count(let count): return "\(count)"
    case .time(let time): return "\(time.components.seconds) s"
    case .bytes(let bytes):
      let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
      guard let (shift, unit) = units.first(where: { bytes >= 1 << $0.0 && bytes % (1 << $0.0) == 0 }) else {
        return bytes >= 10 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
      }
      return "\(bytes >> shift) \(unit)"
    }
  }
}
