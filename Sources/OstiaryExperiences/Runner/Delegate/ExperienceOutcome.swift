/// How an experience ended.
public enum ExperienceOutcome: Sendable, Hashable {
  /// A user has logged in or signed up.
  case signedIn(SignedInUser)
  /// A flow of another kind came to its end; this is its id.
  case completed(flow: String)
  /// The user did not want to.
  case skipped
  /// It was closed, by the user or the app.
  case dismissed
}
