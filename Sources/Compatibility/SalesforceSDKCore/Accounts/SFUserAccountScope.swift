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
/// A drop-in for the function of this name in Salesforce's Mobile SDK.
/// - Returns: `nil` without an account, unless the scope is global.
public func SFKeyForUserAndScope(_ user: SFUserAccount?, _ scope: SFUserAccountScope) -> String? {
  if let user { return user.underlying.key(for: scope.scope) }
  return scope == .global ? SFUserAccount.globalKey : nil
}

extension SFUserAccount {
  static let globalKey = "global"
}
