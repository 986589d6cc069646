import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Account pages that are drawn from a document, over HTTP", .timeLimit(.minutes(20)))
struct ExperiencePagesTests {
  private static let password = TestServer.janesPassword
  private static let newPassword = "a quite different long password"

  /// A server whose pages are the starter's, with Jane, who has an address.
  private static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, body: (TestServer) async throws -> Value
  ) async throws -> Value {
    try await TestServer.runWithAccounts(
      {
        $0.accounts?.experience = StarterExperience.document
        configure(&$0)
      }, body: body)
  }

  private static func user(_ client: Client) async throws -> String? {
    try await client.get("/account").body.between("<strong id=\"user\" dir=\"auto\">", "</strong>")
  }

  // MARK: The way through

  @Test("A person signs up: the document's two screens, then the server's own page for the code")
  func signUp() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      #expect(person.page.status == 200 && person.title == "Create an account")
      let first = try await person.submit(["email": "new@example.com", "password": Self.password], "continue")
      #expect(first.status == 303 && person.title == "What shall we call you?")
      #expect(!person.page.body.contains(Self.password))
      try await person.submit(["name": "Nele Neu"], "create")
      #expect(person.title == "Check your mail" && person.path.hasPrefix("/account/signup?flow="))
      let made = try await person.client.post(
        "/account/signup",
        form: [
          ("flow", person.fields["flow"] ?? ""), ("action", "check_code"),
          ("code", try await server.code(for: "new@example.com")),
        ])
      #expect(made.status == 303 && made.header("Location") == "/account")
      #expect(try await Self.user(person.client) == "Nele Neu")
      // The password is the one of the first screen.
      var other = try await PersonAtPage(server.client(), at: "/account/login")
      try await other.submit(["username": "new@example.com", "password": Self.password], "log-in")
      #expect(try await Self.user(other.client) == "Nele Neu")
    }
  }

  @Test("A person logs in, and what is refused is told beside what was typed")
  func login() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/login?return_to=%2Faccount%2Fprofile")
      #expect(person.actions == ["log-in"])
      let empty = try await person.submit([:], "log-in")
      #expect(empty.status == 422 && empty.body.contains("aria-invalid=\"true\""))
      let wrong = try await person.submit(["username": "jane@example.com", "password": "wrong"], "log-in")
      #expect(wrong.status == 422 && person.fields["username"] == "jane@example.com")
      #expect(wrong.body.contains("<title>There is a problem: Welcome back – Ostiary</title>"))
      #expect(person.fields["password"] == "" && !wrong.body.contains("value=\"wrong\""))
      // A reload tells the same.
      let here = "/account/login?flow=\(person.fields[":flow"] ?? "")"
      #expect(try await person.client.get(here).body.contains("There is a problem"))
      let right = try await person.submit(["password": Self.password], "log-in")
      #expect(right.status == 303 && right.header("Location")?.hasSuffix("/account/profile") == true)
      #expect(try await Self.user(person.client) == "Jane Doe")
      // The sign-in page has nothing for a person who has signed in.
      #expect(try await person.client.get("/account/login").header("Location") == "/account")
    }
  }

  @Test("A person recovers a password, is told so, and logs in, within one page's flow")
  func recovery() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/recover")
      #expect(person.title == "Forgot the password?")
      try await person.submit(["email": "jane@example.com"], "send")
      #expect(person.title == "Choose another password" && person.page.body.contains("data-code=\"code.sent\""))
      // The link of the mail is the page that the person is on.
      let mail = try #require(await server.mails(to: "jane@example.com").last)
      #expect(mail.links.contains { $0.hasSuffix(person.path) }, "\(mail.links) \(person.path)")
      // A short password does not use the code up.
      let code = try await server.code(for: "jane@example.com")
      let short = try await person.submit(["code": code, "password": ""], "set")
      #expect(short.status == 422)
      let wrong = try await person.submit(["code": "00000000", "password": Self.newPassword], "set")
      #expect(wrong.status == 422 && wrong.body.contains("field-code"))
      try await person.submit(["code": code, "password": Self.newPassword], "set")
      #expect(person.title == "Welcome back" && person.page.body.contains("data-code=\"password.changed\""))
      #expect(person.page.body.contains("<title>Your password has been changed"))
      try await person.submit(["username": "jane@example.com", "password": Self.newPassword], "log-in")
      #expect(try await Self.user(person.client) == "Jane Doe")
    }
  }

  @Test("WCAG 2.2 §3.3.7: an address that was typed is there on every screen that follows and asks for it")
  func redundantEntry() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/recover")
      try await person.submit(["email": "jane@example.com"], "send")
      #expect(person.actions == ["set", "again"])
      try await person.submit([:], "again")
      #expect(person.title == "Forgot the password?" && person.fields["email"] == "jane@example.com")
      server.clock.advance(by: 61)
      try await person.submit([:], "send")
      let code = try await server.code(for: "jane@example.com")
      try await person.submit(["code": code, "password": Self.newPassword], "set")
      #expect(person.title == "Welcome back" && person.fields["username"] == "jane@example.com")
    }
  }

  @Test("A user who has no address signs in with the name")
  func userName() async throws {
    try await Self.run { server in
      try await server.identity.addUser(name: "ben", displayName: "Ben", password: Secret(Self.password))
      var person = try await PersonAtPage(server.client(), at: "/account/login")
      #expect(person.page.body.contains(">User name or e-mail address</label>"))
      let wrong = try await person.submit(["username": "ben", "password": "wrong"], "log-in")
      #expect(wrong.status == 422 && person.fields["username"] == "ben")
      try await person.submit(["password": Self.password], "log-in")
      #expect(try await Self.user(person.client) == "Ben")
    }
  }

  @Test("A new password's field says how long it has to be, as on the server's own pages")
  func passwordHelp() async throws {
    try await Self.run({ $0.development?.passwordPolicy = .standard }) { server in
      func field(_ page: Answer) -> [String: String]? {
        PersonAtPage.attributes("input", in: page.body).first { $0["name"] == "password" }
      }
      var person = try await PersonAtPage(server.client(), at: "/account/signup", headers: ["Accept-Language": "de"])
      let help = AccountTexts("de")(.newPasswordHelp, number: 15)
      #expect(person.page.body.contains("<p class=\"help\" id=\"help-password\">\(help)</p>"), "\(person.page.body)")
      #expect(field(person.page)?["minlength"] == "15")
      let short = try await person.submit(["email": "new@example.com", "password": "short"], "continue")
      #expect(short.status == 422 && short.body.contains("id=\"message-password\""))
      var lost = try await PersonAtPage(server.client(), at: "/account/recover")
      try await lost.submit(["email": "jane@example.com"], "send")
      #expect(field(lost.page)?["aria-describedby"] == "help-password" && field(lost.page)?["minlength"] == "15")
      // The password that a person has is as long as it is.
      let login = try await PersonAtPage(server.client(), at: "/account/login")
      #expect(!login.page.body.contains("help-password") && field(login.page)?["minlength"] == nil)
    }
  }

  @Test("What leads to a page of its own is a link, which keeps where a person goes in the end, and writes nothing")
  func links() async throws {
    try await Self.run { server in
      func links(_ page: Answer) -> [String] {
        PersonAtPage.attributes("a", in: page.body).compactMap { $0["href"] }
      }
      let client = server.client()
      let login = try await client.get("/account/login")
      #expect(links(login) == ["/account/recover", "/account/signup"])
      #expect(links(try await client.get("/account/signup")) == ["/account/login"])
      #expect(links(try await client.get("/account/recover")) == ["/account/login"])
      let profile = "?return_to=%2Faccount%2Fprofile"
      let aimed = try await client.get("/account/login" + profile)
      #expect(links(aimed).count == 2, "\(links(aimed))")
      #expect(links(aimed).allSatisfy { $0.contains("?return_to=http") && $0.hasSuffix("%2Faccount%2Fprofile") })
      let count = try await server.identity.storage.read { db in try db.count(FlowStatements.sql.count) }
      #expect(count == 0)
      // There and back.
      var person = try await PersonAtPage(client, at: try #require(links(aimed).first))
      person = try await PersonAtPage(client, at: try #require(links(person.page).first))
      let right = try await person.submit(["username": "jdoe", "password": Self.password], "log-in")
      #expect(right.header("Location")?.hasSuffix("/account/profile") == true)
    }
  }

  @Test("The pages don't tell which addresses have accounts")
  func enumeration() async throws {
    try await Self.run { server in
      var pages: [String] = []
      for address in ["jane@example.com", "nobody@example.com"] {
        var person = try await PersonAtPage(server.client(), at: "/account/recover")
        try await person.submit(["email": address], "send")
        let sent = person.page.body
        try await person.submit(["code": "00000000", "password": Self.newPassword], "set")
        var joining = try await PersonAtPage(server.client(), at: "/account/signup")
        try await joining.submit(["email": address, "password": Self.password], "continue")
        try await joining.submit([:], "create")
        pages.append(
          [sent, person.page.body, joining.page.body].map { page in
            // Tokens differ.
            page.components(separatedBy: "\"").filter { $0.count < 100 }.joined(separator: "\"")
              .replacing(address, with: "-")
          }.joined())
      }
      #expect(pages[0] == pages[1])
    }
  }

  // MARK: What is sent twice, or too late

  @Test("Bug-G02: a form that is sent again leads where the first one has led, to the same session")
  func again() async throws {
    try await Self.run { server in
      let person = try await PersonAtPage(server.client(), at: "/account/login")
      let form = person.form(["username": "jane@example.com", "password": Self.password], "log-in")
      let first = try await person.client.post("/account/login", form: form)
      let second = try await person.client.post("/account/login", form: form)
      #expect(first.status == 303 && second.status == 303)
      #expect(first.header("Location") == second.header("Location"))
      #expect(first.cookie("ostiary-account") != nil)
      #expect(first.cookie("ostiary-account") == second.cookie("ostiary-account"))
    }
  }

  @Test("Bug-G02: a drawn page that was left open is no place to try passwords")
  func noOracle() async throws {
    try await Self.run { server in
      let person = try await PersonAtPage(server.client(), at: "/account/login")
      let cookies = await person.client.cookies
      func send(_ password: String) async throws -> Answer {
        let tab = server.client()
        for (name, value) in cookies { await tab.setCookie(name, value) }
        return try await tab.post(
          "/account/login", form: person.form(["username": "jane@example.com", "password": password], "log-in"))
      }
      #expect(try await send(Self.password).cookie("ostiary-account") != nil)
      for guess in (0..<20).map({ "guess \($0)" }) {
        #expect(try await send(guess).cookie("ostiary-account") == nil)
      }
      let right = try await send(Self.password)
      let wrong = try await send("guess 20")
      #expect(right.cookie("ostiary-account") == nil)
      #expect(right.status == wrong.status && right.header("Location") == wrong.header("Location"))
    }
  }

  @Test("Bug-G02: of submissions at once one acts, and all lead to one page")
  func atOnce() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      try await person.submit(["email": "new@example.com", "password": Self.password], "continue")
      let form = person.form(["name": "Nele"], "create")
      let client = person.client
      let cookies = await client.cookies
      let places = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<5 {
          group.addTask {
            let tab = server.client()
            for (name, value) in cookies { await tab.setCookie(name, value) }
            return try await tab.post("/account/signup", form: form).header("Location")
          }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(places.count == 1 && places.first??.hasPrefix("/account/signup?flow=") == true, "\(places)")
      #expect(await server.mails(to: "new@example.com").count == 1)
    }
  }

  @Test("Bug-G02: a wrong password that is sent several times at once is one guess")
  func wrongAtOnce() async throws {
    try await Self.run { server in
      let person = try await PersonAtPage(server.client(), at: "/account/login")
      let form = person.form(["username": "jane@example.com", "password": "wrong"], "log-in")
      let cookies = await person.client.cookies
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<5 {
          group.addTask {
            let tab = server.client()
            for (name, value) in cookies { await tab.setCookie(name, value) }
            return try await tab.post("/account/login", form: form).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 422, count: 5))
      #expect(try await server.events(.passwordRefused) == 1)
    }
  }

  @Test("Bug-G07: a page of an earlier step does nothing, and shows where the person is")
  func stale() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      let old = person
      try await person.submit(["email": "new@example.com", "password": Self.password], "continue")
      var back = old
      try await back.submit(["email": "other@example.com", "password": Self.password], "continue")
      #expect(back.title == "What shall we call you?")
      try await back.submit([:], "back")
      #expect(back.fields["email"] == "new@example.com")
    }
  }

  @Test("A page that has expired says so, and what was typed need not be typed again")
  func expired() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/login")
      server.clock.advance(by: 3700)
      let late = try await person.submit(["username": "jane@example.com", "password": Self.password], "log-in")
      #expect(late.status == 410 && person.fields["username"] == "jane@example.com")
      #expect(!late.body.contains(Self.password))
      try await person.submit(["password": Self.password], "log-in")
      #expect(try await Self.user(person.client) == "Jane Doe")
    }
  }

  @Test("FL-01: a flow is the browser's that it was begun in; another's, a changed one and none at all are one answer")
  func bound() async throws {
    try await Self.run { server in
      let mine = try await PersonAtPage(server.client(), at: "/account/login")
      let form = mine.form(["username": "jane@example.com", "password": Self.password], "log-in")
      let other = server.client()
      try await other.get("/account/login")
      let stolen = try await other.post("/account/login", form: form)
      #expect(stolen.status == 403 && stolen.cookie("ostiary-account") == nil)
      let wrong = form.map { ($0.0, $0.0 == ":flow" ? "x" : $0.1) }
      let changed = try await mine.client.post("/account/login", form: wrong)
      #expect(changed.status == 403)
      let elsewhere = try await mine.client.post(
        "/account/login", form: form, headers: ["Origin": "https://evil.example"])
      #expect(elsewhere.status == 403)
      #expect(try await mine.client.post("/account/login", form: form).status == 303)
    }
  }

  // MARK: Where the state rests

  @Test("Any server goes on: a sign-up begun at one is finished at another that has the same data")
  func anotherServer() async throws {
    let folder = TemporaryFolder()
    let storage: @Sendable (inout ServerConfiguration) -> Void = { $0.storage = .folder(folder.url) }
    var form: [(String, String)] = []
    var cookies: [String: String] = [:]
    try await Self.run(storage) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      try await person.submit(["email": "new@example.com", "password": Self.password], "continue")
      form = person.form(["name": "Nele Neu"], "create")
      cookies = await person.client.cookies
    }
    try await Self.run(storage) { server in
      let client = server.client()
      for (name, value) in cookies { await client.setCookie(name, value) }
      let sent = try await client.post("/account/signup", form: form)
      let page = try await client.get(try #require(sent.header("Location")))
      #expect(page.body.contains("Check your mail"))
      let flow = try #require(PersonAtPage.attributes("input", in: page.body).first { $0["name"] == "flow" }?["value"])
      let made = try await client.post(
        "/account/signup",
        form: [
          ("flow", flow), ("action", "check_code"), ("code", try await server.code(for: "new@example.com")),
        ])
      #expect(made.status == 303)
      var other = try await PersonAtPage(server.client(), at: "/account/login")
      try await other.submit(["username": "new@example.com", "password": Self.password], "log-in")
      #expect(try await Self.user(other.client) == "Nele Neu")
    }
  }

  @Test("No password and no code is in the state that rests in the flow's row, which the server's key alone opens")
  func secrets() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      try await person.submit(["email": "new@example.com", "password": Self.password], "continue")
      var lost = try await PersonAtPage(server.client(), at: "/account/recover")
      try await lost.submit(["email": "jane@example.com"], "send")
      try await lost.submit(["code": "00000000", "password": Self.newPassword], "set")
      var wrong = try await PersonAtPage(server.client(), at: "/account/login")
      try await wrong.submit(["username": "jane@example.com", "password": "a wrong password"], "log-in")
      let storage = server.identity.storage
      let rows = try await storage.read { db in
        try db.all(Self.conversations) { (key: $0.next() as Data, sealed: $0.next() as Data) }
      }
      #expect(rows.count == 3)
      let seal = FlowSeal(storage.key)
      for row in rows {
        #expect(row.sealed.range(of: Data("example.com".utf8)) == nil)
        let state = try #require(seal.open(state: row.sealed, of: row.key))
        let text = String(decoding: try JSONEncoder().encode(state) + state.record, as: UTF8.self)
        #expect(String(decoding: state.record, as: UTF8.self).contains("example.com"))
        for secret in [Self.password, Self.newPassword, "a wrong password", "00000000"] {
          #expect(!text.contains(secret), "\(secret)")
        }
        // It is the state of no other row.
        #expect(seal.open(state: row.sealed, of: Data("another".utf8)) == nil)
      }
    }
  }

  private static let conversations = StorageStatement(
    "SELECT id_hash, conversation FROM flows WHERE conversation IS NOT NULL")

  @Test("Nothing is stored for a page that was only looked at, and an address begins only so many flows")
  func begun() async throws {
    try await Self.run { server in
      let client = server.client()
      for _ in 0..<3 { try await client.get("/account/login") }
      func count() async throws -> Int {
        try await server.identity.storage.read { db in try db.count(FlowStatements.sql.count) }
      }
      #expect(try await count() == 0)
      var statuses: [Int] = []
      for _ in 0..<130 {
        var person = try await PersonAtPage(client, at: "/account/recover")
        statuses.append(try await person.submit([:], "send").status)
      }
      #expect(statuses.prefix(120).allSatisfy { $0 == 422 } && statuses.last == 429)
      #expect(try await count() == 120)
    }
  }

  @Test("Any number of people sign in from one address, as on the server's own pages")
  func sharedAddress() async throws {
    try await Self.run { server in
      var statuses: [Int] = []
      for _ in 0..<125 {
        let person = try await PersonAtPage(server.client(), at: "/account/login")
        let form = person.form(["username": "jane@example.com", "password": Self.password], "log-in")
        statuses.append(try await person.client.post("/account/login", form: form).status)
      }
      #expect(statuses.allSatisfy { $0 == 303 }, "\(statuses)")
      var other = try await PersonAtPage(server.client(), at: "/account/recover")
      #expect(try await other.submit([:], "send").status == 422)
    }
  }

  // MARK: How they look

  @Test("Bug-G21: a page, and its mail, are in the reader's language, in its direction, and at most 60 KB")
  func languages() async throws {
    try await Self.run { server in
      for language in AccountTables.languages.sorted() {
        let client = server.client()
        var person = try await PersonAtPage(client, at: "/account/login", headers: ["Accept-Language": language])
        let text = StarterExperience.text("back", language)
        #expect(person.title == text, "\(language)")
        let direction = ["ar", "he"].contains(language) ? "rtl" : "ltr"
        #expect(person.page.body.contains("<html lang=\"\(language)\" dir=\"\(direction)\">"))
        #expect(person.page.header("Content-Language") == language)
        var most = person.page.body.utf8.count
        // What follows is sent without the header: the flow has its language.
        let form = person.form([:], "log-in")
        let refused = try await client.post("/account/login", form: form, headers: ["Accept-Language": language])
        most = max(most, refused.body.utf8.count)
        #expect(most <= 60_000, "\(language): \(most)")
        try await person.submit([:], "log-in")
        #expect(person.page.body.contains("<html lang=\"\(language)\""))
      }
    }
  }

  @Test("Pages may use the SDK's style alone, and their forms may lead to this server and where the document says")
  func policy() async throws {
    let linked = String(decoding: StarterExperience.document, as: UTF8.self).replacing(
      #"{"id": "continue", "kind": "next"},"#,
      with: #"{"id": "continue", "kind": "next"}, \#(Self.terms),"#)
    try await Self.run({ $0.accounts?.experience = Data(linked.utf8) }) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      let policy = try #require(person.page.header("Content-Security-Policy"))
      #expect(policy.contains("style-src '\(Page.hash(ofStyle: ExperiencePage.styleSheet))'"))
      #expect(policy.contains("form-action 'self' https://terms.example;"))
      try await person.submit(["email": "<i>@x", "password": ""], "continue")
      #expect(person.page.body.contains("&lt;i&gt;@x") && !person.page.body.contains("<i>"))
      let opened = try await person.client.post("/account/signup", form: person.form([:], "terms"))
      #expect(opened.status == 303 && opened.header("Location") == "https://terms.example/a")
    }
  }

  private static let terms = #"{"id": "terms", "kind": "openURL", "url": "https://terms.example/a"}"#

  @Test("Without sign-up nothing leads to it, and its address has no page")
  func closed() async throws {
    try await Self.run({ $0.accounts?.offersSignUp = false }) { server in
      let person = try await PersonAtPage(server.client(), at: "/account/login")
      #expect(person.actions == ["log-in"] && person.page.body.contains("href=\"/account/recover\""))
      #expect(!person.page.body.contains("/account/signup"))
      #expect(try await person.client.get("/account/signup").status == 404)
    }
  }

  @Test("A document that can't be drawn keeps the server from starting, and says why and where")
  func refused() async throws {
    await #expect {
      try await Self.run({ $0.accounts?.experience = Data(#"{"format": 1}"#.utf8) }) { _ in }
    } throws: { error in
      "\(error)".contains("The experience of the account pages: $")
    }
  }

  @Test("The server's own forms still work at their addresses, for programs that send them")
  func ownForms() async throws {
    try await Self.run { server in
      let client = server.client()
      let begun = try await client.get("/flows/login")
      #expect(begun.json["flow"]?["step"] == "credentials")
      let profile = try await client.get("/account/profile")
      #expect(profile.header("Location")?.hasPrefix("/account/login") == true)
    }
  }
}

extension StarterExperience {
  /// A text of the document.
  fileprivate static func text(_ key: String, _ language: String) -> String {
    guard let experience = try? Experience(json: document), case .one(let text)? = experience.texts[language]?[key]
    else { return "" }
    return text
  }
}
