/// What a response means for a session. More cases may come: a `switch` needs a `default`.
public enum Verdict: Sendable, Equatable {
  /// The response is the application's business.
  case accepted
  /// The proof was refused, or there was none, for a reason worth showing a person. `mayHaveExecuted` says whether the
  /// server can have acted on the request before refusing.
  case rejected(reason: String, mayHaveExecuted: Bool)
  /// The response looks like a refusal of the proof, but has none of the server's own marks: another application, or a
  /// proxy, may have given it. It refuses nothing by itself: the session manager asks the server with
  /// ``Authenticator/verify(_:in:)``, and takes it for a refusal only when that says so.
  case doubtful(reason: String, mayHaveExecuted: Bool)
  /// The proof is good, but the server wants the user to sign in more strongly or more recently before it acts (RFC 9470
  /// §3). Nothing is renewed and nothing is refused; the application gets the response.
  case insufficient(reason: String)
  /// A party in between answered in the server's place, such as the login page of a wireless network. It says nothing
  /// of the session; the request fails with this error.
  case obstructed(OstiaryError)
}
