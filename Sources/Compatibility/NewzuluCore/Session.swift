/// A user's session with the platform.
public struct Session: Sendable, Hashable {
  /// The user.
  public let user: User

  package init(user: User) {
    self.user = user
  }
}
