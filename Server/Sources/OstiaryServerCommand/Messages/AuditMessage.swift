internal import OstiaryClientCommand

/// What `ostiary audit` says besides the events.
enum AuditMessage: CommandMessage {
  case nothingOfThatKind
  case whole(events: Int, first: Int64, last: Int64, waiting: Int)
  /// The problem in the server's words.
  case broken(String)
  case badCount(most: Int)
  case unknownKind(String, known: [String])
  case badTime(String)

  var line: Line {
    switch self {
    case .nothingOfThatKind: "Nothing of that kind has happened."
    case .whole(let events, let first, let last, let waiting):
      "\("✓", .green) The trail is whole: \(Self.extent(events, first, last)).\(Self.waiting(waiting))"
    case .broken(let words): "\("✗", .failure) \(words)"
    case .badCount(let most): "-n takes a number from 1 to \(most)."
    case .unknownKind(let name, _): "There is no kind of event “\(name)”."
    case .badTime(let text): "“\(text)” is no time."
    }
  }

  var advice: String {
    switch self {
    case .unknownKind(_, let known): "Known kinds: \(known.joined(separator: ", "))."
    case .badTime: "Write --since 2026-11-24, 2026-11-24T15:00:00Z, or 7d for a week ago."
    default: ""
    }
  }

  private static func extent(_ events: Int, _ first: Int64, _ last: Int64) -> String {
    let count = "\(events) event\(events == 1 ? "" : "s")"
    switch events {
    case 0: return count
    case 1: return "\(count), row \(first)"
    default: return "\(count), rows \(first) to \(last)"
    }
  }

  private static func waiting(_ count: Int) -> Line {
    switch count {
    case 0: ""
    case 1: " 1 more has no place in it yet."
    default: " \(count) more have no place in it yet."
    }
  }

  static let examples: [AuditMessage] = [
    .nothingOfThatKind, .whole(events: 3, first: 1, last: 3, waiting: 0),
    .whole(events: 0, first: 1, last: 0, waiting: 1), .whole(events: 1, first: 8, last: 8, waiting: 2),
    .broken("Row 2 was changed."), .badCount(most: 100_000),
    .unknownKind("sign_in", known: ["password_refused", "session_ended"]), .badTime("yesterday"),
  ]
}
