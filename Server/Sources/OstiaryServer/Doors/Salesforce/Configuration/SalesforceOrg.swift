import OstiaryCore

/// An org: its users, who are those of one tenant, its data, and its communities.
package struct SalesforceOrg: Sendable, Hashable {
  /// Whose users are the org's: the tenant's, or, without one, those of the server at large.
  package var tenant: String?
  /// The name to show.
  package var name: String
  /// The id, which begins with `00D`. By default it follows from the tenant, so that it is the same for ever.
  package var id: SalesforceRecordID
  /// Where its customers sign in.
  package var communities: [SalesforceCommunity]
  /// Whether it says that it is a sandbox.
  package var isSandbox = false
  /// Whether programs may use its data. Where not, calls get 403 `API_DISABLED_FOR_ORG`.
  package var allowsAPI = true

  /// Makes an org.
  package init(
    tenant: String? = nil, name: String = "Ostiary", id: SalesforceRecordID? = nil,
    communities: [SalesforceCommunity] = []
  ) {
    self.tenant = tenant
    self.name = name
    self.id = id ?? SalesforceRecordID(.organization, derivedFrom: tenant ?? "")
    self.communities = communities
  }
}

/// A community (an Experience Cloud site): a part of an org under a path of its own, where the same addresses are found as
/// at the root. Who signs in there sees their own cases only.
package struct SalesforceCommunity: Sendable, Hashable {
  /// The one segment of the path: `customers`.
  package var path: String
  /// The id, which begins with `0DB`. By default it follows from the path.
  package var id: SalesforceRecordID

  /// Makes a community.
  package init(path: String, id: SalesforceRecordID? = nil) {
    self.path = path
    self.id = id ?? SalesforceRecordID(.community, derivedFrom: path)
  }

  /// Whether the path is one segment that needs no escaping and that nothing else wants.
  var isWellFormed: Bool {
    TenantName.isValid(path) && !path.hasPrefix(".") && !["services", "id", "setup", "secur"].contains(path)
      && id.short.hasPrefix(SalesforceRecordID.Prefix.community.rawValue)
  }
}

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
