internal import OstiaryCore

/// Records the text of every statement that was run, once each, and how many there were. For tests.
final class StatementRecorder: Sendable {
  private let noted = Locked<(texts: Set<String>, count: Int, roundTrips: Int)>(([], 0, 0))

  func note(_ text: String) {
    noted.withLock { noted in
      noted.texts.insert(text)
      noted.count += 1
    }
  }

  /// Counts the round trips of a transaction, with those for what a new connection is asked first.
  func note(roundTrips: Int) { noted.withLock { $0.roundTrips += roundTrips } }

  /// The texts so far.
  var texts: Set<String> { noted.withLock { $0.texts } }

  /// How many statements were run.
  var count: Int { noted.withLock { $0.count } }

  /// How often transactions have waited for PostgreSQL.
  var roundTrips: Int { noted.withLock { $0.roundTrips } }
}
