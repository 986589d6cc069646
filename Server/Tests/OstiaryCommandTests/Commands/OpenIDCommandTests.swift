import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("login oidc", .timeLimit(.minutes(20)))
struct OpenIDCommandTests {
  /// An API and its authorization server, which says where it does what.
  private final class Server: Sendable {
    struct State {
      var address = ""
      var number = 0
      var live = ""
      var polls = 0
      var clients = 0
      var lifetime = 600
    }

    let state: Locked<State>
    let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      server = try LoopbackServer { request in [Self.answer(request, state)] }
      state.withLock { [server] in $0.address = "http://127.0.0.1:\(server.port)" }
    }

    var address: String { state.withLock { $0.address } }

    func count(_ path: String) -> Int { server.requests.count(where: { $0.path == path }) }

    private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> LoopbackServer.Action {
      let address = state.withLock { $0.address }
      switch request.path {
      case "/.well-known/openid-configuration":
        let names = [
          ("authorization", "authorization"), ("token", "token"), ("device_authorization", "device"),
          ("registration", "register"), ("end_session", "end"),
        ]
        let endpoints = names.map { #""\#($0)_endpoint":"\#(address)/\#($1)""# }.joined(separator: ",")
        return json(200, #"{"issuer":"\#(address)","revocation_endpoint":"\#(address)/revoke",\#(endpoints)}"#)
      case "/authorization":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = FormEncoding.serialize([(name: "code", value: "c"), (name: "state", value: asked["state"] ?? "")])
        return .response(302, [("Location", "\(asked["redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/end":
        let query = FormEncoding.parse(String(request.target.drop { $0 != "?" }.dropFirst()))
        let asked = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = FormEncoding.serialize([(name: "state", value: asked["state"] ?? "")])
        return .response(302, [("Location", "\(asked["post_logout_redirect_uri"] ?? "")?\(answer)")], body: "")
      case "/.well-known/oauth-protected-resource/orders":
        return json(200, #"{"resource":"\#(address)/orders","authorization_servers":["\#(address)"]}"#)
      case "/register":
        let number = state.withLock { state in
          state.clients += 1
          return state.clients
        }
        let members = #""client_id":"c-\#(number)","client_secret":"planted-\#(number)""#
        return json(201, #"{"token_endpoint_auth_method":"client_secret_basic",\#(members)}"#)
      case "/device":
        return json(
          200,
          #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"\#(address)/enter","expires_in":600,"interval":1}"#
        )
      case "/token":
        let isDevice = request.text.contains("device_code")
        return state.withLock { state in
          if isDevice { state.polls += 1 }
          state.number += 1
          state.live = "access-\(state.number)"
          return json(
            200,
            #"{"access_token":"\#(state.live)","refresh_token":"refresh-\#(state.number)","expires_in":\#(state.lifetime),"scope":"a b"}"#
          )
        }
      case "/revoke": return .response(200, body: "")
      case "/orders":
        let isGood = state.withLock { request.fields[.authorization] == "Bearer \($0.live)" }
        return isGood ? .response(200, body: "two orders") : .response(401, [("WWW-Authenticate", "Bearer")], body: "")
      default: return .response(404, body: "")
      }
    }

    private static func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
      .response(status, [("Content-Type", "application/json")], body: body)
    }
  }

  private func login(_ server: Server, _ more: [String] = []) -> [String] {
    [
      "login", "oidc", "--server", server.address + "/", "--option", "issuer=\(server.address)", "--option",
      "client-id=tool",
    ] + more
  }

  @Test("FIND-31: the issuer is enough; a later command renews with one request; logout revokes")
  func browser() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(login(server), browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(signIn.error.contains("open this page yourself"))
    #expect(server.count("/.well-known/openid-configuration") == 1)
    let call = await sandbox.run(["request", "/orders"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    server.state.withLock { $0.live = "" }
    let again = await sandbox.run(["request", "/orders"])
    #expect(again.status == 0 && again.output.contains("two orders"), "\(again.error)")
    let token = await sandbox.run(["token"])
    #expect(token.output == server.state.withLock { $0.live } + "\n", "\(token.error)")
    // The server names no endpoint that could be asked about a token.
    let status = await sandbox.run(["status"])
    #expect(status.status == 0 && status.output.contains("a b"), "\(status.output) \(status.error)")
    #expect(status.output.contains("there is nothing that the server could be asked"))
    #expect(await sandbox.run(["logout"]).status == 0)
    #expect(server.count("/.well-known/openid-configuration") == 1, "a session keeps its server")
    #expect(server.count("/revoke") == 2)
    let said = signIn.output + signIn.error + call.error + again.error + status.output
    #expect(!said.contains("access-") && !said.contains("refresh-"))
  }

  @Test(
    "FIND-43: an address with a password in it is refused, and the password is not shown",
    arguments: [
      ["http://u:planted-pw@127.0.0.1/a"], ["--api", "http://u:planted-pw@127.0.0.1/a"], ["--api", "u:planted-pw@h/a"],
      ["-o", "issuer=http://u:planted-pw@127.0.0.1/a"], ["u:planted-pw@127.0.0.1", "--client-id", "tool"],
      ["http://127.0.0.1/a", "--api", "http://u:planted-pw@127.0.0.1/a", "--client-id", "tool"],
    ])
  func passwordInAddress(arguments: [String]) async throws {
    let outcome = try await Sandbox().run(["login", "oidc"] + arguments)
    #expect(outcome.status == 2 && outcome.error.contains("has a user name or password in it"), "\(outcome.error)")
    #expect(!(outcome.output + outcome.error).contains("planted"), "\(outcome.error)")
  }

  @Test("MIN-8: token --min-validity renews what is good for less, and says when the server gives no more time")
  func minimumValidity() async throws {
    let server = try Server()
    defer { server.server.stop() }
    server.state.withLock { $0.lifetime = 200 }
    let sandbox = try Sandbox()
    #expect(await sandbox.run(login(server), browser: RedirectedBrowser.visit).status == 0)
    let first = await sandbox.run(["token", "--min-validity", "90"])
    #expect(first.status == 0 && first.output == "access-1\n", "\(first.error)")
    let short = await sandbox.run(["token", "--min-validity", "5m"])
    #expect(short.status == 2 && short.output.isEmpty && short.error.contains("--min-validity"), "\(short.error)")
    server.state.withLock { $0.lifetime = 600 }
    let second = await sandbox.run(["token", "--min-validity", "5m"])
    #expect(second.status == 0 && second.output == "access-3\n", "\(second.error)")
    #expect(await sandbox.run(["token", "--min-validity", "5m"]).output == "access-3\n")
    #expect(await sandbox.run(["token"]).output == "access-3\n")
    #expect(server.count("/token") == 3)
  }

  @Test(
    "MIN-8: how a time is written",
    arguments: [
      ("90", 90), ("90s", 90), ("5m", 300), ("2h", 7200), ("1d", 86_400), ("", nil), ("m", nil), ("-5m", nil),
      ("5 m", nil),
      ("0", nil), ("366d", nil), ("1.5h", nil), ("٥m", nil), ("99999999999999999999d", nil), ("5w", nil),
    ] as [(String, Int?)])
  func timeSpan(_ text: String, _ seconds: Int?) {
    #expect(TimeSpan(text)?.duration == seconds.map { .seconds($0) })
  }

  @Test("FIND-40: logout --browser ends the sign-in with the server itself, after the session, or tells why not")
  func page() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    #expect(await sandbox.run(login(server), browser: RedirectedBrowser.visit).status == 0)
    let logout = await sandbox.run(["logout", "--browser"], browser: RedirectedBrowser.visit)
    #expect(logout.status == 0 && logout.output.contains("with the server itself is over"), "\(logout.error)")
    let paths = server.server.requests.map(\.path)
    let revoked = try #require(paths.lastIndex(of: "/revoke"))
    #expect(try #require(paths.firstIndex(of: "/end")) > revoked)
    #expect(!(logout.output + logout.error).contains("/end"), "the page's address has the ID token")
    // A browser that does not open leaves the session as ended as it is.
    #expect(await sandbox.run(login(server), browser: RedirectedBrowser.visit).status == 0)
    let failed = await sandbox.run(["logout", "--browser", "--json"]) { _ in
      throw OstiaryError(.browserUnavailable, "No browser could be opened.")
    }
    #expect(failed.status == 0, "\(failed.error)")
    let report = try failed.json()
    #expect(report["isOverOnPage"]?.bool == false && report["pageError"]?["code"]?.string == "browser_unavailable")
    #expect(await sandbox.run(["status", "--offline"]).status == 3)
    #expect(server.count("/end") == 1)
  }

  @Test("FIND-41: a browser is opened with an address of this machine, which says nothing of the page that it leads to")
  func browserAddress() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let opened = Locked<[URL]>([])
    let browser: @Sendable (URL) async throws -> Void = { address in
      opened.withLock { $0.append(address) }
      try await RedirectedBrowser.visit(address)
    }
    let signIn = await sandbox.run(login(server), browser: browser)
    #expect(signIn.status == 0, "\(signIn.error)")
    // The page for a machine without a browser is the server's own, and is said to be for this sign-in alone.
    #expect(signIn.error.contains("  \(server.address)/authorization?"), "\(signIn.error)")
    #expect(signIn.error.contains("for this sign-in alone"))
    let logout = await sandbox.run(["logout", "--browser"], browser: browser)
    #expect(logout.status == 0 && logout.output.contains("with the server itself is over"), "\(logout.error)")
    let addresses = opened.withLock { $0 }
    #expect(addresses.count == 2)
    for address in addresses {
      #expect(address.host() == "127.0.0.1" && address.query() == nil, "\(address)")
      #expect(address.path().hasPrefix("/open-") && !address.absoluteString.contains(server.address))
    }
    #expect(Set(addresses).count == 2)
  }

  @Test("FIND-41: at a terminal, a sign-out whose browser does not open goes on with an address that has no ID token")
  func signOutByHand() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    #expect(await sandbox.run(login(server), browser: RedirectedBrowser.visit).status == 0)
    let opened = Locked<URL?>(nil)
    let logout = await sandbox.run(["logout", "--browser"], answers: []) { address in
      opened.withLock { $0 = address }
      // The person opens it by hand. The visit is over for the command before the browser has shown the last page.
      try? await RedirectedBrowser.visit(address)
      throw OstiaryError(.browserUnavailable, "No browser could be opened.")
    }
    #expect(logout.status == 0 && logout.output.contains("with the server itself is over"), "\(logout.error)")
    let address = try #require(opened.withLock { $0 })
    #expect(logout.error.contains("  \(address.absoluteString)\n"), "\(logout.error)")
    #expect(logout.error.contains("with your ID token") && logout.error.contains("No browser could be opened."))
    #expect(!logout.error.contains("\(server.address)/end"))
  }

  @Test("TRACE-20: --trace writes what was sent, received and decided, without a secret, for the user alone")
  func trace() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(login(server, ["--trace", "sign-in.html"]), browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(try sandbox.permissions("sign-in.html") == 0o600)
    server.state.withLock { $0.live = "" }
    #expect(await sandbox.run(["request", "/orders", "--trace", "renewal.json"]).status == 0)
    #expect(await sandbox.run(["token", "--trace", "token.txt"]).status == 0)
    let files = try sandbox.contents()
    let page = String(decoding: try #require(files["sign-in.html"]), as: UTF8.self)
    #expect(page.hasPrefix("<!doctype html>") && page.contains("POST /token"))
    #expect(page.contains("page /authorization") && page.contains(">callback<"), "\(page)")
    let renewal = try SessionTrace(json: try #require(files["renewal.json"]))
    let titles = renewal.entries.map(\.title)
    #expect(titles.first { $0.hasPrefix("GET") } == "GET /orders")
    #expect(titles.contains("POST /token") && titles.contains("renewed"))
    #expect(files["token.txt"] != nil)
    for name in ["sign-in.html", "renewal.json", "token.txt"] {
      let text = String(decoding: try #require(files[name]), as: UTF8.self)
      #expect(!text.contains("access-") && !text.contains("refresh-"), "\(name)")
    }
  }

  @Test("TRACE-21: a trace that can't be written is told before anything is sent")
  func unwritableTrace() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let register = ["login", "oidc", server.address, "--register"]
    for command in [login(server), register] {
      let result = await sandbox.run(
        command + ["--trace", "no-such-folder/trace.txt"], browser: RedirectedBrowser.visit)
      #expect(result.status != 0)
    }
    #expect(server.server.requests.isEmpty)
  }

  @Test("TRACE-22: a trace has how the server was found and the client registered, without what it was given")
  func traceOfFinding() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let login = ["login", "oidc", "--api", server.address + "/orders", "--register", "--trace"]
    let declined = await sandbox.run(login + ["declined.txt"], answers: ["n"], browser: RedirectedBrowser.visit)
    #expect(declined.status != 0)
    let signIn = await sandbox.run(login + ["sign-in.json"], answers: ["y"], browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    let files = try sandbox.contents()
    #expect(String(decoding: try #require(files["declined.txt"]), as: UTF8.self).contains("→ GET /"))
    let data = try #require(files["sign-in.json"])
    let titles = try SessionTrace(json: data).entries.map(\.title)
    let registered = try #require(titles.firstIndex(of: "POST /register"), "\(titles)")
    let exchanged = try #require(titles.firstIndex(of: "POST /token"), "\(titles)")
    #expect(registered < exchanged)
    #expect(!String(decoding: data, as: UTF8.self).contains("planted"))
  }

  @Test("FIND-31: by a code on another device, and as the client itself", arguments: ["device", "client-credentials"])
  func methods(_ method: String) async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(login(server, ["--method", method]))
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(signIn.error.contains("WDJB-MJHT") == (method == "device"))
    let call = await sandbox.run(["request", "/orders"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
  }

  @Test("FIND-37: an API is enough: the person is asked, and the client registered once for an issuer")
  func apiAlone() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let login = ["login", "oidc", "--api", server.address + "/orders", "--register"]
    let unasked = await sandbox.run(login, browser: RedirectedBrowser.visit)
    #expect(unasked.status == 3 && unasked.error.contains("there is no terminal to ask"), "\(unasked.error)")
    // What it advises makes the profile that was asked for.
    let advised = "ostiary login oidc '\(server.address)' --api '\(server.address)/orders'"
    #expect(unasked.error.replacing("'", with: "").contains(advised.replacing("'", with: "")), "\(unasked.error)")
    let declined = await sandbox.run(login, answers: ["n"], browser: RedirectedBrowser.visit)
    #expect(declined.status != 0 && declined.error.contains("Nothing was sent to"), "\(declined.error)")
    #expect(server.count("/.well-known/openid-configuration") == 0)
    let signIn = await sandbox.run(login, answers: ["y"], browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0 && signIn.prompts.count == 1, "\(signIn.error)")
    #expect(signIn.error.contains("has registered the client c-1"))
    let token = try #require(server.server.requests.last { $0.path == "/token" })
    #expect(token.fields[.authorization]?.hasPrefix("Basic ") == true, "the registered secret is shown")
    let call = await sandbox.run(["request", "/orders"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    let again = await sandbox.run(
      ["login", "oidc", server.address, "--register", "--profile", "other"], browser: RedirectedBrowser.visit)
    #expect(again.status == 0, "\(again.error)")
    #expect(server.count("/register") == 1)
    let profiles = await sandbox.run(["profile", "list", "--json"])
    #expect(!(signIn.output + signIn.error + call.error + again.error + profiles.output).contains("planted"))
  }

  @Test("FIND-37: a client that is registered for another way to sign in leaves a profile its own client")
  func secondClient() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let login = ["login", "oidc", server.address, "--api", server.address + "/", "--register", "--profile"]
    let first = await sandbox.run(login + ["first"], browser: RedirectedBrowser.visit)
    #expect(first.status == 0, "\(first.error)")
    let elsewhere = ["--option", "redirect-uri=http://127.0.0.1/elsewhere"]
    let second = await sandbox.run(login + ["second"] + elsewhere, browser: RedirectedBrowser.visit)
    #expect(second.status == 0, "\(second.error)")
    let third = await sandbox.run(login + ["third", "--method", "device"])
    #expect(third.status == 0, "\(third.error)")
    let registrations = server.server.requests.filter { $0.path == "/register" }
    #expect(registrations.count == 3)
    #expect(registrations.map { $0.text.contains("device_code") } == [false, false, true])
    server.state.withLock { $0.live = "" }
    let call = await sandbox.run(["request", "/orders", "--profile", "first"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    let renewal = try #require(server.server.requests.last { $0.path == "/token" })
    // The client that the profile was made with, and its secret.
    let basic = "Basic " + Data("c-1:planted-1".utf8).base64EncodedString()
    #expect(renewal.fields[.authorization] == basic)
  }

  @Test("FIND-37: parameters go to the page; with --dpop the tokens are asked for with a proof")
  func words() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let signIn = await sandbox.run(
      [
        "login", "oidc", server.address, "--api", server.address + "/", "--client-id", "tool", "--scope", "a b",
        "--param",
        "prompt=select account", "--param", "audience=https://api.test/?x=1&y=2",
      ], browser: RedirectedBrowser.visit)
    #expect(signIn.status == 0, "\(signIn.error)")
    let page = try #require(server.server.requests.last { $0.path == "/authorization" })
    let query = FormEncoding.parse(String(page.target.drop { $0 != "?" }.dropFirst()))
    func asked(_ name: String) -> String? { query.first { $0.name == name }?.value }
    #expect(asked("prompt") == "select account" && asked("audience") == "https://api.test/?x=1&y=2")
    #expect(asked("scope") == "a b" && asked("client_id") == "tool")
    // The server gives bearer tokens, which a profile that demands more does not take.
    let bound = await sandbox.run(
      ["login", "oidc", server.address, "--client-id", "tool", "--dpop", "--profile", "bound"],
      browser: RedirectedBrowser.visit)
    #expect(bound.status != 0, "\(bound.output)")
    let proven = try #require(server.server.requests.last { $0.path == "/token" })
    #expect(proven.fields.contains { $0.name.canonicalName == "dpop" })
  }

  @Test("FIND-31: a wrong issuer is told as such, and nothing is sent to another")
  func wrongIssuer() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    let arguments = [
      "login", "oidc", "--server", server.address + "/", "--option", "issuer=\(server.address)/", "--option",
      "client-id=tool",
    ]
    let signIn = await sandbox.run(arguments, browser: RedirectedBrowser.visit)
    #expect(signIn.status != 0, "\(signIn.output)")
    #expect(signIn.error.contains("are those of “\(server.address)”, not of “\(server.address)/”"), "\(signIn.error)")
    #expect(server.server.requests.map(\.path) == ["/.well-known/openid-configuration"])
  }

  @Test("FIND-31: misuse is told before anything is sent")
  func misuse() async throws {
    let server = try Server()
    defer { server.server.stop() }
    let sandbox = try Sandbox()
    for arguments in [
      ["login", "oidc", "--server", server.address, "--option", "client-id=tool"],
      ["login", "oidc", "--server", server.address, "--option", "issuer=as.example", "--option", "client-id=tool"],
      ["login", "oidc", server.address, "--param", "prompt", "--client-id", "tool"],
      ["login", "oidc", server.address, "--client-id", "tool", "--register"],
      ["login", "oidc", server.address, "--register", "--method", "client-credentials"],
      ["login", "oidc", server.address, "--register", "--method", "digest"],
      ["login", "oidc", server.address, "--client-id", "tool", "--server", server.address, "--api", server.address],
      ["login", "oidc", server.address],
      ["login", "oidc"], ["login", "pega", server.address], ["login", "http", "--server", server.address, "--dpop"],
      ["login", "oidc", server.address, "--client-id", "tool", "--option", "dpop=off"],
      login(server, ["--method", "password"]), login(server, ["--password-stdin"]),
    ] {
      let outcome = await sandbox.run(arguments, browser: RedirectedBrowser.visit)
      #expect(outcome.status == 2, "\(arguments): \(outcome.error)")
    }
    #expect(server.server.requests.isEmpty)
  }
}
