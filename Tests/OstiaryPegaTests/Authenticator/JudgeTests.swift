import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
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
    Row(
      testDescription: "401 JSON",
      response: .json(["errors": .array([.object(["ID": "Unauthorized"])])], status: .unauthorized), isRejected: true),
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
    case .doubtful, .insufficient: Issue.record("\(verdict)")
    case .rejected(let reason, let mayHaveExecuted):
      #expect(row.isRejected)
      #expect(!reason.isEmpty)
      #expect(!mayHaveExecuted)
    }
  }

  @Test("Bug-A09: a 401 of another application on the host is none of the session's business")
  func otherApplications() throws {
    let authenticator = try PegaStub().authenticator()
    for path in ["/", "/other", "/prwebs/x", "/prweb/../other", "/prweb/%2e%2E/other", "/prweb/..;x/other"] {
      for response in [PegaStub.unauthorized, .html(PegaStub.loginForm())] {
        let request = TransportRequest(
          HTTPRequest(method: .get, scheme: "http", authority: "pega.test:8080", path: path))
        #expect(authenticator.judge(response, to: request) == .accepted, "\(path)")
      }
    }
    for path in ["/prweb", "/prweb/", "/prweb?x=/other", "/prweb/api/v1", "/prweb;jsessionid=1/x", "/prweb/a.b/.c"] {
      let request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "pega.test:8080", path: path))
      guard case .rejected = authenticator.judge(PegaStub.unauthorized, to: request) else {
        Issue.record("\(path)")
        continue
      }
    }
  }

  @Test(
    "Bug-A09: a 401 without a mark of the server's own is a reason to ask, and refuses nothing",
    arguments: [
      TransportResponse.status(.unauthorized),
      .status(.unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"proxy\""]),
      .html("<h1>Access denied</h1>", status: .unauthorized), .json(["message": "no"], status: .unauthorized),
      .json(["errors": .array([])], status: .unauthorized),
    ])
  func unmarked(_ response: TransportResponse) throws {
    let stub = PegaStub()
    guard case .doubtful(_, mayHaveExecuted: false) = try stub.authenticator().judge(response, to: .get(stub.url))
    else {
      Issue.record("it is taken for the server's word")
      return
    }
    var marked = response
    marked.head.headerFields.append(HTTPField(name: .setCookie, value: "Pega-RULES=; Path=/prweb"))
    guard case .rejected = try stub.authenticator().judge(marked, to: .get(stub.url)) else {
      Issue.record("the server's own cookie is no mark")
      return
    }
  }

  @Test("Bug-A09: the session's cookies go to the server's context and below, also those of a wider path")
  func attachedBelowContext() throws {
    let authenticator = try PegaStub().authenticator()
    var jar = CookieJar()
    let url = try #require(URL(string: "http://pega.test:8080/prweb/PRServlet"))
    jar.store("Pega-RULES=1; Path=/", from: try HTTPRequest(.get, to: url), now: Date())
    let session = Session(
      kind: .pega, server: authenticator.server, version: ProofVersion(),
      grant: SessionGrant(user: .init(id: "jdoe"), proof: Proof(cookies: jar)), issuedAt: Date())
    let attachment = authenticator.attachment(for: session)
    func field(_ path: String) -> String? {
      attachment.cookieHeader(
        for: HTTPRequest(method: .get, scheme: "http", authority: "pega.test:8080", path: path),
        at: Moment(wall: Date()), isProof: { _ in true })
    }
    #expect(field("/prweb/api") == "Pega-RULES=1")
    for path in ["/", "/other", "/prwebs", "/prweb/../other"] { #expect(field(path) == nil, "\(path)") }
  }

  @Test("Only pages and refusals without a mark have to be looked into")
  func bodyNeeded() throws {
    let authenticator = try PegaStub().authenticator()
    func needed(_ response: TransportResponse) -> Int {
      authenticator.bodyNeeded(toJudge: StreamingResponse(response.head, body: ResponseBody([])))
    }
    #expect(needed(.html("")) > 0)
    #expect(needed(.json([:])) == 0)
    #expect(needed(PegaStub.unauthorized) == 0)
    #expect(needed(.status(.unauthorized)) > 0)
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
