/// What came of one round of answering a challenge.
public enum ChallengeAnswer: Sendable {
  /// The handler is satisfied. The conversation's proof is the session's, and the requests that wait are sent again.
  case answered
  /// This is what the server said to what was submitted. If it is a challenge again, that is the next round; if not,
  /// the challenge has been answered.
  case submitted(TransportResponse)
  /// It is no challenge after all: each request that waits gets the response that it met, as it is.
  case notMine
}
