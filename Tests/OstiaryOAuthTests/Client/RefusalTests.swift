import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("What an authorization server's failures mean", .timeLimit(.minutes(20)))
struct RefusalTests {
  private func response(
    _ body: String, type: String? = "application/json", status: Int = 200, _ fields: HTTPFields = [:]
  ) -> TransportResponse {
    var fields = fields
    fields[.contentType] = type
    return TransportResponse(HTTPResponse(status: .init(code: status), headerFields: fields), body: Data(body.utf8))
  }

  private func error(_ response: TransportResponse, token: Secret = "r") async throws -> OstiaryError? {
    let stub = OAuthStub()
    stub.answer { _ in response }
    let client = try stub.client()
    return await failure { try await client.refresh(token, in: stub.context) }
  }

  @Test(
    "Bug-A10: a page in plain text that quotes an error is no refusal", arguments: [200, 400, 401, 403],
    ["text/plain", "text/html", nil] as [String?])
  func quoted(_ status: Int, _ type: String?) async throws {
    let page = "Blocked: https://as.test/cb?x=1&error=access_denied&error=invalid_grant"
    let error = try await error(response(page, type: type, status: status))
    #expect(error?.isTransient == true)
    let form = try await self.error(
      response("error=invalid_grant", type: "application/x-www-form-urlencoded", status: status))
    #expect(form?.code == .grantRefused)
  }

  @Test(
    "Bug-A12: an answer to a refresh that can't be read says so, and that the server may have acted",
    arguments: [
      "", "null", "[]", "{}", "{\"access_token\":", "{\"access_token\":\"a b\"}",
      "{\"access_token\":\"t\",\"token_type\":\"mac\"}",
    ])
  func unreadable(_ body: String) async throws {
    let error = try await error(response(body))
    #expect(error?.code.rawValue == "unreadable_answer")
    #expect(error?.isTransient == true)
    #expect(error?.requestMayHaveExecuted == true)
  }

  @Test("Bug-A12: a page in the server's place is no answer of the server's")
  func page() async throws {
    let error = try await error(response("<h1>Hotel</h1>", type: "text/html; charset=utf-8"))
    #expect(error?.code == .unexpectedResponse)
  }

  @Test("Bug-A12: a newer refresh token is used, whatever else can't be read of the answer")
  func rotatedAllTheSame() async throws {
    let stub = OAuthStub()
    let authenticator = try stub.authenticator()
    let session = Session(
      kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(),
      grant: TokenSet(accessToken: "old", refreshToken: "spent").grant(for: .init(id: "ann")),
      issuedAt: stub.clock.now)
    stub.answer { _ in .json(["access_token": "", "refresh_token": "newer"]) }
    guard case .renewed(let grant) = try await authenticator.renew(session, in: stub.context) else {
      Issue.record("not renewed")
      return
    }
    #expect(grant.proof.tokens["refresh_token"] == "newer")
    #expect(grant.proof.tokens["access_token"] == "old")
  }

  @Test(
    "Bug-A13: a refusal without a reason that can be read is marked as unclear, and ends nothing by itself",
    arguments: [400, 401], ["", "{}", "no", "<h1>Bad Request</h1>", "{\"message\":\"bad\"}", "{\"error\":7}"])
  func unclear(_ status: Int, _ body: String) async throws {
    for type in ["application/json", "text/html", nil] {
      let error = try await error(response(body, type: type, status: status))
      #expect(error?.code.rawValue == "unclear_refusal")
      #expect(error?.isTransient == true)
    }
    let other = try await error(response(body, status: 403))
    #expect(other?.code == .unexpectedResponse)
  }

  @Test(
    "Bug-A13: a client may say that its server means a refusal by an answer without a reason", arguments: [400, 401])
  func unclearByDialect(_ status: Int) async throws {
    let stub = OAuthStub()
    stub.answer { _ in .status(.init(code: status)) }
    var client = try stub.client()
    client.takesUnclearRefusalsForRefusals = true
    let error = await failure { [client] in try await client.refresh("r", in: stub.context) }
    #expect(error?.code == .grantRefused)
    #expect(error?.disposition == .terminal)
  }

  @Test("Bug-A15: a date to wait for is read against the server's clock, whatever this device's says")
  func retryAfter() async throws {
    let stub = OAuthStub()
    let client = try stub.client()
    let server = stub.clock.now.addingTimeInterval(3 * 3600)
    for status in [HTTPResponse.Status.requestTimeout, .tooManyRequests, .internalServerError, .serviceUnavailable] {
      stub.transport.setFaults()
      stub.transport.inject(
        .status(
          status,
          headerFields: [
            .date: HTTPDate.format(server), .retryAfter: HTTPDate.format(server.addingTimeInterval(120)),
          ]))
      let error = await failure { try await client.refresh("r", in: stub.context) }
      #expect(error?.code == .serverUnavailable)
      #expect(error?.retryAfter == .seconds(120))
    }
  }

  @Test("Bug-A17: a secret in the server's words is hidden, also encoded or cut, before they are shortened")
  func hidden() async throws {
    let token = String((0..<400).map { "abcdefghij/+=&?% 0123"[$0 % 21] })
    let encoded = PercentEncoding.encode(token)
    let quotes = [
      token, encoded, encoded.lowercased(), encoded.replacingOccurrences(of: "%20", with: "+"),
      String(token.prefix(290)), String(encoded.prefix(40)), "x" + token + token.prefix(16),
      String(repeating: "w", count: 250) + " " + token,
    ]
    for quote in quotes {
      let body = try JSONEncoder().encode(["error": "invalid_grant", "error_description": "Unknown token " + quote])
      let error = try #require(
        try await error(response(String(decoding: body, as: UTF8.self), status: 400), token: Secret(token)))
      let shown = "\(error) \(error.message) \(String(reflecting: error.underlying as Any))"
      #expect(!shown.contains("abcdefghij"), "\(shown)")
      #expect(shown.contains("Unknown token"))
    }
  }
}

extension String {
  fileprivate subscript(position: Int) -> Character { self[index(startIndex, offsetBy: position)] }
}
