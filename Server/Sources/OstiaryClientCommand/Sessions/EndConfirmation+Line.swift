internal import OstiaryCore

extension EndConfirmation {
  /// Whether the server has shown that the session is over.
  var isConfirmed: Bool { if case .confirmed = self { true } else { false } }

  /// What was seen, or why nothing was.
  var words: String {
    switch self {
    case .confirmed(let seen): seen
    case .localOnly(let reason): reason
    }
  }

  /// What was seen of a session's end at its server, for a person.
  var message: SessionMessage {
    isConfirmed ? .endConfirmed(seen: words) : .endedHereOnly(reason: words)
  }
}
