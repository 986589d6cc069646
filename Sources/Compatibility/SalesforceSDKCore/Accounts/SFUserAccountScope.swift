internal import OstiarySalesforce

/// Whose something is that an app keeps.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFUserAccountScope: UInt, Sendable, CaseIterable {
  /// All users'.
  case global = 0
  /// All users' of an org.
  case org
  /// One user's.
  case user
  /// One user's as a member of one community.
  case community

  fileprivate var scope: SalesforceScope {
    switch self {
    case .global: .global
    case .org: .org
    case .user: .user
    case .community: .community
    }
  }
}

/// A key under which an app keeps something.
///
/// A drop-in for the function of this name in Salesforce's Mobile SDK. Identifiers have 18 characters in it.
/// - Returns: `nil` without an account, unless the scope is global.
public func SFKeyForUserAndScope(_ user: SFUserAccount?, _ scope: SFUserAccountScope) -> String? {
  if let account = user?.underlying { return account.key(for: scope.scope) }
  guard let user else { return scope == .global ? SFKeyForGlobalScope() : nil }
  let identity = user.accountIdentity
  return SFKeyForUserIdAndScope(identity.userId, identity.orgId, user.communityId, scope)
}

/// A key under which an app keeps something, by the identifiers alone.
///
/// A drop-in for the function of this name in Salesforce's Mobile SDK.
/// - Returns: `nil` without the identifiers that the scope needs.
public func SFKeyForUserIdAndScope(
  _ userId: String?, _ orgId: String?, _ communityId: String?, _ scope: SFUserAccountScope
) -> String? {
  func key(_ id: String?) -> String? { id.flatMap { $0.isEmpty ? nil : SalesforceID.normalized($0) } }
  switch scope {
  case .global: return SFKeyForGlobalScope()
  case .org: return key(orgId)
  case .user, .community:
    guard let org = key(orgId), let user = key(userId) else { return nil }
    // The vendor's own words for "none", so that what was stored is found.
    return scope == .user ? "\(org)-\(user)" : "\(org)-\(user)-\(communityId ?? "(null)")"
  }
}

/// The key of what all users of an app share.
///
/// A drop-in for the function of this name in Salesforce's Mobile SDK.
public func SFKeyForGlobalScope() -> String { "global" }
