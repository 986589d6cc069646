import Foundation
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flow pages and JSON, over HTTP", .timeLimit(.minutes(20)))
struct FlowPageTests {
  /// The names of what a page's form for a call sends, in order.
  private static func names(_ answer: Answer, _ call: String) throws -> [String] {
    let form = try #require(answer.body.components(separatedBy: "<form id=\"\(call)\"").dropFirst().first)
    let inside = try #require(form.components(separatedBy: "</form>").first)
    return inside.components(separatedBy: " name=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  /// The tag of an input, without its brackets.
  private static func input(_ name: String, in page: String) -> String? {
    page.components(separatedBy: "<input").dropFirst().map { String($0.prefix { $0 != ">" }) }
      .first { $0.contains(" name=\"\(name)\"") }
  }

  private static func flow(_ answer: Answer) throws -> String {
    let rest = try #require(answer.body.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first)
    return String(rest.prefix { $0 != "\"" })
  }

  private static func post(
    _ client: Client, _ path: String, _ flow: String, _ action: String, _ fields: [(String, String)] = [],
    headers: [String: String] = [:]
  ) async throws -> Answer {
    try await client.post(path, form: [("flow", flow), ("action", action)] + fields, headers: headers)
  }

  private static func json(_ flow: String, _ action: String, _ fields: [String: String]) throws -> String {
    let value = JSONValue.object([
      "flow": .string(flow), "action": .string(action), "fields": .object(fields.mapValues { .string($0) }),
    ])
    return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private static let type = ["Content-Type": "application/json"]

  @Test("People sign up, sign out, recover their password and sign in, on pages without script")
  func wholeStory() async throws {
    try await TestServer.runWithAccounts { server in
      let browser = server.client()
      let first = try await browser.get("/account/signup")
      #expect(first.status == 200)
      let flow = try Self.flow(first)
      let sent = try await Self.post(
        browser, "/account/signup", flow, "signup",
        [("email", "new@example.com"), ("display_name", "Nele Neu"), ("password", TestServer.janesPassword)])
      #expect(sent.status == 303)
      let next = try await browser.get(try #require(sent.header("Location")))
      #expect(next.body.contains("Check your mail"))
      let code = try await server.code(for: "new@example.com")
      let made = try await Self.post(browser, "/account/signup", flow, "check_code", [("code", code)])
      #expect(made.status == 303 && made.header("Location") == "/account")
      #expect(made.cookie("ostiary-account") != nil)
      let home = try await browser.get("/account")
      #expect(home.body.contains("Nele Neu"))
      let token = try #require(
        home.body.components(separatedBy: "name=\"token\" value=\"").last?.split(separator: "\"").first)
      let out = try await browser.post("/account/logout", form: [("token", String(token))])
      #expect(out.status == 200 && out.header("Clear-Site-Data") != nil)
      #expect(try await browser.get("/account").body.contains("not signed in"))

      let recovery = try Self.flow(try await browser.get("/account/recover"))
      let asked = try await Self.post(
        browser, "/account/recover", recovery, "send_code", [("email", "new@example.com")])
      #expect(asked.status == 303)
      let second = try await server.code(for: "new@example.com")
      let proven = try await Self.post(browser, "/account/recover", recovery, "check_code", [("code", second)])
      #expect(proven.status == 303)
      let password = "a quite different long password"
      let set = try await Self.post(
        browser, "/account/recover", recovery, "set_password", [("new_password", password)])
      #expect(set.status == 200 && set.body.contains("password.changed"))
      #expect(set.cookie("ostiary-account") == nil)
      let login = try Self.flow(try await browser.get("/account/login"))
      let signed = try await Self.post(
        browser, "/account/login", login, "login", [("identifier", "new@example.com"), ("password", password)])
      #expect(signed.status == 303)
      #expect(try await browser.get("/account").body.contains("Nele Neu"))
    }
  }

  @Test("Programs sign up, in and out with the JSON interface")
  func program() async throws {
    try await TestServer.runWithAccounts { server in
      let client = server.client()
      let begun = try await client.get("/flows/signup")
      let flow = try #require(begun.json["flow"]?["id"]?.string)
      #expect(begun.json["version"] == 1 && begun.headers["set-cookie"].isEmpty)
      let sent = try await client.send(
        "POST", "/flows/signup", headers: Self.type,
        body: try Self.json(flow, "signup", ["email": "p@example.com", "password": TestServer.janesPassword]))
      #expect(sent.status == 200 && sent.json["flow"]?["step"] == "code")
      let code = try await server.code(for: "p@example.com")
      let made = try await client.send(
        "POST", "/flows/signup", headers: Self.type, body: try Self.json(flow, "check_code", ["code": code]))
      let token = try #require(made.json["next"]?["token"]?.string)
      #expect(made.json["next"]?["type"] == "session" && token.hasPrefix("ost_as_"))
      let bearer = ["Authorization": "Bearer \(token)"]
      #expect(try await client.get("/flows/session", headers: bearer).json["user"]?["name"] == "p@example.com")
      // SE-10: the token is no cookie, and the other way round.
      await client.setCookie("ostiary-account", String(token.dropFirst("ost_as_".count)))
      #expect(try await client.get("/account").body.contains("not signed in"))
      #expect(try await client.send("DELETE", "/flows/session", headers: bearer).status == 204)
      let over = try await client.get("/flows/session", headers: bearer)
      #expect(over.status == 401 && over.json["code"] == "session.required")
      #expect(over.json["document"]?["flow"]?["kind"] == "login")
      #expect(over.header("WWW-Authenticate") == "Bearer realm=\"account\"")
    }
  }

  @Test("FL-01: a flow is the browser's it was begun in; anybody else's, a changed one and none at all are one answer")
  func bound() async throws {
    try await TestServer.runWithAccounts { server in
      let (mine, other, program) = (server.client(), server.client(), server.client())
      let flow = try Self.flow(try await mine.get("/account/login"))
      let foreign = try Self.flow(try await other.get("/account/login"))
      let recovery = try Self.flow(try await mine.get("/account/recover"))
      let begun = try #require(try await program.get("/flows/login").json["flow"]?["id"]?.string)
      let right = [("identifier", "jdoe"), ("password", TestServer.janesPassword)]
      // 128 bits and more that can't be guessed, another one each time.
      let another = try Self.flow(try await mine.get("/account/login"))
      #expect(flow.utf8.count > 100 && flow != another)
      var answers: Set<String> = []
      var changed = Array(flow)
      changed[40] = changed[40] == "A" ? "B" : "A"
      for text in [foreign, recovery, begun, String(changed), "", "x", String(repeating: "A", count: 9000)] {
        let answer = try await Self.post(mine, "/account/login", text, "login", right)
        #expect(answer.status == 403 && answer.cookie("ostiary-account") == nil)
        answers.insert(answer.body.replacing(try Self.flow(answer), with: "ID"))
      }
      #expect(answers.count == 1)
      for text in [flow, foreign, "x"] {
        let answer = try await program.send(
          "POST", "/flows/login", headers: Self.type,
          body: try Self.json(text, "login", ["identifier": "jdoe", "password": TestServer.janesPassword]))
        #expect(answer.status == 403 && answer.json["code"] == "flow.unknown")
        #expect(answer.json["document"]?["flow"]?["id"]?.string != text)
      }
      #expect(try await Self.post(mine, "/account/login", flow, "login", right).status == 303)
    }
  }

  @Test("Flow-F4, FL-06: an expired flow is 410 with a fresh one that keeps what was typed, except secrets")
  func expired() async throws {
    try await TestServer.runWithAccounts { server in
      let (browser, program) = (server.client(), server.client())
      let flow = try Self.flow(try await browser.get("/account/login?return_to=/gateway"))
      let begun = try #require(try await program.get("/flows/login").json["flow"]?["id"]?.string)
      server.clock.advance(by: 3601)
      let fields = [("identifier", "jdoe"), ("password", TestServer.janesPassword)]
      let answer = try await Self.post(browser, "/account/login", flow, "login", fields)
      #expect(answer.status == 410)
      #expect(answer.body.contains("value=\"jdoe\"") && !answer.body.contains(TestServer.janesPassword))
      let fresh = try Self.flow(answer)
      #expect(fresh != flow)
      let signed = try await Self.post(browser, "/account/login", fresh, "login", fields)
      #expect(signed.status == 303 && signed.header("Location") == server.origin + "/gateway")
      let told = try await program.send(
        "POST", "/flows/login", headers: Self.type,
        body: try Self.json(begun, "login", ["identifier": "jdoe", "password": "x"]))
      #expect(told.status == 410 && told.json["code"] == "flow.expired")
      let identifier = told.json["document"]?["fields"]?.array?.first
      #expect(identifier?["value"] == "jdoe")
    }
  }

  @Test("FL-07: flows that are only begun leave nothing behind")
  func stateless() async throws {
    try await TestServer.runWithAccounts { server in
      let count = slowTests ? 100_000 : 400
      let rows = { @Sendable in
        try await server.application.storage.read { db in
          try ["flows", "sessions", "outbox", "mail_counts", "guesses"].map { table in
            try Int.fetch(db, "SELECT count(*) FROM \(table)")
          } + (TestDatabase.isPostgreSQL ? [] : [try Int.fetch(db, "PRAGMA page_count")])
        }
      }
      let before = try await rows()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            let client = server.client()
            for number in 0..<count / 4 {
              let kind = ["login", "signup", "recover"][(number + worker) % 3]
              let path = (number % 2 == 0 ? "/flows/" : "/account/") + kind
              let answer = try await client.get(path)
              #expect(answer.status == 200)
              await client.forgetCookies()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await rows() == before)
    }
  }

  @Test("Flow-F2, FL-08: no answer holds a password that was sent, or a code")
  func noEcho() async throws {
    try await TestServer.runWithAccounts { server in
      let canary = "CANARY-long-password-x"
      let browser = server.client()
      let program = server.client()
      let sends: [(String, String, [(String, String)])] = [
        ("login", "login", [("identifier", "jdoe"), ("password", canary)]),
        ("login", "login", [("password", canary)]),
        ("signup", "signup", [("email", "x"), ("password", canary)]),
        ("signup", "signup", [("email", "free@example.com"), ("password", canary)]),
        ("recover", "set_password", [("new_password", canary)]),
        ("recover", "send_code", [("email", "jane@example.com"), ("password", canary)]),
        ("recover", "send_code", [("email", canary), ("email", "y")]),
      ]
      for (kind, action, fields) in sends {
        let flow = try Self.flow(try await browser.get("/account/\(kind)"))
        let page = try await Self.post(browser, "/account/\(kind)", flow, action, fields)
        let begun = try #require(try await program.get("/flows/\(kind)").json["flow"]?["id"]?.string)
        let members = Dictionary(fields, uniquingKeysWith: { first, _ in first })
        let json = try await program.send(
          "POST", "/flows/\(kind)", headers: Self.type, body: try Self.json(begun, action, members))
        // What isn't secret is given back, and only that.
        guard members["email"] != canary else { continue }
        #expect(!page.body.contains(canary) && !json.body.contains(canary), "\(kind) \(action)")
        #expect(!(page.header("Location") ?? "").contains(canary))
      }
      #expect(!server.logs.text.contains(canary))
    }
  }

  @Test("FL-09: the page and the JSON have the same fields and messages", arguments: ["login", "signup", "recover"])
  func sameDocument(kind: String) async throws {
    try await TestServer.runWithAccounts { server in
      let (browser, program) = (server.client(), server.client())
      var page = try await browser.get("/account/\(kind)")
      var document = try await program.get("/flows/\(kind)").json
      func compare(_ what: String) throws {
        let fields = document["fields"]?.array ?? []
        for action in document["actions"]?.array ?? [] {
          guard let id = action["id"]?.string, action["flow"] == nil else { continue }
          let names = try Self.names(page, id).filter { !["flow", "turn", "action"].contains($0) }
          #expect(names == action["fields"]?.array?.compactMap(\.string), "\(what) \(id)")
        }
        for field in fields {
          let name = field["name"]?.string ?? ""
          #expect(page.body.contains("name=\"\(name)\""), "\(what) \(name)")
          #expect(page.body.contains("autocomplete=\"\(field["autofill"]?.string ?? "")\""), "\(what) \(name)")
          #expect(page.body.contains(field["label"]?["text"]?.string ?? "?"), "\(what) \(name)")
        }
        let issues = (document["issues"]?.array ?? []) + fields.flatMap { $0["issues"]?.array ?? [] }
        let codes = issues.compactMap { $0["code"]?.string }.sorted()
        let shown = page.body.components(separatedBy: "data-code=\"").dropFirst().flatMap {
          $0.prefix { $0 != "\"" }.split(separator: " ").map(String.init)
        }
        #expect(shown.sorted() == codes, "\(what)")
      }
      try compare("at first")
      let actions = ["login": "login", "signup": "signup", "recover": "send_code"]
      let action = try #require(actions[kind])
      for fields in [[:], ["email": "nonsense", "identifier": "x"], ["evil": "<b>"]] as [[String: String]] {
        let flow = try Self.flow(page)
        page = try await Self.post(browser, "/account/\(kind)", flow, action, fields.map { ($0.key, $0.value) })
        let id = try #require(document["flow"]?["id"]?.string)
        let answer = try await program.send(
          "POST", "/flows/\(kind)", headers: Self.type, body: try Self.json(id, action, fields))
        #expect(page.status == answer.status)
        document = try #require(answer.json["document"]?.object)
        try compare("\(fields)")
      }
    }
  }

  @Test("PW-13: password fields say what they are to password managers, and nothing keeps anybody from pasting")
  func passwordFields() async throws {
    try await TestServer.runWithAccounts { server in
      let client = server.client()
      let login = try await client.get("/account/login").body
      let signUp = try await client.get("/account/signup").body
      for (page, name, attributes) in [
        (login, "identifier", ["type=\"text\"", "autocomplete=\"username\"", "autocapitalize=\"none\""]),
        (login, "password", ["type=\"password\"", "autocomplete=\"current-password\""]),
        (signUp, "email", ["type=\"email\"", "autocomplete=\"email\""]),
        (signUp, "password", ["type=\"password\"", "autocomplete=\"new-password\""]),
      ] {
        let input = try #require(Self.input(name, in: page))
        for attribute in attributes { #expect(input.contains(" \(attribute)"), "\(name)") }
      }
      for page in [login, signUp] {
        for word in ["onpaste", "oncopy", "<script", "autocomplete=\"off\"", "readonly"] {
          #expect(!page.contains(word), "\(word)")
        }
        // A browser would cut a longer one without a word.
        #expect(!page.contains("maxlength"))
      }
    }
  }

  @Test("RC-09: looking at a mail's address, however often, uses nothing up; its host is the configured one (RC-10)")
  func link() async throws {
    // A host that is served, and isn't the server's own.
    try await TestServer.runWithAccounts({ $0.gateway?.protectedOrigins = ["https://evil.example"] }) { server in
      let browser = server.client()
      let evil = ["Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"]
      let flow = try Self.flow(try await browser.get("/account/recover", headers: ["X-Forwarded-Host": "evil.example"]))
      _ = try await Self.post(
        browser, "/account/recover", flow, "send_code", [("email", "jane@example.com")], headers: evil)
      let mail = try #require(await server.mails(to: "jane@example.com").last)
      #expect(!mail.text.contains("evil"))
      let link = try #require(mail.links.first)
      #expect(mail.links.allSatisfy { $0.hasPrefix(server.origin + "/account/") })
      for method in ["GET", "HEAD"] {
        for _ in 0..<5 {
          // A scanner has no cookie; the browser has.
          #expect(try await server.client().send(method, link).status == 403)
          #expect(try await browser.send(method, link).status == 200)
        }
      }
      let code = try #require(mail.code)
      #expect(try await browser.get(link).body.contains("Check your mail"))
      #expect(try await Self.post(browser, "/account/recover", flow, "check_code", [("code", code)]).status == 303)
    }
  }

  @Test("A server without mail offers neither sign-up nor recovery, and its log-in doesn't name them")
  func noMail() async throws {
    try await TestServer.run({
      $0.development = nil
      $0.accounts?.serviceName = "Acme"
    }) { server in
      let client = server.client()
      for kind in ["signup", "recover"] {
        #expect(try await client.get("/account/\(kind)").status == 404)
        #expect(try await client.get("/flows/\(kind)").json["code"] == "flow.disabled")
        #expect(try await client.send("POST", "/flows/\(kind)", headers: Self.type, body: "{}").status == 404)
      }
      let page = try await client.get("/account/login").body
      #expect(
        page.contains("Sign in to Acme") && !page.contains("/account/signup") && !page.contains("/account/recover"))
      #expect(try await client.get("/insecure-development-mailbox").status == 404)
    }
  }
}
