public import OstiaryCore

/// A user to be registered.
public struct NewzuluRegistration: Sendable {
  /// The user's name on the platform.
  public var username: String
  /// The password.
  public var password: Secret
  /// The e-mail address.
  public var email: String?
  /// The first name.
  public var firstName: String?
  /// The last name.
  public var lastName: String?
  /// Whether the user can sign in at once, without being activated.
  public var isActive = true

  /// Makes a registration.
  public init(
    username: String, password: Secret, email: String? = nil, firstName: String? = nil, lastName: String? = nil
  ) {
    self.username = username
    self.password = password
    self.email = email
    self.firstName = firstName
    self.lastName = lastName
  }

  func members(_ keys: NewzuluConfiguration.UserKeys) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      keys.username: .string(username), "password": .string(password.reveal()),
    ]
    members[keys.email] = email.map(JSONValue.string)
    members[keys.firstName] = firstName.map(JSONValue.string)
    members[keys.lastName] = lastName.map(JSONValue.string)
    return members
  }
}
