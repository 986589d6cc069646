import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import PegaTestSupport
import Testing

@Suite("Judging a Pega server's responses")
struct JudgeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: TransportResponse
    let isRejected: Bool
  }

  static func html(_ text: String, _ type: String) -> TransportResponse {
    TransportResponse(HTTPResponse(status: .ok, headerFields: [.contentType: type]), body: Data(text.utf8))
  }

  static let rows = [
    Row(testDescription: "401", response: PegaStub.unauthorized, isRejected: true),
    Row(testDescription: "401 JSON", response: .json(["errors": .array([])], status: .unauthorized), isRejected: true),
    Row(testDescription: "200 login form", response: .html(PegaStub.loginForm()), isRejected: true),
    Row(
      testDescription: "a form by its fields alone",
      response: .html("<FORM><INPUT NAME='UserIdentifier'><INPUT NAME=Password TYPE=password>"), isRejected: true),
    Row(
      testDescription: "a type in capitals", response: html(PegaStub.loginForm(), "Text/HTML;charset=x"),
      isRejected: true),
    Row(
      testDescription: "an application's page with an error element",
      response: .html("<div id='error'>No such case</div>"), isRejected: false),
    Row(
      testDescription: "an application's form with a password",
      response: .html("<form><input name='user'><input type='password' name='pass'></form>"), isRejected: false),
    Row(
      testDescription: "a page whose script has a login form",
      response: .html("<script>var x = '\(PegaStub.loginForm())'</script>"), isRejected: false),
    Row(
      testDescription: "a page with a login form in a comment",
      response: .html("<!-- \(PegaStub.loginForm()) --><h1>Hi</h1>"), isRejected: false),
    Row(
      testDescription: "JSON with a login form", response: .json(["x": .string(PegaStub.loginForm())]),
      isRejected: false),
    Row(
      testDescription: "text with a login form", response: html(PegaStub.loginForm(), "text/plain"), isRejected: false),
    Row(testDescription: "302", response: .status(.found, headerFields: [.location: "/prweb"]), isRejected: false),
    Row(testDescription: "403", response: .status(.forbidden), isRejected: false),
    Row(testDescription: "404", response: .html(PegaStub.loginForm(), status: .notFound), isRejected: false),
    Row(testDescription: "429", response: .status(.tooManyRequests), isRejected: false),
    Row(testDescription: "500", response: .status(.internalServerError), isRejected: false),
    Row(testDescription: "503", response: .html(PegaStub.loginForm(), status: .serviceUnavailable), isRejected: false),
    Row(testDescription: "empty page", response: .html(""), isRejected: false),
  ]

  @Test("Only a 401 and a page with the login form refuse a session", arguments: rows)
  func judge(_ row: Row) throws {
    let stub = PegaStub()
    let authenticator = try stub.authenticator()
    let verdict = authenticator.judge(row.response, to: try .get(stub.url))
    switch verdict {
    case .accepted: #expect(!row.isRejected)
    case .obstructed(let error): Issue.record(error)
    case .rejected(let reason, let mayHaveExecuted):
      #expect(row.isRejected)
      #expect(!reason.isEmpty)
      #expect(!mayHaveExecuted)
    }
  }

  @Test("Only pages have to be looked into")
  func bodyNeeded() throws {
    let authenticator = try PegaStub().authenticator()
    func needed(_ response: TransportResponse) -> Int {
      authenticator.bodyNeeded(toJudge: StreamingResponse(response.head, body: ResponseBody([])))
    }
    #expect(needed(.html("")) > 0)
    #expect(needed(.json([:])) == 0)
    #expect(needed(PegaStub.unauthorized) == 0)
    #expect(needed(.status(.ok)) == 0)
  }

  @Test("The session's cookies are proof, others are not")
  func proof() throws {
    let authenticator = try PegaStub().authenticator()
    for name in ["Pega-RULES", "PegaRULES", "JSESSIONID"] { #expect(authenticator.isProof(cookieNamed: name)) }
    for name in ["Pega-Perf", "pega-rules", "", "ROUTEID"] { #expect(!authenticator.isProof(cookieNamed: name)) }
  }

  @Test("A page without end is judged in bounded time")
  func hugePage() throws {
    let stub = PegaStub()
    let page = String(repeating: "<form><input name=", count: 300_000)
    #expect(try stub.authenticator().judge(.html(page), to: .get(stub.url)) == .accepted)
  }
}
