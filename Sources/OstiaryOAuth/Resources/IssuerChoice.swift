public import Foundation

/// Which of the authorization servers that an API names a program goes to. An API may not choose where a user types a password.
public enum IssuerChoice: Sendable {
  /// These alone, in the program's order: the first that the API names, too.
  case named([String])
  /// The program is asked, once for the servers that the API names: it asks its user, for example. It answers with one
  /// of them, or with `nil` to go to none.
  case asking(@Sendable (IssuerQuestion) async throws -> String?)
}

/// Which authorization server an API's tokens are to come from.
public struct IssuerQuestion: Sendable, Hashable {
  /// The API, in the program's own words.
  public let api: URL
  /// What the API says of itself. Its name for people is only what it says.
  public let resource: ResourceMetadata
  /// The issuers that it names.
  public let issuers: [String]
}

/// An API and the authorization server that gives tokens for it.
public struct ProtectedResource: Sendable, Hashable {
  /// What the API says of itself.
  public let metadata: ResourceMetadata
  /// The issuer that the program goes to.
  public let issuer: String
}
