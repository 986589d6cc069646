import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Login hosts")
struct SalesforceLoginHostTests {
  @Test(
    "Account-A7: scheme, white space and slashes at the end are taken off; a community's path stays",
    arguments: [
      ("login.salesforce.com", "https://login.salesforce.com"),
      ("  https://login.salesforce.com/ \n", "https://login.salesforce.com"),
      ("HTTP://test.salesforce.com//", "https://test.salesforce.com"),
      ("acme.force.com/customers", "https://acme.force.com/customers"),
      ("https://acme.force.com/customers/", "https://acme.force.com/customers"),
      ("http://127.0.0.1:8080/customers/", "http://127.0.0.1:8080/customers"),
      ("Acme.my.salesforce.com:443", "https://acme.my.salesforce.com"),
    ])
  func reading(_ text: String, _ address: String) {
    #expect(SalesforceLoginHost(text)?.url.absoluteString == address)
  }

  @Test(
    "Account-A7: what is no host",
    arguments: [
      "", "  ", "https://", "ftp://login.salesforce.com", "ann@login.salesforce.com", "a b", "host?query", "host#x",
      "[%23csU$Is]", "acme%2Eexample",
    ])
  func none(_ text: String) {
    #expect(SalesforceLoginHost(text) == nil)
  }

  @Test("Account-A7: what the user chose comes before the administrator's and the app's, and production is last")
  func precedence() {
    let choose = SalesforceLoginHost.choose
    #expect(choose("a.test", "b.test", "c.test").description == "a.test")
    #expect(choose(nil, "b.test", "c.test").description == "b.test")
    #expect(choose("", nil, "c.test/site/").description == "c.test/site")
    #expect(choose(nil, nil, nil) == .production)
  }

  @Test("A community's services are below its path")
  func endpoints() throws {
    let host = try required(SalesforceLoginHost("acme.force.com/customers"))
    #expect(host.endpoints.token.absoluteString == "https://acme.force.com/customers/services/oauth2/token")
    #expect(host.endpoints.revocation?.absoluteString == "https://acme.force.com/customers/services/oauth2/revoke")
  }
}
