import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("What a login's answer means")
struct LoginAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let response: TransportResponse
    let code: OstiaryError.Code
    let disposition: OstiaryError.Disposition
    var testDescription: String { name }

    init(
      _ name: String, _ response: TransportResponse, _ code: OstiaryError.Code,
      _ disposition: OstiaryError.Disposition = .transient(retryAfter: nil)
    ) {
      self.name = name
      self.response = response
      self.code = code
      self.disposition = disposition
    }
  }

  static func json(_ text: String) -> TransportResponse {
    TransportResponse(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: Data(text.utf8))
  }

  static let rows = [
    Row("401", PegaStub.unauthorized, .invalidCredentials, .terminal),
    Row("401 without a challenge", .status(.unauthorized), .invalidCredentials, .terminal),
    Row("200 login form", .html(PegaStub.loginForm()), .invalidCredentials, .terminal),
    Row(
      "200 login form with an error", .html(PegaStub.loginForm(error: PegaStub.refusal)), .invalidCredentials, .terminal
    ),
    Row("200 page with an error", .html("<div id='error'>Not recognized</div>"), .invalidCredentials, .terminal),
    Row("200 page with an empty error element", .html("<div id='error'> </div>"), .unexpectedResponse),
    Row(
      "200 page that only talks of a form", .html("<script>'<form id=credentialsForm>'</script>"), .unexpectedResponse),
    Row("200 other page", .html("<h1>Welcome to the hotel's network</h1>"), .unexpectedResponse),
    Row("200 JSON error list", json("{\"errors\":[{\"ID\":\"Unauthorized\"}]}"), .unexpectedResponse),
    Row("200 JSON array", json("[1,2]"), .unexpectedResponse),
    Row("200 JSON text", json("\"accessGroup\""), .unexpectedResponse),
    Row("200 JSON null", json("null"), .unexpectedResponse),
    Row("200 truncated JSON", json("{\"accessGroup\":\"Upl"), .unexpectedResponse),
    Row("200 very deep JSON", json(String(repeating: "{\"a\":", count: 100_000)), .unexpectedResponse),
    Row("200 empty", json(""), .unexpectedResponse),
    Row("200 bytes", json("\u{0}\u{1}\u{fffd}"), .unexpectedResponse),
    Row("204", .status(.noContent), .unexpectedResponse),
    Row("302 without a location", .status(.found), .unexpectedResponse),
    Row("304", .status(.notModified), .unexpectedResponse),
    Row("400", .status(.badRequest), .unexpectedResponse),
    Row("403", .status(.forbidden), .unexpectedResponse),
    Row("404", .html("no", status: .notFound), .unexpectedResponse),
    Row("404 with a login form", .html(PegaStub.loginForm(), status: .notFound), .unexpectedResponse),
    Row("500", .status(.internalServerError), .serverUnavailable),
    Row(
      "429 with a wait", .status(.tooManyRequests, headerFields: [.retryAfter: "7"]), .accountLocked,
      .transient(retryAfter: .seconds(7))),
    Row("429", .status(.tooManyRequests), .accountLocked, .transient(retryAfter: .seconds(60))),
    Row(
      "503 with a wait", .status(.serviceUnavailable, headerFields: [.retryAfter: "3"]), .serverUnavailable,
      .transient(retryAfter: .seconds(3))),
    Row("503", .status(.serviceUnavailable), .serverUnavailable),
    Row("502", .status(.badGateway), .serverUnavailable),
    Row(
      "403 locked", .json(["errors": .array([.object(["ID": "AccountLocked"])])], status: .forbidden), .accountLocked,
      .terminal),
    Row(
      "200 locked", .html("<div id='error' data-code='AccountLocked'>Locked.</div>"), .accountLocked, .terminal),
    Row(
      "200 too many attempts", .html("<div id='error' data-code='TooManyAttempts'>Too many attempts.</div>"),
      .accountLocked, .transient(retryAfter: .seconds(60))),
  ]

  @Test("Pega-P3: every answer has its meaning", arguments: rows, [PegaSignInMethod.basic, .query])
  func table(_ row: Row, _ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    stub.intercept { _ in row.response }
    let error = await failure { try await stub.signIn(method) }
    #expect(error?.code == row.code)
    #expect(error?.disposition == row.disposition)
    #expect(error?.host == "pega.test:8080")
    #expect(stub.transport.count == 1)
  }

  @Test("Pega-P3: the form's answers have the same meaning", arguments: rows)
  func formTable(_ row: Row) async throws {
    let stub = PegaStub()
    stub.intercept { $0.head.method == .post ? row.response : nil }
    let error = await failure { try await stub.signIn(.form) }
    if row.code == .unexpectedResponse, row.response.status.code < 300 {
      // A page of any content can follow a form; the login activity then says that no user is signed in. That is no word
      // about the password.
      #expect(error?.code == .unexpectedResponse)
    } else {
      #expect(error?.code == row.code)
      #expect(error?.disposition == row.disposition)
    }
    #expect(stub.sessionCount == 0)
  }

  @Test("Pega-P3: a wrong password and an unknown user are refused by the server", arguments: PegaSignInMethod.allCases)
  func wrong(_ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    #expect(await failure { try await stub.signIn(method, "jdoe", "wrong") }?.code == .invalidCredentials)
    #expect(await failure { try await stub.signIn(method, "nobody", "secret") }?.code == .invalidCredentials)
    #expect(stub.logins == 0)
  }

  @Test("Pega-P3: redirects in a circle are an unexpected response", arguments: PegaSignInMethod.allCases)
  func loop(_ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    stub.intercept { .status(.found, headerFields: [.location: $0.path]) }
    let error = await failure { try await stub.signIn(method) }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.isTransient == true)
  }

  struct NetworkFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: Fault
    let code: OstiaryError.Code
  }

  static let faults = [
    NetworkFault(testDescription: "refused", fault: .refuseConnection, code: .cannotConnect),
    NetworkFault(testDescription: "dropped", fault: .dropBeforeServerActs, code: .connectionLost),
    NetworkFault(testDescription: "lost answer", fault: .dropAfterServerActed, code: .connectionLost),
    NetworkFault(testDescription: "truncated", fault: .truncate(at: 3), code: .connectionLost),
    NetworkFault(testDescription: "not HTTP", fault: .garbage, code: .malformedResponse),
    NetworkFault(testDescription: "1 GiB announced", fault: .announce(bytes: 1 << 30), code: .responseTooLarge),
    NetworkFault(testDescription: "2 MiB announced", fault: .announce(bytes: 2 << 20), code: .responseTooLarge),
    NetworkFault(testDescription: "endless", fault: .endless, code: .responseTooLarge),
    NetworkFault(testDescription: "noise", fault: .garble(seed: 7), code: .unexpectedResponse),
    NetworkFault(testDescription: "portal page", fault: .page("<h1>Hotel</h1>"), code: .unexpectedResponse),
  ]

  @Test("Pega-P3: faults of the network are no word about the password", arguments: faults)
  func network(_ row: NetworkFault) async throws {
    let stub = PegaStub()
    stub.transport.inject(row.fault)
    let error = await failure { try await stub.signIn() }
    #expect(error?.code == row.code)
    #expect(error?.isTransient == true)
  }

  @Test("Pega-P3: a server that isn't there is a network error over real HTTP")
  func nobodyListens() async throws {
    let server = try LoopbackServer(answering: [.response(200)])
    let url = server.url("/prweb")
    server.stop()
    let authenticator = try PegaAuthenticator(server: url)
    let error = await failure {
      try await authenticator.signIn(
        with: .password(username: "jdoe", password: "secret"), in: AuthenticationContext(transport: PlatformTransport())
      )
    }
    #expect(error?.code == .cannotConnect)
  }

  @Test("Pega-P3: a server that is silent is a time-out")
  func silence() async throws {
    let clock = ManualClock()
    let stub = PegaStub(clock: clock)
    stub.transport.inject(.hang)
    async let error = failure { try await stub.signIn() }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(31))
    #expect(await error?.code == .timedOut)
  }
}
