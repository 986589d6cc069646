/// An org: its users, who are those of one tenant, its data, and its communities.
public struct SalesforceOrg: Sendable, Hashable {
  /// Whose users are the org's: the tenant's, or, without one, those of the server at large.
  public var tenant: String?
  /// The name to show.
  public var name: String
  /// The id, which begins with `00D`. By default it follows from the tenant, so that it is the same for ever.
  public var id: SalesforceID
  /// Where its customers sign in.
  public var communities: [SalesforceCommunity]
  /// Whether it says that it is a sandbox.
  public var isSandbox = false
  /// Whether programs may use its data. Where not, calls get 403 `API_DISABLED_FOR_ORG`.
  public var allowsAPI = true

  /// Makes an org.
  public init(
    tenant: String? = nil, name: String = "Ostiary", id: SalesforceID? = nil, communities: [SalesforceCommunity] = []
  ) {
    self.tenant = tenant
    self.name = name
    self.id = id ?? SalesforceID(.organization, derivedFrom: tenant ?? "")
    self.communities = communities
  }
}
