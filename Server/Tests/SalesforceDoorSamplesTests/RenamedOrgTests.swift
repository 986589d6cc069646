import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryServer
import OstiaryTesting
import SalesforceSDKCore
import ServiceCore
import Testing

/// An app against an org with a key, callback, scopes and version of its own, configured by a file alone. The settings belong to a process,
/// so each test has one of its own.
@Suite("An app against our server with another org", .timeLimit(.minutes(20)))
struct RenamedOrgTests {
  private static let password = "green bottles"

  private static func settings(at address: String, key: String = "3MVG9.acme") -> String {
    """
    {
      "loginHost": "\(address)", "consumerKey": "\(key)", "callback": "http://127.0.0.1/acme/signed-in",
      "scopes": ["api", "web"], "apiVersion": "61.0", "storeName": "acme-accounts",
      "names": {
        "SCServiceTypeCases": "acme-cases", "SCServiceErrorDomain": "AcmeServiceErrors",
        "kSFNotificationUserWillLogout": "AcmeWillLogout"
      }
    }
    """
  }

  private static func withOrg(_ body: (_ address: String, _ server: OstiaryApplication) async throws -> Void)
    async throws
  {
    var app = SalesforceConnectedApp(
      consumerKey: "3MVG9.acme", name: "Acme", consumerSecret: "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
      callbackURLs: ["http://127.0.0.1/acme/signed-in"])
    app.scopes = ["id", "api", "web", "refresh_token"]
    app.requiresSecret = false
    var door = SalesforceDoorConfiguration()
    door.insecureFlows = [.usernamePassword]
    door.apps = [app]
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.salesforce = door
    let server = try OstiaryApplication(configuration)
    let running = try await server.start()
    let address = try #require(running.doors.compactMap { $0 as? SalesforceDoor }.first).address
    try await server.identity.addUser(name: "ann@example.com", password: Secret(password))
    try await body(address, server)
    await server.stop()
  }

  private static func load(_ settings: String) throws -> SFUserAccountManager {
    let file = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString).json")
    try Data(settings.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try SalesforceSDKConfiguration.load(contentsOf: file)
    let manager = SFUserAccountManager.sharedInstance()
    manager.keepAccounts(in: EphemeralStore())
    // The way in which the app's own server gets tokens for its user.
    manager.authorizationFlow = OAuthFlow(needsPerson: true) { client, context in
      try await client.insecureTokens(forUsername: "ann@example.com", password: Secret(password), in: context)
    }
    return manager
  }

  private static func login(_ manager: SFUserAccountManager) async throws -> SFUserAccount {
    try await withCheckedThrowingContinuation { continuation in
      manager.login { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
  }

  static func live() async throws {
    try await withOrg { address, server in
      let manager = try load(settings(at: address))
      let account = try await login(manager)
      try #require(account.userName == "ann@example.com")
      try #require(manager.oauthClientId == "3MVG9.acme" && SCServiceType.cases.rawValue == "acme-cases")
      try #require(SCSAuthenticationSettings(mobileSDK: account) != nil)
      let identity = account.accountIdentity
      let stored = manager.userAccount(forUserIdentity: identity)
      try #require(stored?.credentials.accessToken == account.credentials.accessToken)
      await withCheckedContinuation { continuation in manager.logoutUser(account) { continuation.resume() } }
      try #require(manager.currentUser == nil)
      let entries = server.journal?.entries ?? []
      try #require(entries.contains { $0.path.hasSuffix("/services/oauth2/revoke") && $0.status == 200 })
    }
  }

  static func refuse() async throws {
    try await withOrg { address, _ in
      let manager = try load(settings(at: address, key: "3MVG9.other"))
      await #expect(throws: (any Error).self) { _ = try await login(manager) }
      try #require(manager.currentUser == nil)
    }
  }

  @Test("Bug-D02 Salesforce: an app configured by a file alone logs in to and out of our server's other org")
  func lives() async {
    await #expect(processExitsWith: .success) { try await RenamedOrgTests.live() }
  }

  @Test("Bug-D02 Salesforce: a key of the file that is not the org's is refused, and nobody is logged in")
  func refused() async {
    await #expect(processExitsWith: .success) { try await RenamedOrgTests.refuse() }
  }
}
