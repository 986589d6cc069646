import OstiaryCore

/// The properties of the imitated Salesforce that an administrator decides there, or that its vendor never published.
public struct SalesforceDoorConfiguration: Sendable {
  /// A flow that today's practice has given up (RFC 9700 §2.1.2 and §2.4), and that orgs of Salesforce can turn on.
  package enum InsecureFlow: Sendable, Hashable, CaseIterable {
    /// `grant_type=password`: apps handle people's passwords.
    case usernamePassword
    /// `response_type=token`: tokens are in the browser's address.
    case userAgent
  }

  // MARK: Orgs and apps

  /// The orgs. A user who signs in belongs to the first org that has a user of that name.
  package var orgs = [SalesforceOrg()]
  /// The connected apps. If there is none, one for `ostiary` is made, and stored with the users.
  public var apps: [SalesforceConnectedApp] = []
  /// The insecure flows that are on. None by default.
  package var insecureFlows: Set<InsecureFlow> = []

  // MARK: Sessions and tokens

  /// An access token ends after this much time without a request. 2 h by default, as with the vendor.
  public var sessionTimeout: Duration = .seconds(2 * 3600)
  /// How long an authorization code is valid. 15 min by default, as with the vendor.
  package var codeLifetime: Duration = .seconds(15 * 60)
  /// The most approvals of one user for one app; one more silently ends the oldest. 5 by default, as with the vendor.
  package var mostApprovals = 5
  /// Whether a refresh token that is being used already is refused: “Token request is already being processed.” Off by
  /// default: every caller gets an answer.
  package var refusesConcurrentRefreshes = false
  /// The numeric addresses from which a password is enough; from other addresses the security token has to follow it.
  package var trustedAddresses = ["127.0.0.1", "::1"]
  /// How long a user stays signed in with their browser: two hours without a request, and a day at most, by default.
  package var browserSessionLimits = SalesforceDoorConfiguration.browserLimits
  /// How long a device waits for a user's approval. 10 min by default.
  package var deviceCodeLifetime: Duration = .seconds(600)
  /// How long a device waits between two polls. 5 s by default.
  package var deviceInterval: Duration = .seconds(5)

  // MARK: Data

  /// Calls that an org's programs may make in 24 hours; one more gets 403 `REQUEST_LIMIT_EXCEEDED`. 100,000 by default.
  package var dailyRequests = 100_000
  /// The most records of an org. 10,000 by default.
  package var mostRecords = 10_000
  /// The origin of the data for programs, if it is not the server's: `instance_url`.
  package var instanceURL: String?

  /// The defaults.
  public init() {}

  private static var browserLimits: SessionLimits {
    var limits = SessionLimits()
    limits.idle = .seconds(2 * 3600)
    limits.absolute = .seconds(24 * 3600)
    return limits
  }

  package var problems: [String] {
    var problems = apps.flatMap(\.problems)
    if orgs.isEmpty { problems.append("Salesforce needs an org.") }
    if !orgs.allSatisfy({ $0.tenant.map(TenantName.isValid) ?? true }) {
      problems.append("A Salesforce org's tenant must be a name of letters, digits, dots, hyphens or underscores.")
    }
    if !orgs.allSatisfy({ $0.id.short.hasPrefix(SalesforceRecordID.Prefix.organization.rawValue) }) {
      problems.append("A Salesforce org's id must begin with 00D.")
    }
    if Set(orgs.map(\.id)).count < orgs.count || Set(orgs.map(\.tenant)).count < orgs.count {
      problems.append("Salesforce's orgs must differ in their ids and tenants.")
    }
    let communities = orgs.flatMap(\.communities)
    if !communities.allSatisfy(\.isWellFormed) {
      problems.append("A Salesforce community's path must be one segment such as customers, and its id begin with 0DB.")
    }
    if Set(communities.map(\.path)).count < communities.count {
      problems.append("Salesforce's communities must differ in their paths.")
    }
    if Set(apps.map(\.consumerKey)).count < apps.count {
      problems.append("Salesforce's connected apps must differ in their consumer keys.")
    }
    if trustedAddresses.contains(where: { ClientAddress($0) == nil }) {
      problems.append("An address that Salesforce trusts must be numeric.")
    }
    if let instanceURL, Origin(plain: instanceURL) == nil {
      problems.append("Salesforce's instance URL must look like https://na1.example.org, without a path.")
    }
    let times = [sessionTimeout, codeLifetime, deviceCodeLifetime, deviceInterval]
    if times.contains(where: { $0 <= .zero }) { problems.append("Salesforce's times must be more than nothing.") }
    if mostApprovals < 1 || dailyRequests < 0 || mostRecords < 0 {
      problems.append("Salesforce's limits must be 0 or more, and approvals 1 or more.")
    }
    return problems
  }
}
