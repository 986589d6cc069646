internal import OstiaryCore

/// Records the text of every statement that was run, once each. For tests.
final class StatementRecorder: Sendable {
  private let noted = Locked<Set<String>>([])

  func note(_ text: String) {
    noted.withLock { _ = $0.insert(text) }
  }

  /// The texts so far.
  var texts: Set<String> { noted.withLock { $0 } }
}
