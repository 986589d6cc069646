internal import OstiaryPostgreSQL

/// Decides whether a transaction that has failed is run again.
///
/// A transaction of which a COMMIT is in doubt is never run again: it could do its work twice.
struct PostgreSQLAttempts {
  /// Transactions that conflict are ended by the server, and succeed later.
  private static let mostConflicts = 30
  private static let mostOthers = 2

  private var conflicts = 0
  private var others = 0

  /// What to do next.
  enum Next: Equatable {
    /// Run it again after a pause of at most that length, with the same connection or a new one.
    case again(within: Duration, newConnection: Bool)
    case fail
  }

  mutating func next(after failure: PostgreSQLFailure) -> Next {
    switch failure.kind {
    case .cannotConnect, .noAnswer: return .fail
    case .lost: return other(newConnection: true)
    case .refused: break
    }
    switch failure.state {
    // Serialization failure, deadlock, a lock that did not come in the time that a transaction has set.
    case "40001", "40P01", "55P03":
      conflicts += 1
      guard conflicts < Self.mostConflicts else { return .fail }
      return .again(within: .milliseconds(min(1 << min(conflicts, 6), 50)), newConnection: false)
    // A unique key that another transaction has committed meanwhile: the body finds its row when it runs again.
    case "23505": return other(newConnection: false)
    // The server shuts down or starts; it became a standby; the connection's prepared statements are out of date.
    case "57P01", "57P02", "57P03", "25006", "0A000", "26000": return other(newConnection: true)
    default: return .fail
    }
  }

  private mutating func other(newConnection: Bool) -> Next {
    others += 1
    return others <= Self.mostOthers ? .again(within: .milliseconds(20), newConnection: newConnection) : .fail
  }
}
