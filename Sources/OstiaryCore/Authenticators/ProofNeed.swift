/// When a request needs the proof of a session.
public enum ProofNeed: Sendable, Hashable {
  /// Always: a request waits until a user is signed in.
  case always
  /// Only when the server demands it. A request without a session goes out as it is, and only a challenge begins a
  /// sign-in: a gateway may not be in the way at all, inside the office for example.
  case whenChallenged
}
