internal import OstiaryCore

/// Records the text of every statement that was run, once each, and how many there were. For tests.
final class StatementRecorder: Sendable {
  private let noted = Locked<(texts: Set<String>, count: Int)>(([], 0))

  func note(_ text: String) {
    noted.withLock { noted in
      noted.texts.insert(text)
      noted.count += 1
    }
  }

  /// The texts so far.
  var texts: Set<String> { noted.withLock { $0.texts } }

  /// How many statements were run.
  var count: Int { noted.withLock { $0.count } }
}
