import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Identities")
struct SalesforceIdentityTests {
  @Test(
    "Account-A8: an identity URL is read with what may be around it",
    arguments: [
      "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P",
      "https://login.salesforce.com/id/00Dx0000000BV7zEAG/005x00000012Q9PAAU/",
      "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P?version=latest&format=json",
      "https://acme.force.com/customers/id/00Dx0000000BV7z/005x00000012Q9P#top",
    ])
  func identityURL(_ text: String) throws {
    let identity = try #require(SalesforceUserIdentity(identityURL: url(text)))
    #expect(identity.orgID.id18 == "00Dx0000000BV7zEAG")
    #expect(identity.userID.id15 == "005x00000012Q9P")
    #expect(identity == SalesforceUserIdentity(userID: "005x00000012Q9PAAU", orgID: "00Dx0000000BV7z"))
    #expect(SalesforceUserIdentity(Session.User(id: identity.name)) == identity)
  }

  @Test(
    "Account-A8: what is no identity URL",
    arguments: [
      "https://login.salesforce.com/id/00Dx0000000BV7z", "https://login.salesforce.com/", "mailto:ann@acme.test",
      "https://login.salesforce.com/ids/00Dx0000000BV7z/005x00000012Q9P",
    ])
  func none(_ text: String) throws {
    #expect(SalesforceUserIdentity(identityURL: try url(text)) == nil)
  }

  @Test("An identity document is read from both services")
  func documents() throws {
    let identity = SalesforceIdentityDocument([
      "id": "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P", "username": "ann@acme.test",
      "urls": .object(["rest": "https://na1.salesforce.com/services/data/v{version}/"]), "active": true,
    ])
    #expect(identity?.username == "ann@acme.test")
    #expect(identity?.url("rest", version: "58.0")?.absoluteString == "https://na1.salesforce.com/services/data/v58.0/")
    #expect(identity?.url("query", version: "58.0") == nil)
    #expect(identity?.isActive == true)
    let userInfo = SalesforceIdentityDocument([
      "sub": "elsewhere", "user_id": "005x00000012Q9PAAU", "organization_id": "00Dx0000000BV7zEAG",
      "preferred_username": "ann@acme.test", "given_name": "Ann", "family_name": "",
    ])
    #expect(userInfo?.identity == identity?.identity)
    #expect(userInfo?.firstName == "Ann")
    #expect(userInfo?.lastName == nil)
    #expect(SalesforceIdentityDocument(["username": "ann"]) == nil)
  }
}
