public import OstiaryCore

/// What an app answers when a user has signed in with a provider.
public struct ProviderValidation: Sendable, Hashable {
  /// What it thinks of the user.
  public var result: ValidationResult
  /// Who the user is, if it knows. Counts only with a valid result.
  public var userID: String?
  /// Whether the user was not known before.
  public var isNewUser: Bool
  /// What the provider told; all of it becomes user properties.
  public var properties: [String: JSONValue]

  /// Makes an answer.
  public init(
    _ result: ValidationResult = .valid, userID: String? = nil, isNewUser: Bool = false,
    properties: [String: JSONValue] = [:]
  ) {
    self.result = result
    self.userID = userID
    self.isNewUser = isNewUser
    self.properties = properties
  }
}
