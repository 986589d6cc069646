/// What a response means for a session.
public enum Verdict: Sendable, Equatable {
  /// The response is the application's business.
  case accepted
  /// The proof was refused, or there was none, for a reason worth showing a person. `mayHaveExecuted` says whether the
  /// server can have acted on the request before refusing.
  case rejected(reason: String, mayHaveExecuted: Bool)
  /// Somebody in between answered in the server's place, such as the login page of a wireless network. It says nothing
  /// of the session; the request fails with this error.
  case obstructed(OstiaryError)
}
