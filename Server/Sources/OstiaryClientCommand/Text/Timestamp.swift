package import Foundation

/// Times for people.
package enum Timestamp {
  /// `2026-11-21 04:43:28` in the local time zone, the same in every locale.
  package static func text(_ date: Date, in zone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ width: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let day = [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)].joined(separator: "-")
    let time = [digits(parts.hour, 2), digits(parts.minute, 2), digits(parts.second, 2)].joined(separator: ":")
    return "\(day) \(time)"
  }

  /// How long ago something was: `just now`, `5 minutes ago`.
  static func age(of date: Date, at now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    func ago(_ unit: TimeInterval, _ name: String) -> String {
      // Distant dates from a damaged file must not overflow an integer.
      let count = Int(min((seconds / unit).rounded(.down), 1_000_000))
      return "\(count) \(name)\(count == 1 ? "" : "s") ago"
    }
    switch seconds {
    case ..<(-5): return "in the future"  // data: an age
    case ..<5: return "just now"  // data: an age
    case ..<60: return ago(1, "second")
    case ..<3600: return ago(60, "minute")
    case ..<86400: return ago(3600, "hour")
    default: return ago(86400, "day")
    }
  }

  /// A time to wait, rounded up: `30 seconds`, `2 minutes`, `1 hour`.
  static func words(_ duration: Duration) -> String {
    let parts = duration.components
    // A server can send any number; a wait of a million hours is as good as longer ones.
    let seconds = min(max(parts.seconds, 0), 3_600_000_000) + (parts.attoseconds > 0 ? 1 : 0)
    let (unit, name): (Int64, String) =
      switch seconds {
      case ..<120: (1, "second")
      case ..<7200: (60, "minute")
      default: (3600, "hour")
      }
    let count = (seconds + unit - 1) / unit
    return "\(count) \(name)\(count == 1 ? "" : "s")"
  }
}
