import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Settings", .timeLimit(.minutes(20)))
struct SalesforceSettingsTests {
  private static let good = ["access_token": "00Dx!token", "instance_url": "https://na1.salesforce.com"]

  @Test(
    "Salesforce-E1: settings without a usable access token and instance URL are none",
    arguments: [
      ("access_token", nil), ("access_token", ""), ("access_token", "two words"), ("access_token", "line\r\nbreak"),
      ("instance_url", nil), ("instance_url", ""), ("instance_url", "na1.salesforce.com"),
      ("instance_url", "ftp://na1.salesforce.com"), ("instance_url", "http://na1.salesforce.com"),
      ("instance_url", "https://user@na1.salesforce.com"),
    ] as [(String, String?)])
  func unusable(_ name: String, _ value: String?) {
    var members = Self.good
    members[name] = value
    #expect(SalesforceSettings(oauth2: members, clientID: "app") == nil)
    #expect(SalesforceSettings(oauth2: Self.good, clientID: "app") != nil)
    #expect(SalesforceSettings(oauth2: Self.good, clientID: "") == nil)
  }

  @Test("Salesforce-E1: parts that are not required and can't be used count as missing")
  func optionalParts() throws {
    let members = Self.good.merging([
      "refresh_token": "", "id": "not a URL", "sfdc_community_url": "http://acme.force.com", "sfdc_community_id": "",
    ]) { $1 }
    let tokens = try #require(SalesforceTokens(members, clientID: "app"))
    #expect(tokens.refreshToken == nil)
    #expect(tokens.identity == nil)
    #expect(tokens.communityURL == nil)
    #expect(tokens.communityID == nil)
    #expect(tokens.apiURL.absoluteString == "https://na1.salesforce.com")
  }

  @Test("A community's members get newer tokens at the community, others where they signed in")
  func loginHosts() throws {
    var members = Self.good.merging(["id": "https://test.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P"]) { $1 }
    #expect(SalesforceTokens(members, clientID: "app")?.loginHost == .sandbox)
    members["sfdc_community_url"] = "https://acme.force.com/customers"
    #expect(SalesforceTokens(members, clientID: "app")?.loginHost == .sandbox)
    members["sfdc_community_id"] = "0DBx000000000Xy"
    #expect(SalesforceTokens(members, clientID: "app")?.loginHost == SalesforceLoginHost("acme.force.com/customers"))
    members = Self.good
    #expect(SalesforceTokens(members, clientID: "app")?.loginHost == SalesforceLoginHost("na1.salesforce.com"))
  }

  @Test("Salesforce-E2: a guest needs no site")
  func guest() throws {
    #expect(SalesforceSettings.guest().isGuest)
    #expect(SalesforceSettings.guest().communityURL == nil)
    #expect(SalesforceSettings.guest(communityURL: try url("https://acme.force.com")).communityURL != nil)
    #expect(SalesforceSettings.guest().tokens == nil)
  }

  @Test("Salesforce-E14: an account's settings have what it has, and are none when it is signed out")
  func account() async throws {
    let stub = SalesforceStub()
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: stub.browser())
    let settings = try #require(SalesforceSettings(account))
    let tokens = try #require(settings.tokens)
    #expect(tokens.clientID == SalesforceStub.clientID)
    #expect(tokens.refreshToken != nil)
    #expect(tokens.instanceURL.absoluteString == "https://na1.salesforce.com")
    #expect(tokens.identityURL?.absoluteString == SalesforceStub.Person.ann.identityURL)
    await accounts.signOut(account)
    #expect(SalesforceSettings(account) == nil)
    #expect(settings.tokens == nil)
  }

  @Test("Salesforce-E11: verifying has flags, and the server's words have codes")
  func verifying() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection()
    #expect(!connection.isVerifying)
    #expect(!connection.areSettingsValid)
    try await connection.verify()
    #expect(connection.areSettingsValid)
    #expect(connection.username == "ann@acme.test")

    stub.dropTokens()
    #expect(await failure { try await connection.verify() }?.code == .salesforceSessionInvalid)
    #expect(!connection.areSettingsValid)
    let path = "/id/00Dx0000000BV7z/005x00000012Q9P"
    for (response, code) in [
      (SalesforceStub.failure("INVALID_SESSION_ID"), OstiaryError.Code.salesforceSessionInvalid),
      (SalesforceStub.failure("API_DISABLED_FOR_ORG", status: .forbidden), .salesforceRequestRefused),
      (SalesforceStub.text("not here", status: .notFound), .salesforceResourceNotFound),
      (SalesforceStub.text("later", status: .serviceUnavailable), .serverUnavailable),
      (SalesforceStub.text("<html>", status: .ok), .unexpectedResponse),
    ] {
      stub.transport.on(.get, path) { _ in response }
      let fresh = try stub.connection()
      #expect(await failure { try await fresh.verify() }?.code == code)
      #expect(!fresh.areSettingsValid)
    }
  }

  @Test("Salesforce-E15: verifications at the same time are one request")
  func shared() async throws {
    let stub = SalesforceStub()
    let gate = Gate()
    let path = "/id/00Dx0000000BV7z/005x00000012Q9P"
    stub.transport.on(.get, path) { _ in
      try await gate.pass()
      return .json(["id": .string(SalesforceStub.Person.ann.identityURL), "username": "ann"])
    }
    let connection = try stub.connection()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await connection.verify() } }
      try await stub.transport.waitForRequests(1, to: .get, path)
      #expect(connection.isVerifying)
      gate.open()
      try await group.waitForAll()
    }
    #expect(stub.transport.count(.get, path) == 1)
    #expect(!connection.isVerifying)
  }
}
