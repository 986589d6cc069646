import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryHTML
import OstiaryTesting
import TestSupport
import Testing

@Suite("Form login: reads pages as a browser does")
struct FormLoginPageTests {
  /// A gateway made of pages: every request without the cookie `in` gets the first one.
  struct Pages: Sendable {
    let transport: ScriptedTransport
    let sent = Locked<[[String: String]]>([])
    let requests = Locked<[TransportRequest]>([])

    /// - Parameters:
    ///   - challenge: answers a request without a session.
    ///   - posted: answers what is posted, given its fields and how many were posted before.
    init(
      _ challenge: TransportResponse, status: HTTPResponse.Status? = nil,
      posted: @escaping @Sendable ([String: String], Int) -> TransportResponse = { _, _ in Pages.welcome }
    ) {
      var challenge = challenge
      if let status { challenge.head.status = status }
      let (sent, requests) = (sent, requests)
      transport = ScriptedTransport { [challenge] request in
        if request.head.method == .post {
          let pairs = FormEncoding.parse(String(decoding: request.body ?? Data(), as: UTF8.self))
          let fields = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
          requests.withLock { $0.append(request) }
          let count = sent.withLock { sent in
            sent.append(fields)
            return sent.count - 1
          }
          return posted(fields, count)
        }
        if request.head.headerFields[.cookie]?.contains("in=") == true { return .json(["in": true]) }
        return challenge
      }
    }

    static let welcome: TransportResponse = {
      var response = TransportResponse.html("<title>Welcome</title>")
      response.head.headerFields[.setCookie] = "in=1; Path=/"
      return response
    }()

    func signIn(
      _ password: Secret = "secret", configure: (inout FormLogin) -> Void = { _ in }
    ) async throws -> TransportResponse {
      var login = try FormLogin(at: FormGateway.server)
      configure(&login)
      return try await signIn(password, login)
    }

    func signIn(_ password: Secret = "secret", _ login: FormLogin) async throws -> TransportResponse {
      var configuration = SessionConfiguration()
      configuration.retry = .none
      let manager = SessionManager(
        authenticator: try GatewayAuthenticator(server: FormGateway.server, handlers: [login]), transport: transport,
        credentials: .upFront(.password(username: "ann", password: password)), configuration: configuration)
      return try await AuthenticatedTransport(manager).send(FormGateway.request())
    }
  }

  static func page(_ form: String, head: String = "") -> TransportResponse {
    .html("<!doctype html><html><head><title>Sign in</title>\(head)</head><body>\(form)</body></html>")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let page: String
    var head = ""
    var path = "/login"
    let fields: [String: String]
    var testDescription: String { name }
  }

  static let user = "<input name=u><input type=password name=p>"

  static let rows: [Row] = [
    Row(
      name: "hidden fields, once each, and the button's name",
      page: """
        <form action=/login method=post><input type=hidden name=t value='a"b&amp;c'><input type=hidden name=e>\(user)
        <button name="pyActivity=Login" value=""></button><button name=other value=x>Other</button></form>
        """, fields: ["t": "a\"b&c", "e": "", "u": "ann", "p": "secret", "pyActivity=Login": ""]),
    Row(
      name: "an action relative to the page", page: "<form action='deeper/./login?x=1' method=POST>\(user)</form>",
      path: "/api/deeper/login?x=1", fields: ["u": "ann", "p": "secret"]),
    Row(
      name: "an action relative to the base", page: "<form action=login method=post>\(user)</form>",
      head: "<base target=_top><base href='/sso/x'><base href=/no/>", path: "/sso/login",
      fields: ["u": "ann", "p": "secret"]),
    Row(
      name: "a session in the path", page: "<form action='/login;jsessionid=A1?b' method=post>\(user)</form>",
      path: "/login;jsessionid=A1?b", fields: ["u": "ann", "p": "secret"]),
    Row(
      name: "the button's own address",
      page: """
        <form action=/wrong method=get>\(user)<button type=button name=no>x</button>
        <button formaction=/login formmethod=post name=go value=1>Go</button></form>
        """, fields: ["u": "ann", "p": "secret", "go": "1"]),
    Row(
      name: "what is switched off stays out",
      page: """
        <form action=/login method=post><input type=hidden name=no value=1 disabled>\(user)
        <fieldset disabled><legend><input type=hidden name=legend value=1></legend><input type=hidden name=off value=1>
        <fieldset><input type=hidden name=deep value=1></fieldset></fieldset><input type=hidden name=on value=1></form>
        """, fields: ["u": "ann", "p": "secret", "legend": "1", "on": "1"]),
    Row(
      name: "fields elsewhere that name the form",
      page: """
        <input type=hidden name=before value=1 form=f><form id=f action=/login method=post>\(user)
        <input type=hidden name=not value=1 form=g></form><input type=submit form=f name=go value=Go>
        <input type=hidden name=outside value=1>
        """, fields: ["before": "1", "u": "ann", "p": "secret", "go": "Go"]),
    Row(
      name: "boxes, choices and texts",
      page: """
        <form action=/login method=post>\(user)<input type=checkbox name=a checked><input type=checkbox name=b>
        <input type=radio name=r value=1><input type=radio name=r value=2 checked>
        <select name=realm><option value=x>X<option selected>The &amp; <b>realm</b></select>
        <select name=first><optgroup disabled><option>no</optgroup><option value=y>Y<option>Z</select>
        <select name=many multiple><option>1<option>2</select>
        <textarea name=note>\n a\nb</textarea><input type=reset name=reset value=r><input type=file name=file></form>
        """,
      fields: [
        "u": "ann", "p": "secret", "a": "on", "r": "2", "realm": "The & realm", "first": "y", "note": " a\r\nb",
        "file": "",
      ]),
    Row(
      name: "names told by hints, the user name after the password too",
      page: """
        <form action=/login method=post><input name=search><input name=p type=password autocomplete="section-a current-password">
        <input type=email name=u autocomplete=username></form>
        """, fields: ["search": "", "u": "ann", "p": "secret"]),
    Row(
      name: "the right one of several forms",
      page: """
        <form action=/search><input name=q></form>
        <form action=/register method=post><input name=n><input type=password name=x><input type=password name=y></form>
        <template><form action=/no method=post>\(user)</form></template>
        <form action=/login method=post>\(user)</form>
        """, fields: ["u": "ann", "p": "secret"]),
    Row(
      name: "a button that leads away is not pressed",
      page: """
        <form action=/login method=post><input type=submit name=cancel value=Cancel>\(user)<input type=submit name=ok value=OK>
        </form>
        """, fields: ["u": "ann", "p": "secret", "ok": "OK"]),
    Row(
      name: "a picture as the button", page: "<form action=/login method=post>\(user)<input type=image name=go></form>",
      fields: ["u": "ann", "p": "secret", "go.x": "0", "go.y": "0"]),
    Row(
      name: "an empty action, posted to the page's own address", page: "<form action='' method=post>\(user)</form>",
      head: "<base href=/elsewhere/>", path: "/login?again", fields: ["u": "ann", "p": "secret"]),
  ]

  @Test("Gateway-G6: a form is sent as a browser would", arguments: rows)
  func sends(_ row: Row) async throws {
    let world: Pages
    if row.path == "/login?again" {
      world = Pages(.status(.found, headerFields: [.location: "/login?again"]))
      let page = Self.page(row.page, head: row.head)
      world.transport.on(.get, "/login") { _ in page }
    } else {
      world = Pages(Self.page(row.page, head: row.head))
    }
    #expect(
      try await world.signIn { login in
        login.recogniser = .any(of: [login.recogniser, .redirect(toPath: "/login")])
      }.text.contains("in"))
    #expect(world.sent.withLock { $0 } == [row.fields])
    #expect(world.requests.withLock { $0.map(\.head.path) } == [row.path])
  }

  @Test("The page's character set is the form's; what it can't carry becomes a reference")
  func charset() async throws {
    var page = Self.page(
      "<form action=/login method=post><input type=hidden name=_charset_><input name=f value='é€'>\(Self.user)</form>")
    page.head.headerFields[.contentType] = "text/html; charset=ISO-8859-1"
    page.body = Data(page.text.unicodeScalars.map { $0.value < 256 ? UInt8($0.value) : 0x80 })
    let world = Pages(page)
    _ = try await world.signIn("pä€日")
    let body = world.requests.withLock { String(decoding: $0.first?.body ?? Data(), as: UTF8.self) }
    #expect(body == "_charset_=windows-1252&f=%E9%80&u=ann&p=p%E4%80%26%2326085%3B")
  }

  @Test("A character set that nobody knows carries ASCII, and refuses the rest before anything is sent")
  func unknownCharset() async throws {
    var page = Self.page("<form action=/login method=post>\(Self.user)</form>", head: "<meta charset=x-klingon>")
    page.head.headerFields[.contentType] = "text/html"
    let world = Pages(page)
    #expect(await failure { try await world.signIn("pä") }?.code == .invalidInput)
    #expect(world.sent.withLock { $0.isEmpty })
    _ = try await world.signIn()
  }

  @Test("A multipart form is written as one")
  func multipart() async throws {
    let world = Pages(
      Self.page(
        """
        <form action=/login method=post enctype="multipart/form-data"><input type=hidden name='a"b' value="x\ny">\(Self.user)
        <input type=file name=f></form>
        """))
    _ = try await world.signIn("pä")
    let request = try #require(world.requests.withLock { $0.first })
    let type = try #require(request.head.headerFields[.contentType])
    let boundary = try #require(type.split(separator: "boundary=").last)
    let parts = String(decoding: request.body ?? Data(), as: UTF8.self).components(separatedBy: "--\(boundary)")
    #expect(
      parts == [
        "", "\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nx\r\ny\r\n",
        "\r\nContent-Disposition: form-data; name=\"u\"\r\n\r\nann\r\n",
        "\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\npä\r\n",
        "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n",
        "--\r\n",
      ])
  }

  @Test("User name and password on two pages")
  func twoPages() async throws {
    let world = Pages(
      Self.page("<form action=/user method=post><input name=identifier autocomplete=username></form>"),
      status: .unauthorized
    ) { _, count in
      count == 0
        ? Self.page(
          "<form action=/password method=post><input type=hidden name=k value=2><input type=password name=p></form>")
        : Pages.welcome
    }
    _ = try await world.signIn { $0.recogniser = .status(401, mayHaveExecuted: false) }
    #expect(world.sent.withLock { $0 } == [["identifier": "ann"], ["k": "2", "p": "secret"]])
  }

  @Test("A one-time code is asked of the app, again if it is refused, and three times at most")
  func oneTimeCode() async throws {
    let form = "<form action=/code method=post><input name=otp inputmode=numeric></form>"
    let world = Pages(Self.page("<form action=/login method=post>\(Self.user)</form>")) { fields, _ in
      fields["otp"] == "2" ? Pages.welcome : Self.page(form)
    }
    let asked = Locked<[Int]>([])
    _ = try await world.signIn {
      $0.oneTimeCode = { request in
        #expect(request.username == "ann")
        #expect(request.title == "Sign in")
        asked.withLock { $0.append(request.attempt) }
        return Secret("\(request.attempt)")
      }
    }
    #expect(asked.withLock { $0 } == [1, 2])
    let refused = await failure { try await world.signIn { $0.oneTimeCode = { _ in "9" } } }
    #expect(refused?.code == .invalidCredentials)
    let noWay = await failure { try await world.signIn() }
    #expect(noWay?.code == .oneTimeCodeRequired)
    #expect(noWay?.disposition == .terminal)
    let declined = await failure {
      try await world.signIn {
        $0.oneTimeCode = { _ in throw OstiaryError(.interactionCancelled, "No.") }
      }
    }
    #expect(declined?.code == .interactionCancelled)
  }

  @Test(
    "A captcha is refused with an error that says so, and nothing is sent",
    arguments: [
      "<form action=/login method=post>\(user)<div class='x g-recaptcha'></div></form>",
      "<form action=/login method=post>\(user)<input type=text name=captcha_code></form>",
    ])
  func captcha(_ form: String) async throws {
    let world = Pages(Self.page(form))
    let error = await failure { try await world.signIn() }
    #expect(error?.code == .captchaRequired)
    #expect(error?.disposition == .terminal)
    #expect(world.sent.withLock { $0.isEmpty })
  }

  @Test("A stale form is fetched again, once")
  func stale() async throws {
    let form = Self.page("<form action=/login method=post><input type=hidden name=t value=1>\(Self.user)</form>")
    let world = Pages(form) { _, count in
      count == 0 ? .html("<title>Bad request</title>CSRF token mismatch", status: .badRequest) : Pages.welcome
    }
    _ = try await world.signIn()
    #expect(world.sent.withLock { $0.count } == 2)
    let never = Pages(form) { _, _ in .status(.init(code: 419)) }
    let error = await failure { try await never.signIn() }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.isTransient == true)
    #expect(never.sent.withLock { $0.count } == 2)
    // A page that says that its token was used up brings a new one.
    let fresh = Pages(form) { _, count in
      count == 0
        ? .html(
          "Session has expired.<form action=/login method=post><input type=hidden name=t value=2>\(Self.user)</form>")
        : Pages.welcome
    }
    _ = try await fresh.signIn()
    #expect(fresh.sent.withLock { $0.map { $0["t"] } } == ["1", "2"])
    // Ostiary's own says so in a code, in every language.
    let told = Pages(form) { _, count in
      count == 0
        ? .html(
          """
          <html lang=ja><div role="alert"><div id="error" data-code="expired">このページの有効期限が切れました。</div></div>
          <form action=/login method=post><input type=hidden name=t value=2>\(Self.user)</form>
          """, status: .forbidden)
        : Pages.welcome
    }
    _ = try await told.signIn()
    #expect(told.sent.withLock { $0.map { $0["t"] } } == ["1", "2"])
  }

  @Test("A page that one server sends to another by way of the browser is passed on")
  func relay() async throws {
    let world = Pages(Self.page("<form action=/login method=post>\(Self.user)</form>")) { fields, count in
      count == 0
        ? Self.page(
          """
          <form action=/acs method=post><input type=hidden name=SAMLResponse value=abc>
          <input type=hidden name=RelayState value=x><noscript><input type=submit value=Continue></noscript></form>
          """)
        : Pages.welcome
    }
    _ = try await world.signIn()
    #expect(world.sent.withLock { $0.last } == ["SAMLResponse": "abc", "RelayState": "x"])
  }

  @Test("Named fields, other fields and a named button where the page can't be guessed")
  func named() async throws {
    let world = Pages(
      Self.page(
        """
        <form name=weird action=/login method=post><input name=a><input name=b><input name=c type=text>
        <button name=x value=1>One</button><button id=two name=y value=2>Two</button></form>
        """))
    var login = try FormLogin(at: FormGateway.server, sign: .named("weird"))
    login.fields = .init(username: "b", password: "c", others: ["login-form-type": "pwd", "a": "z"])
    login.button = "two"
    _ = try await world.signIn("secret", login)
    #expect(
      world.sent.withLock { $0 } == [["a": "z", "b": "ann", "c": "secret", "login-form-type": "pwd", "y": "2"]])
  }
}
