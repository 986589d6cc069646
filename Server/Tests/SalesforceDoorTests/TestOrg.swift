import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting

@testable import OstiaryServer

/// A running server with an org, two users and two apps, its time in the test's hands, and clients of it.
struct TestOrg: Sendable {
  let application: OstiaryApplication
  let door: SalesforceDoor
  let clock: ManualClock

  static let password: Secret = "a fine long password"
  static let callback = "app:/done"
  static let secret: Secret = "1955279925675241571-4d1c3f6a9be05278"
  /// An app whose refresh tokens are good once, and its like whose stay.
  static let rotating = "3MVG9.rotating"
  static let staying = "3MVG9.staying"

  /// Starts a server, lets `body` use it, and stops it, also after an error.
  static func run<Value: Sendable>(
    _ configure: (inout SalesforceDoorConfiguration) -> Void = { _ in }, body: (TestOrg) async throws -> Value
  ) async throws -> Value {
    let clock = ManualClock()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    var salesforce = SalesforceDoorConfiguration()
    salesforce.orgs = [SalesforceOrg(name: "Acme", communities: [SalesforceCommunity(path: "customers")])]
    salesforce.apps = [rotating, staying].map { key in
      var app = SalesforceConnectedApp(consumerKey: key, name: key, consumerSecret: secret, callbackURLs: [callback])
      app.requiresSecret = false
      app.allowsHeadlessSignIn = true
      app.rotatesRefreshTokens = key == rotating
      return app
    }
    configure(&salesforce)
    configuration.salesforce = salesforce
    let application = try OstiaryApplication(configuration)
    let running = try await application.start()
    let outcome: Result<Value, any Error>
    do {
      guard let door = running.doors.compactMap({ $0 as? SalesforceDoor }).first else { throw URLError(.badURL) }
      for name in ["ann@example.com", "bob@example.com"] {
        try await application.identity.addUser(name: name, email: name, password: password)
      }
      outcome = .success(try await body(TestOrg(application: application, door: door, clock: clock)))
    } catch {
      outcome = .failure(error)
    }
    await application.stop()
    return try outcome.get()
  }

  /// The accounts of an app.
  /// - Parameters:
  ///   - place: what follows the org's address: a community's path.
  ///   - address: another address of the org's.
  func accounts(
    _ app: String = rotating, at place: String = "", by address: String? = nil,
    authentication: ClientAuthentication = .none, store: any SessionStore = EphemeralStore()
  ) throws -> SalesforceAccounts {
    guard let host = SalesforceLoginHost((address ?? door.address) + place) else { throw URLError(.badURL) }
    var configuration = SalesforceAccountsConfiguration()
    // No call waits between attempts, and each as long as a slow machine takes.
    configuration.sessions.retry = RetryPolicy(attempts: 0, base: .zero)
    configuration.signOutPatience = .seconds(600)
    return SalesforceAccounts(
      clientID: app, authentication: authentication, loginHost: host, transport: PlatformTransport(), store: store,
      configuration: configuration)
  }

  /// What the server was asked.
  var entries: [RequestJournal.Entry] { application.journal?.entries ?? [] }

  /// How often a path that ends so was answered with a status.
  func count(_ end: String, _ status: Int) -> Int {
    entries.count { $0.path.hasSuffix(end) && $0.status == status }
  }

  /// How many renewals there were, failed ones too. Each sign-in has had one call of the token endpoint, too.
  func tokenCalls() -> Int {
    entries.count { $0.path.hasSuffix("/services/oauth2/token") }
  }

  /// Until no access token is good that is not used meanwhile.
  func letSessionsExpire() { clock.advance(by: .seconds(2 * 3600 + 60)) }
}

extension SalesforceAccounts {
  /// Signs a user in without a page.
  @discardableResult
  func signIn(as name: String, password: Secret = TestOrg.password) async throws -> SalesforceAccount {
    guard let callback = URL(string: TestOrg.callback) else { throw URLError(.badURL) }
    return try await signIn(
      with: .password(username: name, password: password), passwords: .headless(redirectURI: callback))
  }
}

extension SalesforceAccount {
  /// The status that a call is answered with.
  func limits() async throws -> Int { try await send(.get("/services/data/v59.0/limits")).status.code }

  /// Creates a case, and returns the status.
  func create(_ subject: String) async throws -> Int {
    try await send(.post("/services/data/v59.0/sobjects/Case", json: .object(["Subject": .string(subject)]))).status
      .code
  }

  /// What a query finds, of one field.
  func query(_ field: String, of object: String) async throws -> [String] {
    var path: String? = "/services/data/v59.0/query?q=SELECT+\(field)+FROM+\(object)+ORDER+BY+\(field)"
    var found: [String] = []
    while let page = path {
      let answer = JSONValue(json: try await send(.get(page)).body)
      found += answer?["records"]?.array?.compactMap { $0[field]?.string } ?? []
      path = answer?["nextRecordsUrl"]?.string
    }
    return found
  }
}

/// The error that `work` throws, as ours.
func failure(_ work: () async throws -> some Sendable) async -> OstiaryError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? OstiaryError
  }
}
