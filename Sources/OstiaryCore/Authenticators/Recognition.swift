/// What a recogniser found in a response that demands sign-in.
public struct Recognition: Sendable, Hashable {
  /// What gave it away, in words for a person: "the server redirects to its login page". Never a secret.
  public var reason: String
  /// Whether the server can have acted on the request before it demanded sign-in. `false` is a promise, and lets a
  /// request with any method be sent again.
  public var mayHaveExecuted: Bool

  /// Makes a finding. Without knowledge to the contrary a request may have been executed.
  public init(_ reason: String, mayHaveExecuted: Bool = true) {
    self.reason = reason
    self.mayHaveExecuted = mayHaveExecuted
  }
}
