/// What a response means for a session.
public enum Verdict: Sendable, Equatable {
  /// The response is the application's business.
  case accepted
  /// The proof was refused, for a reason worth showing a person. `executed` says whether the server can have acted on
  /// the request before refusing.
  case rejected(reason: String, mayHaveExecuted: Bool)
}
