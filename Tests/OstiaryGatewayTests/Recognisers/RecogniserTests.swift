import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import Testing

@Suite("Recognisers: what is a challenge, and what is none")
struct RecogniserTests {
  private static let form = "<form action=/pkmslogin.form method=post><input name=u><input type=password name=p></form>"

  private func found(
    _ recogniser: ChallengeRecogniser, _ response: TransportResponse,
    _ request: TransportRequest = FormGateway.request(accept: nil)
  ) -> Recognition? { recogniser.recognise(response, to: request) }

  private func needed(
    _ recogniser: ChallengeRecogniser, _ response: TransportResponse,
    _ request: TransportRequest = FormGateway.request(accept: nil)
  ) -> Int { recogniser.bodyNeeded(toRecognise: response.head, to: request) }

  @Test(
    "A login form in place of an answer: 200, 401 and 403, known not to have been executed", arguments: [200, 401, 403])
  func loginForm(_ status: Int) {
    let response = TransportResponse.html(Self.form, status: .init(code: status))
    #expect(found(.loginForm(), response)?.mayHaveExecuted == false)
    #expect(found(.loginForm(.action("/pkmslogin.form")), response) != nil)
    #expect(found(.loginForm(.fields("u", "p")), response) != nil)
    #expect(found(.loginForm(.action("j_security_check")), response) == nil)
  }

  static let innocentResponses: [(String, TransportResponse, String?)] = [
    ("a JSON 401", .json(["error": "invalid_token", "hint": .string(form)], status: .unauthorized), nil),
    ("an HTML 500", .html(form, status: .internalServerError), nil),
    ("an HTML 503", .html(form, status: .serviceUnavailable), nil),
    ("a page that the app asked for", .html(form), "text/html"),
    ("a page that the app asked for among others", .html(form), "application/xhtml+xml;q=0.9, application/json"),
    ("a maintenance page", .html("<title>Maintenance</title><h1>Back at 6</h1>"), "application/json"),
    ("JSON that mentions a form", .json(["text": "j_security_check pkmslogin.form <form><input type=password>"]), nil),
    ("a page that mentions a form in a script", .html("<script>'\(form)'</script>"), nil),
    ("a form for a new password", .html("<form><input type=password name=a><input type=password name=b></form>"), nil),
    ("a new password by hint", .html("<form><input type=password autocomplete=new-password></form>"), nil),
    ("a search form", .html("<form><input name=q></form>"), nil),
    (
      "text",
      TransportResponse(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), body: Data(form.utf8)),
      nil
    ),
    ("nothing", .status(.ok), nil), ("no content", .status(.noContent), nil),
    ("not modified", .status(.notModified), nil),
    ("a redirect elsewhere", .status(.found, headerFields: [.location: "/logins"]), nil),
    ("a redirect that says nothing", .status(.found), nil),
    ("a Bearer 401", .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer error=\"invalid_token\""]), nil),
  ]

  @Test("No false alarm", arguments: innocentResponses)
  func innocent(_ name: String, _ response: TransportResponse, _ accept: String?) throws {
    let request = FormGateway.request(accept: accept)
    let all: ChallengeRecogniser = .any(of: [
      .loginForm(), .redirect(toPath: "/login"), .ostiaryGateway(), .scheme("negotiate"),
    ])
    #expect(all.recognise(response, to: request) == nil)
    let authenticator = try GatewayAuthenticator(
      server: FormGateway.server, handlers: [try FormLogin(at: FormGateway.server)])
    #expect(authenticator.judge(response, to: request) == .accepted)
  }

  @Test("A page that the app asked for is a challenge if its form is known exactly, or it comes with a 401")
  func askedFor() {
    let request = FormGateway.request(accept: "text/html,*/*;q=0.8")
    #expect(found(.loginForm(.action("/pkmslogin.form")), .html(Self.form), request) != nil)
    #expect(found(.loginForm(), .html(Self.form, status: .unauthorized), request) != nil)
  }

  @Test("The body is looked at only where the head leaves a doubt")
  func bodies() throws {
    let authenticator = try GatewayAuthenticator(
      server: FormGateway.server, handlers: [try FormLogin(at: FormGateway.server)])
    func needed(_ response: TransportResponse) -> Int {
      authenticator.bodyNeeded(
        toJudge: StreamingResponse(response.head, body: ResponseBody([])), to: FormGateway.request())
    }
    #expect(needed(.json([:])) == 0)
    #expect(needed(.json([:], status: .unauthorized)) == 0)
    #expect(needed(.html("", status: .badGateway)) == 0)
    #expect(needed(.status(.found, headerFields: [.location: "/login"])) == 0)
    #expect(needed(.html("")) == ChallengeRecogniser.usualBodySize)
  }

  @Test("Redirects to a login page, by path and by address")
  func redirects() throws {
    func response(_ location: String) -> TransportResponse { .status(.found, headerFields: [.location: location]) }
    let byPath = ChallengeRecogniser.redirect(toPath: "/login", "/sso/")
    for location in [
      "/login", "/login?x", "/login/?TAM_OP=login", "/login;jsessionid=1", "https://other.example/login", "../login",
      "/sso/a", "//other.example/sso/",
    ] {
      #expect(found(byPath, response(location))?.mayHaveExecuted == false, "\(location)")
    }
    for location in ["/logins", "/x/login", "/?next=/login", "/sso", "mailto:login", "https://a b/login"] {
      #expect(found(byPath, response(location)) == nil, "\(location)")
    }
    let byAddress = ChallengeRecogniser.redirect(to: try #require(URL(string: "https://sso.example/auth")))
    #expect(found(byAddress, response("https://SSO.example:443/auth?rd=x")) != nil)
    #expect(found(byAddress, response("http://sso.example/auth")) == nil)
    #expect(found(byAddress, response("/auth")) == nil)
    #expect(found(byPath, .status(.ok, headerFields: [.location: "/login"])) == nil)
  }

  @Test(
    "Redirects to a login page that lead back to what was asked for",
    arguments: [
      ("/login?return=/api/things", true), ("/login?return=%2Fapi%2Fthings%3Fa%3D1", true),
      ("/login/?TAM_OP=login&USERNAME=unauthenticated&URL=%2Fapi%2Fthings&OLDSESSION=1", true),
      ("https://sso.example/oauth2/start?rd=https://gate.example/api/things", true),
      ("https://sso.example/oauth2/start?rd=https%3A%2F%2Fgate.example%2Fapi%2Fthings", true),
      ("/Sign-In?x&next=/api/things", true), ("/pkmslogin.form?u=/api/things?a=1&b=2", true),
      // Somewhere to sign in, with no word of the way back, is where a POST that was executed may lead, too.
      ("/login", false), ("/login?return=/api/other", false), ("/login?from=/api/things/1", false),
      ("/login?registered=1", false), ("/logins?x=y", false),
      ("https://sso.example/login?rd=https://evil.example/api/things", false),
      // The way back without a word of signing in.
      ("/language?return=/api/things", false), ("/authors?from=/api/things", false), ("/casino?r=/api/things", false),
    ])
  func redirectsThatLeadBack(_ location: String, _ isChallenge: Bool) throws {
    let response = TransportResponse.status(.found, headerFields: [.location: location])
    let found = found(.redirectToLogin(), response, FormGateway.request("/api/things?a=1&b=2"))
    #expect((found != nil) == isChallenge)
    #expect(found?.mayHaveExecuted != true)
    var login = try FormLogin(at: FormGateway.server)
    #expect((login.recogniser.recognise(response, to: FormGateway.request("/api/things?a=1")) != nil) == isChallenge)
    login.loginPage = URL(string: "https://gate.example/login")
    // An address that the app names is enough.
    let isNamed = ["/login", "/login/"].contains(location.prefix { $0 != "?" })
    #expect((login.recogniser.recognise(response, to: FormGateway.request("/x")) != nil) == isNamed)
  }

  @Test("Statuses, fields and schemes")
  func heads() throws {
    #expect(found(.status(401, 440, mayHaveExecuted: false), .status(.init(code: 440)))?.mayHaveExecuted == false)
    #expect(found(.status(401, mayHaveExecuted: true), .status(.forbidden)) == nil)
    let name = try #require(HTTPField.Name("X-Gate"))
    let response = TransportResponse.status(.ok, headerFields: [name: "Please Sign-In now"])
    #expect(found(.header(name, mayHaveExecuted: false), response) != nil)
    #expect(found(.header(name, containing: "sign-in", mayHaveExecuted: false), response) != nil)
    #expect(found(.header(name, containing: "sign-out", mayHaveExecuted: false), response) == nil)
    let challenge = TransportResponse.status(
      .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"a\", NEGOTIATE"])
    #expect(found(.scheme("Negotiate"), challenge) != nil)
    #expect(found(.scheme("basic", realm: "a"), challenge) != nil)
    #expect(found(.scheme("basic", realm: "b"), challenge) == nil)
  }

  @Test("An unexpected content type: a page where data was asked for")
  func contentType() {
    let json = FormGateway.request(accept: "application/json")
    let any = FormGateway.request(accept: "application/json, */*")
    #expect(found(.unexpectedContentType(), .html("x"), json)?.mayHaveExecuted == true)
    #expect(found(.unexpectedContentType(), .html("x"), any) == nil)
    #expect(found(.unexpectedContentType(), .html("x")) == nil)
    #expect(found(.unexpectedContentType(), .json([:]), json) == nil)
    #expect(found(.unexpectedContentType(), .html("x", status: .badGateway), json) == nil)
    #expect(found(.unexpectedContentType(expecting: "application/*"), .html("x")) != nil)
    #expect(found(.unexpectedContentType(expecting: "application/*"), .json([:])) == nil)
    // Together with a form it is certain.
    let both = ChallengeRecogniser.all(of: [.unexpectedContentType(), .loginForm()])
    #expect(found(both, .html(Self.form), json)?.mayHaveExecuted == false)
    #expect(found(both, .html("<h1>Maintenance</h1>"), json) == nil)
  }

  @Test("The server's own challenge for programs")
  func typed() throws {
    let fields: [String: JSONValue] = [
      "challenge": "login-form", "gateway": "office", "login": "https://gate.example/login",
      "reason": "session-expired",
    ]
    let mark: HTTPFields = [.wwwAuthenticate: "Ostiary-Gateway realm=\"office\""]
    let response = TransportResponse.json(fields, status: .unauthorized, headerFields: mark)
    #expect(found(.ostiaryGateway(), response)?.mayHaveExecuted == false)
    #expect(found(.ostiaryGateway("office"), response) != nil)
    #expect(found(.ostiaryGateway("other"), response) == nil)
    #expect(needed(.ostiaryGateway(), response) == 0)
    let demand = try #require(GatewayDemand(response))
    #expect(demand.gateway == "office")
    #expect(demand.login.absoluteString == "https://gate.example/login")
    #expect(demand.reason == .sessionExpired)
    for (name, value) in [("login", JSONValue.string("javascript:1")), ("login", .number(1)), ("challenge", "other")] {
      var broken = fields
      broken[name] = value
      #expect(GatewayDemand(.json(broken, status: .unauthorized, headerFields: mark)) == nil)
    }
    #expect(GatewayDemand(.json(fields, headerFields: mark)) == nil)
    #expect(GatewayDemand(.json(fields, status: .unauthorized)) == nil)
  }

  static let portals: [(String, TransportResponse)] = [
    ("511", .html("Sign in to the network", status: .networkAuthenticationRequired)),
    (
      "a redirect with the address in it",
      .status(.found, headerFields: [.location: "http://wifi.hotel/login?url=http%3A%2F%2Fgate.example%2F"])
    ),
    ("WISPr", .html("<!-- <WISPAccessGatewayParam><Redirect></Redirect></WISPAccessGatewayParam> -->")),
    (
      "a form that leads there",
      .html("<form action=http://10.0.0.1/login method=post><input name=room><input type=password></form>")
    ),
  ]

  @Test("A captive portal is told from the gateway, and is no challenge", arguments: portals)
  func portal(_ name: String, _ response: TransportResponse) throws {
    var request = FormGateway.request()
    request.head.scheme = "http"
    let url = try #require(URL(string: "http://gate.example/api"))
    let authenticator = try GatewayAuthenticator(server: url, handlers: [try FormLogin(at: url)])
    guard case .obstructed(let error) = authenticator.judge(response, to: request) else {
      Issue.record("\(name) is not recognised")
      return
    }
    #expect(error.code == .captivePortal)
    #expect(error.isTransient)
    #expect(!error.requestMayHaveExecuted)
    #expect(!error.description.contains("wifi.hotel"))
  }

  @Test("Over https, and to hosts that the app knows, nothing passes for a portal")
  func noPortal() throws {
    let request = FormGateway.request()
    let sso = try #require(URL(string: "http://wifi.hotel/login"))
    let authenticator = try GatewayAuthenticator(
      server: FormGateway.server, handlers: [try FormLogin(at: FormGateway.server, sso)])
    var plain = request
    plain.head.scheme = "http"
    for (name, response) in Self.portals.dropFirst() {
      if case .obstructed = authenticator.judge(response, to: request) { Issue.record("\(name) over https") }
    }
    #expect(authenticator.judge(Self.portals[1].1, to: plain) == .accepted)
  }
}
