import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryTesting
import TestSupport
import Testing

@Suite("Form login: where passwords go, and what its pages mean")
struct FormLoginSafetyTests {
  typealias Pages = FormLoginPageTests.Pages
  private static let user = FormLoginPageTests.user

  @Test(
    "Invariant 11: a form that leads to another server gets nothing",
    arguments: [
      "https://evil.example/login", "//evil.example/login", "https://gate.example:8443/login",
      "http://gate.example/login",
      "https://gate.example@evil.example/", "javascript:alert(1)", "https:\\\\evil.example\\login",
    ])
  func foreignForm(_ action: String) async throws {
    let world = Pages(FormLoginPageTests.page("<form action='\(action)' method=post>\(Self.user)</form>"))
    let error = await failure { try await world.signIn() }
    #expect([.unsafeLoginForm, .redirectRefused].contains(error?.code))
    #expect(world.transport.requests.allSatisfy { $0.body == nil })
  }

  @Test("A base on another server moves the form there, where nothing is sent")
  func foreignBase() async throws {
    let page = FormLoginPageTests.page(
      "<form action=login method=post>\(Self.user)</form>", head: "<base href=https://evil.example/>")
    let world = Pages(page)
    #expect(await failure { try await world.signIn() }?.code == .unsafeLoginForm)
    #expect(world.transport.count == 1)
  }

  @Test("A button that sends the form elsewhere gets nothing either")
  func foreignButton() async throws {
    let world = Pages(
      FormLoginPageTests.page(
        "<form action=/login method=post>\(Self.user)<button formaction=https://evil.example/>Go</button></form>"))
    #expect(await failure { try await world.signIn() }?.code == .unsafeLoginForm)
  }

  @Test("A password travels over http only when that is allowed loudly")
  func plainHTTP() async throws {
    let server = try #require(URL(string: "http://gate.example/api"))
    let transport = ScriptedTransport { request in
      if request.head.headerFields[.cookie] != nil { return .json([:]) }
      if request.head.method == .post { return Pages.welcome }
      return FormLoginPageTests.page("<form action=/login method=post>\(Self.user)</form>")
    }
    var login = try FormLogin(at: server)
    func send() async throws -> HTTPResponse.Status {
      let manager = SessionManager(
        authenticator: try GatewayAuthenticator(server: server, handlers: [login]), transport: transport,
        credentials: .upFront(.password(username: "ann", password: "secret")))
      return try await AuthenticatedTransport(manager).send(.get(server)).status
    }
    #expect(await failure { try await send() }?.code == .unsafeLoginForm)
    #expect(transport.count == 1)
    login.allowingInsecureHTTPForPasswords = true
    #expect(try await send() == .ok)
  }

  @Test("A form that would put the password into the address gets nothing")
  func getForm() async throws {
    let world = Pages(FormLoginPageTests.page("<form action=/login>\(Self.user)</form>"))
    #expect(await failure { try await world.signIn() }?.code == .unsafeLoginForm)
    #expect(world.transport.count == 1)
  }

  @Test("The login page's open redirect is not followed off the gateway, before or after")
  func openRedirect() async throws {
    let world = Pages(FormLoginPageTests.page("<form action=/login method=post>\(Self.user)</form>")) { _, _ in
      .status(.found, headerFields: [.location: "https://evil.example/steal", .setCookie: "in=1; Path=/"])
    }
    _ = try await world.signIn()
    #expect(world.transport.requests.allSatisfy { $0.head.authority == "gate.example" })

    let before = Pages(.status(.found, headerFields: [.location: "https://evil.example/login"]))
    let error = await failure {
      try await before.signIn { $0.recogniser = .redirect(toPath: "/login") }
    }
    #expect([.redirectRefused, .unsafeLoginForm].contains(error?.code))
    #expect(before.transport.requests.allSatisfy { $0.head.authority == "gate.example" })
  }

  @Test("A login page on another origin that the app allows is used, and its cookies stay there")
  func otherOrigin() async throws {
    let transport = ScriptedTransport { request in
      if request.head.authority == "sso.example" {
        if request.head.method == .post {
          return .status(
            .found, headerFields: [.location: "https://gate.example/enter?k=1", .setCookie: "sso=1; Path=/; Secure"])
        }
        return FormLoginPageTests.page("<form action=/in method=post>\(Self.user)</form>")
      }
      if request.head.path == "/enter?k=1" {
        return .status(.found, headerFields: [.location: "/api/things", .setCookie: "in=1; Path=/; Secure"])
      }
      let cookies = request.head.headerFields[.cookie] ?? ""
      #expect(!cookies.contains("sso="))
      if cookies.contains("in=") { return .json([:]) }
      return .status(.found, headerFields: [.location: "https://sso.example/auth?rd=https://gate.example/api/things"])
    }
    let sso = try #require(URL(string: "https://sso.example"))
    var login = try FormLogin(at: sso, FormGateway.server)
    login.recogniser = .redirect(to: sso)
    let manager = SessionManager(
      authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [login]), transport: transport,
      credentials: .upFront(.password(username: "ann", password: "secret")))
    #expect(try await AuthenticatedTransport(manager).send(FormGateway.request()).status == .ok)
    // The request itself is sent twice, not a third time by the gateway's redirect.
    #expect(transport.count(.get, "/api/things") == 2)
  }

  struct Outcome: Sendable, CustomTestStringConvertible {
    let name: String
    let response: TransportResponse
    let code: OstiaryError.Code
    var disposition: OstiaryError.Disposition = .terminal
    var testDescription: String { name }
  }

  static let outcomes: [Outcome] = [
    Outcome(
      name: "the form again", response: FormLoginPageTests.page("Wrong.<form action=/login method=post>\(user)</form>"),
      code: .invalidCredentials),
    Outcome(
      name: "the form again with a fresh cookie",
      response: {
        var response = FormLoginPageTests.page("<form action=/login method=post>\(user)</form>")
        response.head.headerFields[.setCookie] = "in=1; Path=/"
        return response
      }(), code: .invalidCredentials),
    Outcome(
      name: "401 with the form",
      response: {
        var response = FormLoginPageTests.page("<form action=/login method=post>\(user)</form>")
        response.head.status = .unauthorized
        return response
      }(), code: .invalidCredentials),
    Outcome(name: "401 in JSON", response: .json(["error": "no"], status: .unauthorized), code: .invalidCredentials),
    Outcome(
      name: "locked by the title",
      response: .html("<title>Your account has been locked</title>" + String(repeating: "text ", count: 900)),
      code: .accountLocked),
    Outcome(
      name: "locked by the text, with the form",
      response: .html("Your account is temporarily locked.<form action=/login method=post>\(user)</form>"),
      code: .accountLocked),
    Outcome(
      name: "maintenance, 200", response: .html("<h1>Scheduled maintenance</h1>"), code: .serverUnavailable,
      disposition: .transient(retryAfter: nil)),
    Outcome(
      name: "busy", response: .status(.serviceUnavailable, headerFields: [.retryAfter: "120"]),
      code: .serverUnavailable,
      disposition: .transient(retryAfter: .seconds(120))),
    Outcome(
      name: "too many requests", response: .status(.tooManyRequests), code: .serverUnavailable,
      disposition: .transient(retryAfter: nil)),
    Outcome(
      name: "nowhere", response: .status(.notFound), code: .unexpectedResponse, disposition: .transient(retryAfter: nil)
    ),
    Outcome(
      name: "a portal", response: .status(.networkAuthenticationRequired), code: .captivePortal,
      disposition: .transient(retryAfter: nil)),
  ]

  @Test("What the gateway shows decides, not its status nor a fresh cookie", arguments: outcomes)
  func outcome(_ row: Outcome) async throws {
    let world = Pages(FormLoginPageTests.page("<form action=/login method=post>\(Self.user)</form>")) { _, _ in
      row.response
    }
    let error = await failure { try await world.signIn() }
    #expect(error?.code == row.code)
    #expect(error?.disposition == row.disposition)
    #expect(world.sent.withLock { $0.count } == 1)
  }

  @Test("A long page that mentions locked accounts is no locked account")
  func longPage() async throws {
    let world = Pages(FormLoginPageTests.page("<form action=/login method=post>\(Self.user)</form>")) { _, _ in
      var response = Pages.welcome
      response.body = Data(
        ("If your account is locked, call us. CSRF. Maintenance." + String(repeating: "news ", count: 900)).utf8)
      return response
    }
    #expect(try await world.signIn().status == .ok)
  }

  @Test("The app's own rule is asked first")
  func ownRule() async throws {
    let world = Pages(FormLoginPageTests.page("<form action=/login method=post>\(Self.user)</form>")) { _, _ in
      .html("Benutzerkonto gesperrt")
    }
    let error = await failure {
      try await world.signIn { $0.judge = { $0.text.contains("gesperrt") ? .locked : nil } }
    }
    #expect(error?.code == .accountLocked)
    let words = await failure { try await world.signIn { $0.signs.locked.insert("konto gesperrt") } }
    #expect(words?.code == .accountLocked)
  }

  @Test("Invariant 12: no error and no description shows the password or a token")
  func secrets() async throws {
    let secret: Secret = "s3cr3t-pass"
    let responses = Self.outcomes.map(\.response) + [.html("<form action=https://evil.example>\(Self.user)</form>")]
    for response in responses {
      let world = Pages(
        FormLoginPageTests.page(
          "<form action='/login?k=t0ken' method=post><input type=hidden name=t value=t0ken>\(Self.user)</form>")
      ) { _, _ in response }
      let error = try #require(await failure { try await world.signIn(secret) })
      var text = "\(error) \(String(reflecting: error)) \(error.advice)"
      dump(error, to: &text)
      #expect(!text.contains("s3cr3t-pass"))
      #expect(!text.contains("t0ken"))
    }
    var login = try FormLogin(at: FormGateway.server)
    login.fields.others = ["k": "v"]
    let challenge = Challenge(
      request: FormGateway.request("/api?t0ken"), response: .html("t0ken"), recognition: Recognition("form"))
    let conversation = ChallengeConversation(
      AuthenticationContext(transport: ScriptedTransport()), credential: .password(username: "ann", password: secret),
      proof: Proof(tokens: ["t": "t0ken"]))
    var text = "\(challenge) \(String(reflecting: challenge)) \(conversation) \(String(reflecting: conversation))"
    dump(challenge, to: &text)
    dump(conversation, to: &text)
    #expect(!text.contains("t0ken"))
    #expect(!text.contains("s3cr3t-pass"))
  }
}
