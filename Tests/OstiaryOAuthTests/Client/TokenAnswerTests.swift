import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Answers of the token endpoint", .timeLimit(.minutes(20)))
struct TokenAnswerTests {
  private func response(_ body: String, type: String = "application/json", status: Int = 200) -> TransportResponse {
    TransportResponse(
      HTTPResponse(status: .init(code: status), headerFields: [.contentType: type]), body: Data(body.utf8))
  }

  private func refresh(_ response: TransportResponse) async throws -> (TokenSet, OAuthStub) {
    let stub = OAuthStub()
    stub.answer { _ in response }
    return (try await stub.client().refresh("r", in: stub.context), stub)
  }

  @Test(
    "expires_in may be a number or a string; what is no lifetime counts as none",
    arguments: [
      ("3600", 3600.0), ("\"3600\"", 3600), ("3600.5", 3600.5), ("\" 60 \"", 60), ("0", nil), ("-1", nil),
      ("null", nil),
      ("\"soon\"", nil), ("1e300", nil), ("\"nan\"", nil), ("\"inf\"", nil), ("true", nil), ("[1]", nil),
    ] as [(String, Double?)])
  func lifetimes(_ written: String, _ seconds: Double?) async throws {
    let (tokens, stub) = try await refresh(response("{\"access_token\":\"t\",\"expires_in\":\(written)}"))
    #expect(tokens.expiresAt == seconds.map { stub.clock.now.addingTimeInterval($0) })
  }

  @Test("token_type may be missing or written anyhow; scope may be a list; other members are kept")
  func tolerance() async throws {
    let body = """
      {"access_token":"t","token_type":"bEaReR","scope":["a","b"],"refresh_token":"","instance_url":"https://x","n":1}
      """
    let (tokens, _) = try await refresh(response(body))
    #expect(tokens.scopes == ["a", "b"])
    #expect(tokens.refreshToken == nil)
    #expect(tokens.members == ["instance_url": "https://x", "n": 1])
    #expect(try await refresh(response("{\"access_token\":\"t\"}")).0.tokenType == "Bearer")
  }

  @Test("OAuth-O18: an answer may be JSON or a form", arguments: ["application/x-www-form-urlencoded", "text/plain"])
  func form(_ type: String) async throws {
    let (tokens, stub) = try await refresh(response("access_token=a%2Fb%21&expires_in=60&scope=x+y\n", type: type))
    #expect(tokens.accessToken.reveal() == "a/b!")
    #expect(tokens.scopes == ["x", "y"])
    #expect(tokens.expiresAt == stub.clock.now.addingTimeInterval(60))
    // JSON under another name is JSON all the same.
    #expect(try await refresh(response("{\"access_token\":\"t\"}", type: type)).0.accessToken.reveal() == "t")
  }

  @Test(
    "An answer that can't be understood is no word about a session",
    arguments: [
      "", "null", "[]", "{}", "<html>hotel</html>", "{\"access_token\":", "{\"access_token\":\"\"}",
      "{\"access_token\":7}", "{\"access_token\":\"a b\"}", "{\"access_token\":\"a\\r\\nX: y\"}",
      "{\"access_token\":\"é\"}", "{\"access_token\":\"t\",\"token_type\":\"mac\"}",
    ])
  func unreadable(_ body: String) async throws {
    let error = await failure { try await refresh(response(body)).0 }
    #expect(error?.code == .unreadableAnswer)
    #expect(error?.isTransient == true)
  }

  @Test("An error with the status 200 is an error")
  func errorWithOK() async throws {
    let error = await failure { try await refresh(response("{\"error\":\"invalid_grant\"}")).0 }
    #expect(error?.code == .grantRefused)
    #expect((error?.underlying as? OAuthRefusal)?.code == .invalidGrant)
    let form = response("error=bad_code&error_description=It+is", type: "application/x-www-form-urlencoded")
    #expect(await failure { try await refresh(form).0 }?.isTransient == true)
  }

  @Test(
    "OAuth-O6: only the listed errors, in a 4xx that is one, are terminal",
    arguments: [
      (400, "invalid_grant", true), (401, "invalid_grant", true), (403, "invalid_grant", true),
      (400, "unauthorized_client", true), (400, "interaction_required", true), (400, "login_required", true),
      (400, "consent_required", true), (400, "access_denied", true), (500, "invalid_grant", false),
      (503, "invalid_grant", false), (429, "invalid_grant", false), (408, "invalid_grant", false),
      (302, "invalid_grant", false), (400, "temporarily_unavailable", false), (400, "server_error", false),
      (400, "rate_limit_exceeded", false), (400, "invalid_client", false), (401, "invalid_client", false),
      (400, "invalid_request", false), (400, "invalid_scope", false), (400, "invalid_target", false),
      (400, "unsupported_grant_type", false), (400, "something_new", false), (400, "", false),
    ])
  func terminal(_ status: Int, _ code: String, _ isTerminal: Bool) async throws {
    let error = await failure { try await refresh(response("{\"error\":\"\(code)\"}", status: status)).0 }
    #expect((error?.disposition == .terminal) == isTerminal)
    #expect(error != nil)
  }

  @Test(
    "OAuth-O6: pages, redirects and failures of the network are never terminal",
    arguments: [
      Fault.refuseConnection, .dropBeforeServerActs, .dropAfterServerActed, .garbage, .page("<h1>Hotel</h1>"),
      .redirect(to: "https://portal.test/"), .status(.internalServerError), .status(.badGateway),
      .status(.tooManyRequests), .status(.notFound), .status(.forbidden), .garble(seed: 1), .truncate(at: 3),
    ])
  func faults(_ fault: Fault) async throws {
    let stub = OAuthStub()
    stub.answer { _ in .json(["access_token": "t"]) }
    stub.transport.inject(fault)
    let client = try stub.client()
    let error = await failure { try await client.refresh("r", in: stub.context) }
    #expect(error?.isTransient == true)
  }

  @Test("A server that asks to wait is heard")
  func retryAfter() async throws {
    let stub = OAuthStub()
    let client = try stub.client()
    stub.transport.inject(.status(.tooManyRequests, headerFields: [.retryAfter: "17"]))
    #expect(await failure { try await client.refresh("r", in: stub.context) }?.retryAfter == .seconds(17))
  }

  @Test("A dialect adds terminal errors, and words that make one pass")
  func dialect() async throws {
    let stub = OAuthStub()
    var client = try stub.client()
    client.terminalRefusals[.init("inactive_user")] = "The account is not active."
    client.terminalRefusals.passingExplanations = ["already being processed"]
    let words = Locked("inactive_user|")
    stub.answer { _ in
      let parts = words.withLock { $0 }.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      return .json(["error": .string(parts[0]), "error_description": .string(parts[1])], status: .badRequest)
    }
    let made = client
    #expect(await failure { try await made.refresh("r", in: stub.context) }?.disposition == .terminal)
    words.withLock { $0 = "invalid_grant|Token request is Already being processed." }
    #expect(await failure { try await made.refresh("r", in: stub.context) }?.isTransient == true)
    words.withLock { $0 = "invalid_grant|expired" }
    #expect(await failure { try await made.refresh("r", in: stub.context) }?.disposition == .terminal)
  }

  @Test("The list of terminal errors is what is written down, each with a reason")
  func list() {
    let codes = TerminalRefusals.standard.codes
    #expect(codes.count == 8)
    for code in codes { #expect(TerminalRefusals.standard[code]?.isEmpty == false) }
    for code: OAuthRefusal.Code in [.temporarilyUnavailable, .serverError, .invalidClient, .slowDown] {
      #expect(TerminalRefusals.standard[code] == nil)
    }
  }
}
