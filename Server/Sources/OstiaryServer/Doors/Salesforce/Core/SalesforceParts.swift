import Logging
import OstiaryCore

/// The parts of the server that the door uses, for the lifetime of the server.
struct SalesforceParts: Sendable {
  let configuration: SalesforceDoorConfiguration
  let clients: ServerClients
  let tokens: ServerTokens
  let records: SalesforceRecords
  let queries: SalesforceQueries
  let quota: SalesforceQuota
  private let browserSessions: ServerSessions
  private let storage: ServerStorage

  init(
    _ configuration: SalesforceDoorConfiguration, storage: ServerStorage, clock: any SessionClock, logger: Logger
  ) {
    self.configuration = configuration
    self.storage = storage
    clients = ServerClients(storage: storage, clock: clock)
    tokens = ServerTokens(storage: storage, clock: clock, logger: logger)
    records = SalesforceRecords(storage: storage, clock: clock, most: configuration.mostRecords)
    queries = SalesforceQueries(storage: storage)
    quota = SalesforceQuota(storage, most: configuration.dailyRequests)
    browserSessions = ServerSessions(
      storage: storage, limits: configuration.browserSessionLimits, clock: clock, purpose: "salesforce")
  }

  /// The front room, at which people sign in and consent, once the door's address is known.
  func room(at origin: Origin, clock: any SessionClock) -> FrontRoom {
    let cookies = PageCookies(
      session: "ostiary-salesforce", browser: "ostiary-salesforce-browser", purpose: "ostiary.salesforce.",
      isSecure: origin.isSecure)
    let instance = configuration.instanceURL.flatMap(Origin.init(plain:))
    return FrontRoom(
      seal: PageSeal(storage.key, of: "salesforce"), cookies: cookies, sessions: browserSessions,
      storage: storage, origins: Set([origin, instance].compactMap { $0 }), clock: clock)
  }

  /// The door, once its address is known.
  /// - Throws: ``ServerConfigurationError`` for an app that can't be registered.
  func door(at origin: Origin, identity: IdentityService) async throws -> SalesforceDoor {
    let keys = try await SalesforceKeys.load(from: storage)
    let apps = configuration.apps.isEmpty ? [Self.ownApp(keys.consumerKey)] : configuration.apps
    for app in apps { try await register(app) }
    return SalesforceDoor(self, keys: keys, apps: apps, origin: origin, identity: identity)
  }

  /// The app that exists if no other is configured: a program on the user's own machine.
  private static func ownApp(_ consumerKey: String) -> SalesforceConnectedApp {
    var app = SalesforceConnectedApp(
      consumerKey: consumerKey, name: "Ostiary",
      callbackURLs: ["http://127.0.0.1/callback", "http://localhost:1717/OauthRedirect"])
    app.acceptsAnyLoopbackPort = true
    app.requiresCodeChallenge = true
    return app
  }

  /// Registers an app with the token core, or updates it to the current configuration. Its tokens stay valid.
  private func register(_ app: SalesforceConnectedApp) async throws {
    do {
      try await registered(app)
    } catch {
      if error.isStorageFault { throw error }
      throw ServerConfigurationError(problems: ["The connected app “\(app.name)”: \(error.message)"])
    }
  }

  private func registered(_ app: SalesforceConnectedApp) async throws(ServerError) {
    let policy = app.tokenPolicy(configuration)
    let registration = ClientRegistration(
      id: app.consumerKey, name: app.name, redirectURIs: app.callbackURLs, scopes: app.scopes, policy: policy,
      attributes: ["door": "salesforce"],
      authentication: app.consumerSecret.map { .secret($0) } ?? .none)
    var known = try await clients.client(id: app.consumerKey)
    if let old = known, old.isConfidential != (app.consumerSecret != nil) {
      try await clients.remove(old.id)
      known = nil
    }
    guard let known else {
      try await clients.register(registration)
      return
    }
    // A database that takes no writes for now may have all of it.
    let isCurrent =
      known.name == registration.name && known.redirectURIs == registration.redirectURIs
      && known.scopes == registration.scopes && known.policy == policy && known.attributes == registration.attributes
    if !isCurrent {
      try await clients.update(app.consumerKey) { old in
        old.name = registration.name
        old.redirectURIs = registration.redirectURIs
        old.scopes = registration.scopes
        old.policy = policy
        old.attributes = registration.attributes
      }
    }
    guard let secret = app.consumerSecret else { return }
    if case .refused = try await clients.check(id: app.consumerKey, secret: secret) {
      _ = try await clients.addSecret(secret, clientID: app.consumerKey)
    }
    try await clients.retireOldSecrets(clientID: app.consumerKey)
  }
}
