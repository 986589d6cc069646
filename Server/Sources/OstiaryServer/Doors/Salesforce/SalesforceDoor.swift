import Foundation
import HTTPTypes
import Logging
public import OstiaryCore

/// The door that speaks Salesforce: its OAuth endpoints with their dialect, identity documents, a little of an org's data,
/// and the same below communities' paths.
///
/// Sources: Salesforce's help on authorization flows and connected apps, the REST API's guide, and requests of the Mobile
/// SDK. What an administrator decides there, or what nobody published, is in ``SalesforceDoorConfiguration``.
public struct SalesforceDoor: Door {
  public let name = "salesforce"
  public let title = "Salesforce"

  let configuration: SalesforceDoorConfiguration
  let origin: Origin
  let identity: IdentityService
  let clients: ServerClients
  let tokens: ServerTokens
  /// The apps, by their consumer keys.
  let apps: [String: SalesforceConnectedApp]
  let assertionKeys: [String: SalesforceAssertionKey]
  let keys: SalesforceKeys
  let records: SalesforceRecords
  let quota: SalesforceQuota
  let refreshes = SalesforceRefreshes()
  let codeTries = SalesforceCodeTries()
  /// The assertions that tokens have been issued for.
  let usedAssertions = OneTimeNumbers()
  let browserSessions: ServerSessions
  let seal = PageSeal()
  let cookies: PageCookies
  let pages: SalesforcePages
  private let app: SalesforceConnectedApp?

  init(
    _ parts: SalesforceParts, keys: SalesforceKeys, apps: [SalesforceConnectedApp], origin: Origin,
    identity: IdentityService
  ) {
    configuration = parts.configuration
    clients = parts.clients
    tokens = parts.tokens
    records = parts.records
    quota = parts.quota
    browserSessions = parts.browserSessions
    self.keys = keys
    self.origin = origin
    self.identity = identity
    self.apps = Dictionary(apps.map { ($0.consumerKey, $0) }) { first, _ in first }
    assertionKeys = self.apps.compactMapValues { $0.certificate.flatMap(SalesforceAssertionKey.init(pem:)) }
    app = apps.first
    cookies = .salesforce(isSecure: origin.isSecure)
    pages = SalesforcePages(name: configuration.orgs.first?.name ?? "Salesforce")
  }

  var now: Date { identity.clock.now }

  public var address: String { origin.description }

  /// The first app's consumer key, which is no secret.
  public var consumerKey: String? { app?.consumerKey }

  /// The first app's first callback URL.
  public var callbackURL: String? { app?.callbackURLs.first }

  /// What the user appends to the password at an address that isn't trusted. Salesforce sends it by e-mail.
  public func securityToken(of user: User) -> Secret { keys.securityToken(of: user) }

  public func signIn(as username: String) -> String {
    var command = "ostiary login salesforce --server \(address) --user \(username.shellWord)"
    if let consumerKey { command += " --option client-id=\(consumerKey)" }
    return command
  }

  // MARK: Addresses

  /// Every org.
  var root: SalesforceEntry { SalesforceEntry(orgs: configuration.orgs) }

  /// Where programs reach the data.
  var instanceURL: String {
    configuration.instanceURL.flatMap(ServerConfiguration.origin)?.description ?? origin.description
  }

  /// The address of a user's identity document.
  func identityURL(_ user: User, _ org: SalesforceOrg) -> String {
    "\(origin.description)/id/\(org.id.long)/\(SalesforceID(user).long)"
  }

  public var routes: [Route] {
    let communities = configuration.orgs.flatMap { org in org.communities.map { SalesforceEntry($0, of: org) } }
    return ([root] + communities).flatMap { oauthRoutes($0) + browserRoutes($0) + dataRoutes($0) }
  }

  private func oauthRoutes(_ entry: SalesforceEntry) -> [Route] {
    let base = entry.path + "/services/oauth2"
    return [
      Route(
        base + "/token",
        [
          .post: { try await token($0, entry) },
          .get: {
            try SalesforceOAuthFailure.mustPost.response(SalesforceOAuthFormat($0, SalesforceForm(query: $0.query)))
          },
        ]),
      Route(base + "/revoke", [.post: { try await revoke($0) }, .get: { try await revoke($0) }]),
      Route(base + "/introspect", [.post: { try await introspect($0) }]),
      Route(
        base + "/userinfo", [.get: { try await userInfo($0, entry) }, .post: { try await userInfo($0, entry) }]),
      Route(entry.path + "/id/:org/:user", [.get: { try await identityDocument($0, entry) }]),
      Route(entry.path + "/.well-known/openid-configuration", [.get: { _ in try discovery(entry) }]),
    ]
  }

  private func browserRoutes(_ entry: SalesforceEntry) -> [Route] {
    let authorize = entry.path + "/services/oauth2/authorize"
    let connect = entry.path + "/setup/connect"
    return [
      Route(
        authorize,
        [.get: { try await self.authorize($0, entry) }, .post: { try await authorizeHeadless($0, entry) }]),
      Route(authorize + "/login", [.post: { try await submitAuthorizeLogin($0, entry) }]),
      Route(authorize + "/consent", [.post: { try await submitConsent($0, entry) }]),
      Route(connect, [.get: { try await self.connect($0, entry) }]),
      Route(connect + "/login", [.post: { try await submitConnectLogin($0, entry) }]),
      Route(connect + "/code", [.post: { try await submitUserCode($0, entry) }]),
      Route(connect + "/decision", [.post: { try await submitDeviceDecision($0, entry) }]),
    ]
  }

  func log(_ error: ServerError) {
    identity.audit.logger.error("request failed", metadata: ["error": "\(error.code)"])
  }
}
