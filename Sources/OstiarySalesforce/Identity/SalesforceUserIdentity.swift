public import Foundation
public import OstiaryCore

/// Who a user is among all users of all orgs. Identities with 15- and 18-character spellings are equal and hash equally.
public struct SalesforceUserIdentity: Sendable, Hashable, Codable {
  /// The org.
  public let orgID: SalesforceID
  /// The user in it.
  public let userID: SalesforceID

  /// Makes an identity.
  public init(userID: SalesforceID, orgID: SalesforceID) {
    self.userID = userID
    self.orgID = orgID
  }

  /// Reads identifiers of either length.
  /// - Returns: `nil` when one of them is none.
  public init?(userID: String, orgID: String) {
    guard let user = SalesforceID(userID), let org = SalesforceID(orgID) else { return nil }
    self.init(userID: user, orgID: org)
  }

  /// Reads an identity URL, `https://login.salesforce.com/id/{org}/{user}`: a trailing slash, a query, a fragment and a
  /// community's path before `/id/` do no harm.
  /// - Returns: `nil` when it is none.
  public init?(identityURL: URL) {
    let parts = identityURL.path(percentEncoded: false).split(separator: "/")
    guard parts.count >= 3, parts[parts.count - 3] == "id" else { return nil }
    self.init(userID: String(parts[parts.count - 1]), orgID: String(parts[parts.count - 2]))
  }

  /// Whose session it is, as ``SalesforceAuthenticator`` names its users.
  public init?(_ user: Session.User) {
    let parts = user.id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(userID: String(parts[1]), orgID: String(parts[0]))
  }

  /// What ``SalesforceAuthenticator`` calls the user: org and user with a slash between them, 18 characters each.
  public var name: String { "\(orgID.id18)/\(userID.id18)" }
}

extension SalesforceUserIdentity: Comparable, CustomStringConvertible {
  public static func < (lhs: SalesforceUserIdentity, rhs: SalesforceUserIdentity) -> Bool { lhs.name < rhs.name }
  /// The ``name``.
  public var description: String { name }
}
