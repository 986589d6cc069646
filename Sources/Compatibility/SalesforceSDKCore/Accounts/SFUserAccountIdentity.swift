public import Foundation
package import OstiarySalesforce

/// Who a user is: identifiers of the user and of the org.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK. Identities whose identifiers are the same in their
/// spellings of 15 and of 18 characters are equal, and, unlike the vendor's, have the same hash.
public final class SFUserAccountIdentity: NSObject, NSCopying, Sendable {
  /// The user's identifier, as it was given.
  public let userId: String
  /// The org's identifier, as it was given.
  public let orgId: String

  /// Makes an identity.
  public init(userId: String, orgId: String) {
    self.userId = userId
    self.orgId = orgId
    super.init()
  }

  convenience init(_ identity: SalesforceUserIdentity) {
    self.init(userId: identity.userID.id18, orgId: identity.orgID.id18)
  }

  /// The same, as the module below knows it; `nil` when the identifiers are none.
  package var identity: SalesforceUserIdentity? { SalesforceUserIdentity(userID: userId, orgID: orgId) }

  /// The org and the user as 18 characters each, or as they are when they are no identifiers.
  private var key: String { "\(SalesforceID.normalized(orgId))_\(SalesforceID.normalized(userId))" }

  public override func isEqual(_ object: Any?) -> Bool { (object as? SFUserAccountIdentity)?.key == key }

  public override var hash: Int { key.hashValue }

  /// The order by org and then user.
  public func compare(_ otherIdentity: SFUserAccountIdentity?) -> ComparisonResult {
    guard let other = otherIdentity?.key else { return .orderedDescending }
    return key == other ? .orderedSame : key < other ? .orderedAscending : .orderedDescending
  }

  /// Whether credentials are this user's.
  public func matchesCredentials(_ credentials: SFOAuthCredentials) -> Bool {
    guard let userId = credentials.userId, let orgId = credentials.organizationId else { return false }
    return isEqual(SFUserAccountIdentity(userId: userId, orgId: orgId))
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override var description: String { "SFUserAccountIdentity(\(orgId), \(userId))" }
}
