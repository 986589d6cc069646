/// What became of a user name and a password.
public enum LoginDecision: Sendable {
  /// Right: the user they belong to.
  case accepted(User)
  /// Wrong, or no such user, or disabled, or without a password: it is never said which.
  case refused
  /// Not looked at, because of too many wrong ones; the same whether the user exists or not. Answer 429 with
  /// `Retry-After`.
  case wait(retryAfter: Duration)
  /// Not looked at, because too many are being checked at once. Answer 503 with `Retry-After`.
  case overloaded(retryAfter: Duration)
  /// Not known, because the storage or the hash function failed. Answer 503, never 401.
  case unavailable(ServerError)
}
