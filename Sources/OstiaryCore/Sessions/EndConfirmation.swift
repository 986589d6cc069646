/// What the server has shown of a session's end, after it was told. More cases may come: a `switch` needs a `default`.
public enum EndConfirmation: Sendable, Hashable {
  /// The session is over at the server. `seen` says what showed it: the server refused the session's proof afterwards, or
  /// its answer was the sign that it gives for the end of a session.
  case confirmed(seen: String)
  /// The session is over here. Of the server nothing is known, or that it still accepts the proof; `reason` says which.
  case localOnly(reason: String)
}

extension EndConfirmation {
  /// Whether the server has shown that the session is over.
  package var isConfirmed: Bool { if case .confirmed = self { true } else { false } }

  /// What was seen, or why nothing was, in words for a person. Never a secret.
  package var words: String {
    switch self {
    case .confirmed(let words), .localOnly(let words): words
    }
  }

  /// What both say together: a sign-out of several sessions is confirmed when each one is.
  func and(_ other: EndConfirmation) -> EndConfirmation { isConfirmed ? other : self }
}
