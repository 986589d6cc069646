import Foundation
import OstiaryCore
import OstiaryOAuth
import SalesforceSDKCore
import ServiceCore
import TestSupport
import Testing

/// The samples against a server. They ask nothing of it but addresses, so that another server can take its place.
@Suite("The vendor page's samples", .serialized, .timeLimit(.minutes(20)))
final class VendorSamplesTests {
  let org: OrgStub

  init() throws {
    org = try OrgStub()
    SampleApp.page = org.url + "/auth"
    SampleApp.note = { [org] in org.note($0) }
    SampleApp.populate = { data in
      let answer = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
      return SampleSettings.settings(OrgStub.clientID, answer["instance_url"] ?? "", answer["access_token"] ?? "")
    }
  }

  deinit { org.stop() }

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

  @Test("Salesforce-E1: settings of a client id and a dictionary; verified and used")
  func settings() async throws {
    let answer = org.tokens()
    let settings = SampleSettings.settings(OrgStub.clientID, org.url, answer["access_token"] ?? "")
    let (success, error) = await set(settings)
    #expect(success && error == nil)
    #expect(try await list() == 200)
    // Without an identity URL the userinfo service is asked.
    #expect(org.log == ["GET /services/oauth2/userinfo", "GET /services/data/v58.0/sobjects/Case"])
    _ = await set(nil)
    #expect(SampleSettings.settings(OrgStub.clientID, "", "token") == nil)
  }

  @Test("Salesforce-E14: settings of a Mobile SDK account that has logged in; none when it has logged out")
  func account() async throws {
    let manager = SFUserAccountManager.sharedInstance()
    manager.keepAccounts(in: EphemeralStore())
    manager.oauthClientId = OrgStub.clientID
    manager.loginHost = org.url
    let tokens = org.tokens(refreshable: true)
    manager.authorizationFlow = OrgStub.flow(tokens)
    let account: SFUserAccount = try await withCheckedThrowingContinuation { continuation in
      manager.login { _, account in
        continuation.resume(returning: account)
      } failure: { _, error in
        continuation.resume(throwing: error)
      }
    }
    let settings = SampleSettings.settings(ofUser: OrgStub.annID, org: OrgStub.orgID)
    #expect(settings?.isGuestUser == false)
    #expect(await set(settings).0)
    #expect(try await list() == 200)
    _ = await set(nil)
    await withCheckedContinuation { continuation in
      manager.logoutUser(account) { continuation.resume() }
    }
    #expect(SCSAuthenticationSettings(mobileSDK: account) == nil)
    #expect(manager.userAccount(forUserIdentity: account.accountIdentity) == nil)
  }

  @Test("Salesforce-E3, Salesforce-E7: the delegate of the page: asked once, used; told of the failure, then a guest")
  func delegate() async throws {
    let handler = await MainActor.run { MyAuthHandler() }
    #expect(ServiceCloud.shared().delegate === handler)
    #expect(try await list() == 200)
    #expect(
      org.log == [
        "shouldAuthenticate cases", "GET /auth", "GET /services/oauth2/userinfo",
        "GET /services/data/v58.0/sobjects/Case",
      ])
    org.expireSessions()
    await #expect(throws: (any Error).self) { try await self.list() }
    #expect(org.log.last == "authenticationFailed 401")
    #expect(ServiceCloud.shared().authenticationSettings(forServiceType: .cases) == nil)
    withExtendedLifetime(handler) {}
    _ = await set(nil)
  }
}
