public import OstiaryCore

/// A user of the platform.
///
/// Identifiers come as numbers or as strings and are text here. Names and addresses that are `null`, empty or missing are
/// all `nil`.
public struct NewzuluUser: Sendable, Hashable, Identifiable {
  /// The user's identifier at the server.
  public let id: String
  /// The user's name on the platform.
  public let username: String
  /// The first name.
  public let firstName: String?
  /// The last name.
  public let lastName: String?
  /// The e-mail address.
  public let email: String?
  /// Everything that the server said of the user, as it came. Never a session token.
  public let attributes: [String: JSONValue]

  /// Reads a user.
  /// - Returns: `nil` when there is no identifier or no username.
  public init?(_ members: [String: JSONValue], configuration: NewzuluConfiguration = NewzuluConfiguration()) {
    let keys = configuration.userKeys
    guard let id = members[keys.id]?.looseText, let username = members[keys.username]?.looseText else { return nil }
    self.id = id
    self.username = username
    firstName = members[keys.firstName]?.looseText
    lastName = members[keys.lastName]?.looseText
    email = members[keys.email]?.looseText
    attributes = members.filter { $0.key != configuration.tokenName }
  }

  /// Whose session it is.
  /// - Returns: `nil` for a session of another kind of server.
  public init?(_ session: Session, configuration: NewzuluConfiguration = NewzuluConfiguration()) {
    guard session.kind == .newzulu else { return nil }
    self.init(session.attributes, configuration: configuration)
  }

  /// The name to show: first and last name where there is one, else the username.
  public var displayName: String {
    let names = [firstName, lastName].compactMap(\.self)
    return names.isEmpty ? username : names.joined(separator: " ")
  }
}
