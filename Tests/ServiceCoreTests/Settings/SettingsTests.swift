import Foundation
import OstiarySalesforce
import OstiaryTesting
import ServiceCore
import TestSupport
import Testing

@Suite("Authentication settings", .timeLimit(.minutes(20)))
struct SettingsTests {
  private func settings(_ token: String?, _ org: String?) -> SCSAuthenticationSettings? {
    var dictionary: [SCSOAuth2JSONKey: String] = [:]
    dictionary[.accessToken] = token
    dictionary[.instanceUrl] = org
    return SCSAuthenticationSettings(oauth2: dictionary, clientId: OrgStub.clientID)
  }

  @Test("Salesforce-E1: nil without what is required, and for what can't be it")
  func required() {
    #expect(settings("token", "https://org.example.com") != nil)
    for (token, org) in [
      (nil, "https://org.example.com"), ("token", nil), ("", "https://org.example.com"), ("token", ""),
      ("token", "ftp://org.example.com"), ("token", "http://org.example.com"), ("token", "not an address"),
      ("two words", "https://org.example.com"),
    ] {
      #expect(settings(token, org) == nil)
    }
  }

  @Test("Salesforce-E2: a guest's, with and without a community")
  func guest() async throws {
    for url in [nil, URL(string: "https://acme.force.com/customers")] {
      let settings = SCSAuthenticationSettings(guest: url)
      #expect(settings.isGuestUser && settings.areSettingsValid && !settings.isVerifyingSettings)
      #expect(!settings.supportsPushNotifications() && settings.username == nil)
      #expect(try await settings.verifySettings())
    }
  }

  @Test("Salesforce-E11: verifying makes settings valid and tells the user's name; before, they are not")
  func verifying() async throws {
    let org = try OrgStub()
    defer { org.stop() }
    let settings = try #require(org.settings())
    #expect(!settings.areSettingsValid && settings.username == nil && !settings.isGuestUser)
    let outcome = await withCheckedContinuation { continuation in
      settings.verifySettings { success, error in
        continuation.resume(returning: success && error == nil)
      }
    }
    #expect(outcome)
    #expect(settings.areSettingsValid && !settings.isVerifyingSettings)
    #expect(settings.username == "ann@example.com")
  }

  @Test(
    "Salesforce-E11: the codes of the vendor's errors",
    arguments: [
      (403, "Bad_OAuth_Token", 401), (403, "[{\"errorCode\":\"API_DISABLED_FOR_ORG\"}]", 403), (404, "", 404),
      (500, "", 1000),
    ])
  func codes(status: Int, body: String, code: Int) async throws {
    let org = try OrgStub()
    defer { org.stop() }
    org.fail("/id/", status, body)
    let settings = try #require(org.settings())
    let error = await #expect(throws: NSError.self) { try await settings.verifySettings() }
    #expect(error?.domain == SCServiceErrorDomain)
    #expect(error?.code == code)
    #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
    #expect(!settings.areSettingsValid)
  }

  @Test("Salesforce-E15: verifying twenty times at once asks the server once")
  func shared() async throws {
    let org = try OrgStub()
    defer { org.stop() }
    let settings = try #require(org.settings())
    let gate = Gate()
    org.hold("/id/", at: gate)
    // Each has asked as far as it can when the next one starts.
    let callers = (0..<20).map { _ in startAtOnce { try await settings.verifySettings() } }
    try await gate.waitForWaiting()
    gate.open()
    for caller in callers { _ = try await caller.value }
    #expect(org.log == [Stage.verification])
  }

  @Test("Salesforce-E12: registering for push notifications replaces the registration; unregistering ends it")
  func push() async throws {
    let org = try OrgStub()
    defer { org.stop() }
    let settings = try #require(org.settings())
    #expect(settings.supportsPushNotifications() && !settings.isRegisteredForPushNotifications)
    for token in [Data([0xAB, 0x01]), Data([0xCD, 0x02])] {
      let error = await withCheckedContinuation { continuation in
        settings.register(forPushNotifications: token) { _, error in continuation.resume(returning: error as NSError?) }
      }
      #expect(error == nil)
      #expect(Array(org.devices.values) == [token.map { String(format: "%02x", $0) }.joined()])
    }
    #expect(settings.isRegisteredForPushNotifications)
    let success = await withCheckedContinuation { continuation in
      settings.unregister(forPushNotifications: { success, _ in continuation.resume(returning: success) })
    }
    #expect(success && org.devices.isEmpty && !settings.isRegisteredForPushNotifications)
  }

  @Test("Salesforce-E12: a guest can't register, and is told so once")
  func pushForGuests() async throws {
    let error = await withCheckedContinuation { continuation in
      SCSAuthenticationSettings(guest: nil).register(forPushNotifications: Data([1])) { _, error in
        continuation.resume(returning: error as NSError?)
      }
    }
    #expect(error?.code == SCServiceErrorCode.authenticationSettingsError.rawValue)
  }

  @Test("Settings show no token, however they are looked at")
  func secrecy() throws {
    let settings = try #require(self.settings("00D!verysecret", "https://org.example.com"))
    var dumped = ""
    dump(settings, to: &dumped)
    for text in ["\(settings)", String(reflecting: settings), dumped] { #expect(!text.contains("verysecret")) }
  }
}
