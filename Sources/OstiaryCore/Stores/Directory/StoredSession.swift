/// One entry of a store's directory.
public struct StoredSession: Sendable, Equatable {
  /// Where it rests.
  public let key: SessionKey
  /// What it is.
  public let content: Content

  /// What a stored session turned out to be.
  public enum Content: Sendable, Equatable {
    /// A session.
    case session(SessionSummary)
    /// Something is stored that can't be read, for this reason: it is locked, sealed with another key, from a later
    /// version, or damaged.
    case unreadable(OstiaryError)
  }
}
