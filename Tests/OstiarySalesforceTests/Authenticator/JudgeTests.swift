import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("What refuses a session")
struct JudgeTests {
  private func isRejected(_ response: TransportResponse, _ path: String = "/services/data/v58.0/limits") throws -> Bool
  {
    let request = try TransportRequest.get(url("https://na1.salesforce.com\(path)"))
    let needed = TokenJudge.salesforce.bodyNeeded(
      StreamingResponse(response.head, body: ResponseBody([response.body])), request)
    guard case .rejected = TokenJudge.salesforce.judge(response, request) else { return false }
    // A stream's beginning must be enough.
    #expect(needed >= response.body.count)
    return true
  }

  @Test("No cookie is proof of a session of tokens: a gateway's newer one renews nothing")
  func cookies() throws {
    #expect(try !SalesforceAuthenticator(host: .production, clientID: "app").isProof(cookieNamed: "sid"))
  }

  @Test("Transcript A2: a 401 that names the session refuses it, in JSON as in XML")
  func unauthorized() throws {
    #expect(try isRejected(SalesforceStub.failure("INVALID_SESSION_ID")))
    let xml =
      "<?xml version=\"1.0\"?><Errors><Error><errorCode>INVALID_SESSION_ID</errorCode><message>x</message></Error></Errors>"
    #expect(try isRejected(SalesforceStub.text(xml, status: .unauthorized)))
    let invalid: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"api\", error=\"invalid_token\""]
    #expect(try isRejected(.status(.unauthorized, headerFields: invalid)))
    // What names nothing makes the identity service be asked.
    let request = try TransportRequest.get(url("https://na1.salesforce.com/services/data/v58.0/limits"))
    for response in [
      TransportResponse.status(.unauthorized), .status(.unauthorized, headerFields: [.wwwAuthenticate: "Token"]),
      .html("<html>Sign in</html>", status: .unauthorized),
    ] {
      guard case .doubtful = TokenJudge.salesforce.judge(response, request) else {
        Issue.record("\(response)")
        return
      }
    }
    // Another matter, and a proxy's.
    #expect(try !isRejected(SalesforceStub.failure("INVALID_AUTH_HEADER")))
    #expect(try !isRejected(.status(.unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"proxy\""])))
  }

  @Test(
    "OAuth-O8: Bad_OAuth_Token of the OAuth and identity services refuses it, below a community as well",
    arguments: [
      "/services/oauth2/userinfo", "/customers/services/oauth2/userinfo", "/id/00Dx0000000BV7zEAG/005x00000012Q9PAAU",
      "/customers/id/00Dx0000000BV7z/005x00000012Q9P",
    ])
  func badToken(_ path: String) throws {
    #expect(try isRejected(SalesforceStub.text("Bad_OAuth_Token", status: .forbidden), path))
    #expect(try isRejected(SalesforceStub.text("Bad_OAuth_Token\n", status: .forbidden), path))
    #expect(try !isRejected(SalesforceStub.text("Missing_OAuth_Token", status: .forbidden), path))
    #expect(try !isRejected(SalesforceStub.text("Wrong_Org", status: .forbidden), path))
    #expect(try !isRejected(SalesforceStub.text("Bad_OAuth_Token", status: .ok), path))
  }

  @Test(
    "OAuth-O8: a 403 for a limit or a permission never does",
    arguments: ["REQUEST_LIMIT_EXCEEDED", "API_DISABLED_FOR_ORG", "INSUFFICIENT_ACCESS", "INVALID_SESSION_ID"])
  func limits(_ code: String) throws {
    #expect(try !isRejected(SalesforceStub.failure(code, status: .forbidden)))
    #expect(try !isRejected(SalesforceStub.text("Bad_OAuth_Token", status: .forbidden), "/services/data/v58.0/"))
  }

  @Test("OAuth-O8: a limit that is reached makes nobody refresh")
  func noRefresh() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    #expect(try await connection.send(.get("/services/data/v58.0/limits")).status == .forbidden)
    #expect(stub.state.withLock { $0.refreshes } == 0)
    #expect(connection.tokens != nil)
  }

  @Test("Transcript A3: an identity service that refuses the token makes the session renew, once")
  func identity() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    #expect(try await connection.send(.get("/services/oauth2/userinfo")).status == .ok)
    #expect(stub.state.withLock { $0.refreshes } == 1)
  }
}
