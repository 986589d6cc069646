/// A community (an Experience Cloud site): a part of an org under a path of its own, where the same addresses are found as
/// at the root. Who signs in there sees their own cases only.
public struct SalesforceCommunity: Sendable, Hashable {
  /// The one segment of the path: `customers`.
  public var path: String
  /// The id, which begins with `0DB`. By default it follows from the path.
  public var id: SalesforceID

  /// Makes a community.
  public init(path: String, id: SalesforceID? = nil) {
    self.path = path
    self.id = id ?? SalesforceID(.community, derivedFrom: path)
  }

  /// Whether the path is one segment that needs no escaping and that nothing else wants.
  var isWellFormed: Bool {
    TenantName.isValid(path) && !path.hasPrefix(".") && !["services", "id", "setup", "secur"].contains(path)
      && id.short.hasPrefix(SalesforceID.Prefix.community.rawValue)
  }
}
