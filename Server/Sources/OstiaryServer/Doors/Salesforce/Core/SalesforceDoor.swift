import Foundation
import HTTPTypes
import Logging
public import OstiaryCore

/// The door that speaks Salesforce: its OAuth endpoints with their dialect, identity documents, a small part of an
/// org's data, and the same below communities' paths.
///
/// Sources: Salesforce's help on authorization flows and connected apps, the REST API's guide, and requests of the
/// Mobile SDK. Settings of an administrator, and facts that have not been published, are in
/// ``SalesforceDoorConfiguration``.
public struct SalesforceDoor: Sendable {
  package let name = "salesforce"
  package let title = "Salesforce"

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
  let queries: SalesforceQueries
  let quota: SalesforceQuota
  let refreshes: SalesforceRefreshes
  /// The assertions for which tokens have been issued.
  let usedAssertions: OneTimeNumbers
  /// The front room, at which people sign in and consent.
  let room: FrontRoom
  private let app: SalesforceConnectedApp?
  private let signInCommand: SalesforceSignInCommand?

  init(
    _ parts: SalesforceParts, keys: SalesforceKeys, apps: [SalesforceConnectedApp], origin: Origin,
    identity: IdentityService
  ) {
    configuration = parts.configuration
    clients = parts.clients
    tokens = parts.tokens
    records = parts.records
    queries = parts.queries
    quota = parts.quota
    refreshes = SalesforceRefreshes(identity.storage)
    usedAssertions = OneTimeNumbers(identity.storage, of: "salesforce assertion")
    self.keys = keys
    self.origin = origin
    self.identity = identity
    self.apps = Dictionary(apps.map { ($0.consumerKey, $0) }) { first, _ in first }
    assertionKeys = self.apps.compactMapValues { $0.certificate.flatMap(SalesforceAssertionKey.init(pem:)) }
    app = apps.first
    signInCommand = SalesforceSignInCommand(apps)
    room = parts.room(at: origin, clock: identity.clock)
  }

  var now: Date { identity.clock.now }

  /// The pages, in the language of a request's reader.
  func pages(for request: DoorRequest) -> SalesforcePages {
    SalesforcePages(name: configuration.orgs.first?.name ?? "Salesforce", texts: PageTexts(request))
  }

  package var address: String { origin.description }

  /// The first app's consumer key, which is not secret.
  package var consumerKey: String? { app?.consumerKey }

  /// The first app's first callback URL.
  package var callbackURL: String? { app?.callbackURLs.first }

  /// The text that the user appends to the password at an address that isn't trusted. Salesforce sends it by e-mail.
  public func securityToken(of user: User) -> Secret { keys.securityToken(of: user) }

  package func signIn(as username: String) -> String {
    "ostiary login salesforce --server \(address) --user \(username.shellWord)\(signInCommand?.options ?? "")"
  }

  /// Whether the command of ``signIn(as:)`` works only when the app's secret is saved in the file that it names.
  package var signInTakesSecretFile: Bool { signInCommand?.takesSecretFile ?? false }

  // MARK: Addresses

  /// Every org.
  var root: SalesforceEntry { SalesforceEntry(orgs: configuration.orgs) }

  /// The address of the data for programs.
  var instanceURL: String {
    configuration.instanceURL.flatMap(Origin.init(plain:))?.description ?? origin.description
  }

  /// The address of a user's identity document.
  func identityURL(_ user: User, _ org: SalesforceOrg) -> String {
    "\(origin.description)/id/\(org.id.long)/\(SalesforceRecordID(user).long)"
  }

  func log(_ error: ServerError) {
    identity.audit.logger.error("request failed", metadata: ["error": "\(error.code)"])
  }
}
