import OstiaryCore

/// An org: its users, who are those of one tenant, its data, and its communities.
package struct SalesforceOrg: Sendable, Hashable {
  /// The tenant whose users are the org's; nil for the users without a tenant.
  package var tenant: String?
  /// The name to show.
  package var name: String
  /// The id, which begins with `00D`. By default it is derived from the tenant, and so never changes.
  package var id: SalesforceRecordID
  /// The communities at which its customers sign in.
  package var communities: [SalesforceCommunity]
  /// Whether it reports that it is a sandbox.
  package var isSandbox = false
  /// Whether programs may use its data. If not, calls get 403 `API_DISABLED_FOR_ORG`.
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

/// A community (an Experience Cloud site): a part of an org below a path of its own, which has the same addresses as
/// the root. A user who signs in there sees only their own cases.
package struct SalesforceCommunity: Sendable, Hashable {
  /// The one segment of the path: `customers`.
  package var path: String
  /// The id, which begins with `0DB`. By default it is derived from the path.
  package var id: SalesforceRecordID

  /// Makes a community.
  package init(path: String, id: SalesforceRecordID? = nil) {
    self.path = path
    self.id = id ?? SalesforceRecordID(.community, derivedFrom: path)
  }

  /// Whether the path is one segment that needs no escaping and that no other route uses.
  var isWellFormed: Bool {
    TenantName.isValid(path) && !path.hasPrefix(".") && !["services", "id", "setup", "secur"].contains(path)
      && id.short.hasPrefix(SalesforceRecordID.Prefix.community.rawValue)
  }
}

/// The entry of a request: the root, for every org, or a community.
struct SalesforceEntry: Sendable {
  /// The path that precedes every path: empty, or `/customers`.
  let path: String
  /// The orgs whose users are admitted here.
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

  /// The org of a user, if the user is admitted here.
  func org(of user: User) -> SalesforceOrg? { orgs.first { $0.tenant == user.tenant } }
}
