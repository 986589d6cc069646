public import Foundation

/// The `Retry-After` field (RFC 9110 §10.2.3).
public enum RetryAfter {
  /// The longest wait that is believed: a day. Servers that ask for more mean "not now".
  package static let maximum = Duration.seconds(86_400)

  /// How long to wait: a number of seconds, or a date seen from `now`. A date that has passed is no wait at all.
  /// - Parameter now: the time by the server's clock, best from the response's own `Date`.
  /// - Returns: zero to a day; `nil` for what is neither a number nor a date.
  public static func parse(_ text: String, now: Date) -> Duration? {
    let bytes = ASCII.trimmed(text.utf8)
    if !bytes.isEmpty, bytes.allSatisfy(ASCII.isDigit) {
      return bytes.reduce(.zero) { min($0 * 10 + .seconds(Int64($1 &- 48)), maximum) }
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    return min(max(.seconds(date.timeIntervalSince(now)), .zero), maximum)
  }
}
