import OstiaryCore

/// Where a request came in: at the root, for every org, or at a community.
struct SalesforceEntry: Sendable {
  /// What precedes every path: nothing, or `/customers`.
  let path: String
  /// The orgs whose users may come in here.
  let orgs: [SalesforceOrg]
  let community: SalesforceCommunity?

  /// The root.
  init(orgs: [SalesforceOrg]) {
    path = ""
    self.orgs = orgs
    community = nil
  }

  /// A community.
  init(_ community: SalesforceCommunity, of org: SalesforceOrg) {
    path = "/" + community.path
    orgs = [org]
    self.community = community
  }

  /// The org that a user belongs to, if they may come in here.
  func org(of user: User) -> SalesforceOrg? { orgs.first { $0.tenant == user.tenant } }
}
