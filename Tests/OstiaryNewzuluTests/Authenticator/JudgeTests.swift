import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Which answers refuse a Newzulu session")
struct JudgeTests {
  func judge(_ answer: TransportResponse) throws -> Verdict {
    let stub = NewzuluStub()
    return try stub.authenticator().judge(answer, to: .get(stub.url))
  }

  @Test("No cookie is proof of a session with a token: a gateway's newer one renews nothing")
  func cookies() throws {
    #expect(try !NewzuluStub().authenticator().isProof(cookieNamed: "PHPSESSID"))
  }

  @Test("NS5: a failure about the session does, and nothing was executed", arguments: [200, 401, 403])
  func rejected(_ status: Int) throws {
    for body in [
      "{\"status\":false,\"message\":\"Invalid session token\",\"code\":102}",
      "{\"status\":false,\"result\":\"Session expired\"}",
    ] {
      guard case .rejected(_, false) = try judge(response(body, status: .init(code: status))) else {
        Issue.record("accepted")
        continue
      }
    }
  }

  @Test(
    "Invariant 3: nothing else does",
    arguments: [
      response("{\"status\":false,\"message\":\"Permission denied\",\"code\":101}"),
      response("{\"status\":true,\"result\":{\"message\":\"Invalid session token\"}}"),
      response("{\"status\":true,\"result\":false}"),
      response("{\"status\":false,\"message\":\"Invalid session token\"}", status: .serviceUnavailable),
      response("{\"status\":false,\"message\":\"Invalid session token\"}", status: .tooManyRequests),
      response("{\"status\":false,\"message\":\"Invalid session token\"}", status: .notFound),
      response("{\"status\":false,\"message\":\"Invalid session token\"}", status: .found),
      response("{\"status\":null,\"message\":\"Invalid session token\"}"),
      response("{\"message\":\"Invalid session token\",\"result\":\"Session expired\"}"),
      response("", status: .unauthorized), response("", status: .forbidden), response("", status: .internalServerError),
      response("Invalid session token", "text/plain"), response("<h1>Session expired</h1>", "text/html"),
      response("[{\"status\":false,\"message\":\"Invalid session token\"}]"),
      response(
        "{\"status\":false,\"message\":\"Invalid session token\",\"x\":\"\(String(repeating: "x", count: 20_000))\"}"),
    ])
  func accepted(_ answer: TransportResponse) throws {
    #expect(try judge(answer) == .accepted)
  }
}
