import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryServer
import OstiaryTesting
import SalesforceSDKCore
import ServiceCore
import Testing

/// The vendor page's samples against the Salesforce door.
@Suite("The vendor page's samples against the Salesforce door", .serialized, .timeLimit(.minutes(20)))
struct VendorSamplesTests {
  private static let password = "green bottles"

  /// A server with an org and the user `ann@example.com`, and its clock.
  private struct Org {
    let server: OstiaryApplication
    let door: SalesforceDoor
    let clock: ManualClock

    /// How often a path was answered with a status.
    func count(_ end: String, _ status: Int) -> Int {
      (server.journal?.entries ?? []).count { $0.path.hasSuffix(end) && $0.status == status }
    }
  }

  private func withOrg(_ body: (Org) async throws -> Void) async throws {
    let clock = ManualClock()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    var salesforce = SalesforceDoorConfiguration()
    salesforce.insecureFlows = [.usernamePassword]
    configuration.salesforce = salesforce
    let server = try OstiaryApplication(configuration)
    let running = try await server.start()
    do {
      let door = try #require(running.doors.compactMap { $0 as? SalesforceDoor }.first)
      try await server.identity.addUser(name: "ann@example.com", password: Secret(Self.password))
      try await body(Org(server: server, door: door, clock: clock))
    } catch {
      Issue.record(error)
    }
    _ = await set(nil)
    await server.stop()
  }

  /// The way in which the app's own server gets tokens for its user.
  private static let flow = OAuthFlow(needsPerson: true) { client, context in
    try await client.insecureTokens(forUsername: "ann@example.com", password: Secret(password), in: context)
  }

  private func login(_ org: Org) async throws -> SFUserAccount {
    let manager = SFUserAccountManager.sharedInstance()
    manager.keepAccounts(in: EphemeralStore())
    manager.oauthClientId = try #require(org.door.consumerKey)
    manager.loginHost = org.door.address
    manager.authorizationFlow = Self.flow
    return try await withCheckedThrowingContinuation { continuation in
      manager.login { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
  }

  private func set(_ settings: SCSAuthenticationSettings?) async -> (Bool, Error?) {
    await withCheckedContinuation { continuation in
      ServiceCloud.shared().setAuthenticationSettings(settings, forServiceType: .cases) { success, error in
        continuation.resume(returning: (success, error))
      }
    }
  }

  private func list() async throws -> Int {
    try await ServiceCloud.shared().request(path: "/services/data/v58.0/sobjects/Case", forServiceType: .cases)
      .statusCode
  }

  @Test("Salesforce-E5, Salesforce-E6: settings of a client id and a dictionary: verified, used, and signed out")
  func settings() async throws {
    try await withOrg { org in
      let account = try await login(org)
      let settings = SampleSettings.settings(
        org.door.consumerKey ?? "", org.door.address, account.credentials.accessToken ?? "")
      let (success, error) = await set(settings)
      #expect(success && error == nil, "\(String(describing: error))")
      #expect(settings?.username == "ann@example.com")
      #expect(try await list() == 200)
      #expect(await set(nil).0)
      #expect(ServiceCloud.shared().authenticationSettings(forServiceType: .cases) == nil)
    }
  }

  @Test("Salesforce-E14: settings of a Mobile SDK account")
  func account() async throws {
    try await withOrg { org in
      let account = try await login(org)
      let identity = account.accountIdentity
      let settings = SampleSettings.settings(ofUser: String(identity.userId.prefix(15)), org: identity.orgId)
      #expect(await set(settings).0)
      #expect(try await list() == 200)
      _ = await set(nil)
      await withCheckedContinuation { continuation in
        SFUserAccountManager.sharedInstance().logoutUser(account) { continuation.resume() }
      }
      #expect(SCSAuthenticationSettings(mobileSDK: account) == nil)
    }
  }

  @Test("Salesforce-E3, Salesforce-E7: the delegate of the page: asked, used; after two hours told, then a guest")
  func delegate() async throws {
    try await withOrg { org in
      let account = try await login(org)
      let token = account.credentials.accessToken ?? ""
      // The app's own server, which knows the user's token.
      let backend = try LoopbackServer(answering: [.response(200, body: token)])
      defer { backend.stop() }
      let calls = Locked<[String]>([])
      SampleApp.page = backend.url("/auth").absoluteString
      SampleApp.note = { call in calls.withLock { $0.append(call) } }
      SampleApp.populate = { [key = org.door.consumerKey ?? "", address = org.door.address] data in
        SampleSettings.settings(key, address, String(decoding: data ?? Data(), as: UTF8.self))
      }
      let handler = await MainActor.run { MyAuthHandler() }
      #expect(try await list() == 200)
      #expect(try await list() == 200)
      #expect(calls.withLock { $0 } == ["shouldAuthenticate cases"])

      org.clock.advance(by: .seconds(2 * 3600 + 60))
      await #expect(throws: (any Error).self) { try await self.list() }
      #expect(calls.withLock { $0 } == ["shouldAuthenticate cases", "authenticationFailed 401"])
      #expect(org.count("/sobjects/Case", 401) == 1)
      withExtendedLifetime(handler) {}
    }
  }
}
