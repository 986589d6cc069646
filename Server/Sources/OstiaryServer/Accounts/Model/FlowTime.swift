import Foundation

/// Times as documents have them: RFC 3339 in UTC, whole seconds.
enum FlowTime {
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
