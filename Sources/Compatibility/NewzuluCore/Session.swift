package import OstiaryNewzulu

/// A user's session with the platform.
public struct Session: Sendable, Hashable {
  /// The user.
  public let user: User

  package init(user: User) {
    self.user = user
  }
}

/// The user whom a session belongs to.
public struct User: Sendable, Hashable, Identifiable {
  /// The unique ID of the user on the server.
  public let id: String
  /// The username.
  public let username: String
  /// The first name.
  public let firstName: String?
  /// The last name.
  public let lastName: String?
  /// The e-mail address.
  public let email: String?

  package init(_ user: NewzuluUser) {
    id = user.id
    username = user.username
    firstName = user.firstName
    lastName = user.lastName
    email = user.email
  }
}
