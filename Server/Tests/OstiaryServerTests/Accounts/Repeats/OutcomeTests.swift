import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Bug-G27: account pages tell outcomes, in the title too", .timeLimit(.minutes(20)))
struct OutcomeTests {
  private static func title(_ answer: Answer) -> String {
    let text = answer.body.components(separatedBy: "<title>").dropFirst().first ?? ""
    return text.components(separatedBy: "</title>").first ?? ""
  }

  private static func heading(_ answer: Answer) -> String {
    let text = answer.body.components(separatedBy: "<h1>").dropFirst().first ?? ""
    return text.components(separatedBy: "</h1>").first ?? ""
  }

  /// The page to which a form leads.
  private static func follow(_ answer: Answer, _ person: AccountPerson) async throws -> Answer {
    guard let next = answer.header("Location") else { return answer }
    return try await person.client.get(next)
  }

  @Test("Bug-G27: a refusal is in the title, in every language", arguments: AccountTables.languages.sorted())
  func refusals(language: String) async throws {
    try await TestServer.runForForms { server in
      let client = server.client()
      let texts = AccountTexts(language)
      for (kind, call) in [(FlowKind.login, "login"), (.signup, "signup"), (.recover, "send_code")] {
        let page = try await client.get(FlowPaths.page(kind), headers: ["Accept-Language": language])
        let form = try AccountPerson.form(call, in: page.body)
        let refused = try await client.post(form.path, form: form.fields)
        #expect(refused.status == 422)
        #expect(Self.title(refused) == "\(texts.words.problem): \(Self.title(page))", "\(language) \(kind)")
        #expect(Self.heading(refused) == Self.heading(page) && Self.title(page) == Self.heading(page))
      }
    }
  }

  @Test(
    "Bug-G27: what has been done is told on the page that follows, in the title too, and once",
    arguments: [
      (AccountForm.login, FlowIssue.Code.signedIn), (.signupCode, .accountCreated), (.changePassword, .passwordChanged),
    ])
  func toldOnce(form: AccountForm, code: FlowIssue.Code) async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: form != .signupCode)
      let answer = try await person.send(try await person.ready(form))
      #expect(answer.status == 303)
      let page = try await Self.follow(answer, person)
      let text = FlowIssue(code).text
      #expect(page.body.contains("data-code=\"\(code.rawValue)\"") && page.body.contains(text))
      #expect(Self.title(page) == "\(text) – Ostiary" && Self.heading(page) == "Ostiary")
      let again = try await person.client.get(FlowPaths.home)
      #expect(!again.body.contains("data-code") && Self.title(again) == "Ostiary")
    }
  }

  @Test("Bug-G27: news is for the session that it is about, for a minute, and nobody can make it up")
  func newsIsSealed() async throws {
    try await TestServer.runForForms { server in
      let jane = try await AccountPerson(server, "jane", hasAccount: true)
      let bob = try await AccountPerson(server, "bob", hasAccount: true)
      let answer = try await jane.send(try await jane.ready(.login))
      let news = try #require(answer.cookie("ostiary-news"))
      _ = try await bob.send(try await bob.ready(.login))
      for text in [news, "session.started", ""] {
        await bob.client.setCookie("ostiary-news", text)
        #expect(try await !bob.client.get(FlowPaths.home).body.contains("data-code"))
        // News of any kind goes.
        #expect(await bob.client.cookies["ostiary-news"] == nil)
      }
      server.clock.advance(by: 61)
      #expect(try await !jane.client.get(FlowPaths.home).body.contains("data-code"))
    }
  }

  @Test("Bug-G27: the settings tell it, too; a destination that doesn't has no news left behind")
  func elsewhere() async throws {
    try await TestServer.runForForms { server in
      for path in ["/account/profile", "/gateway"] {
        let person = try await AccountPerson(server, "p\(path.utf8.count)", hasAccount: true)
        let page = try await person.client.get("/account/login?return_to=\(path)")
        let form = try AccountPerson.form("login", in: page.body)
        let answer = try await person.client.post(
          form.path, form: form.fields + [("identifier", person.name), ("password", TestServer.janesPassword)])
        #expect(answer.header("Location") == server.origin + path)
        #expect((answer.cookie("ostiary-news") != nil) == (path == "/account/profile"))
        guard path == "/account/profile" else { continue }
        let titles = [
          Self.title(try await person.client.get(path)), Self.title(try await person.client.get(path)),
        ]
        #expect(titles == ["You are signed in. – Your account at Ostiary", "Your account at Ostiary"])
      }
    }
  }

  @Test("Bug-G27: a new password is told, also when its form is sent again or its page is opened again")
  func reset() async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: true)
      let ready = try await person.ready(.password)
      let text = FlowIssue(.passwordChanged).text
      let flow = try #require(ready.fields.first { $0.0 == "flow" }?.1)
      let first = try await person.send(ready)
      // One of an older page, which names no turn, is told that it has been done.
      let without = AccountPerson.Ready(path: ready.path, fields: ready.fields.filter { $0.0 != "turn" })
      let pages = [
        first, try await person.send(ready), try await person.client.get("/account/recover?flow=\(flow)"),
      ]
      for page in pages {
        #expect(page.status == 200 && page.body.contains(text), "\(page.body)")
        #expect(Self.title(page) == "\(text) – Ostiary")
        #expect(page.body.contains("href=\"/account/login\"") && !page.body.contains("<form"))
      }
      let late = try await person.send(without)
      #expect(late.status == 409 && late.body.contains(FlowIssue(.flowFinished).text))
      #expect(late.body.contains("href=\"/account/login\"") && !late.body.contains("<form"))
      #expect(Self.title(late).hasPrefix("There is a problem"))
    }
  }

  @Test("Bug-G27: saving is told, and the page goes on")
  func saved() async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: true)
      let page = try await person.send(try await person.ready(.save))
      #expect(page.status == 200 && Self.title(page) == "Saved. – Your account at Ostiary")
      #expect(Self.heading(page) == "Your account at Ostiary" && page.body.contains("<form id=\"save\""))
    }
  }

  @Test("Bug-G02: no page of a flow that has ended is empty", arguments: [AccountForm.login, .signupCode, .password])
  func ended(form: AccountForm) async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: form != .signupCode)
      let ready = try await person.ready(form)
      _ = try await person.send(ready)
      let flow = try #require(ready.fields.first { $0.0 == "flow" }?.1)
      let path = "\(ready.path)?flow=\(flow)"
      let open = try await person.client.get(path)
      #expect(open.status == 200 && open.body.contains("data-code"))
      if form.signsIn { #expect(open.body.contains("href=\"/account\"")) }
      // The session ends elsewhere: after a log-out the page would be none of this browser's.
      if form.signsIn {
        try await server.identity.setPassword(
          Secret(AccountForm.newPassword), forUserNamed: form == .signupCode ? person.address : person.name)
      }
      let left = try await person.client.get(path)
      #expect(left.status == 200 && left.body.contains("data-code") && left.body.contains("href=\"/account/login\""))
      // Nor is the form that is sent again, which begins no session.
      let late = try await person.send(ready)
      #expect(late.cookie("ostiary-account") == nil && late.body.contains("data-code"))
      if form.signsIn { #expect(late.status == 409 && late.body.contains("<form id=\"login\"")) }
      #expect(try await !person.isSignedIn())
    }
  }

  @Test("Bug-G04: after a log-out the pages that were left open are none of the next person's")
  func loggedOut() async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: true)
      let login = try await person.ready(.login)
      _ = try await person.send(login)
      let code = try await person.ready(.code)
      let flow = try #require(code.fields.first { $0.0 == "flow" }?.1)
      let open = try await person.client.get("/account/recover?flow=\(flow)")
      #expect(open.status == 200 && open.body.contains("<form id=\"check_code\""))
      let home = try await person.client.get(FlowPaths.home)
      let logout = try AccountPerson.form("logout", in: home.body)
      _ = try await person.client.post(logout.path, form: logout.fields)
      for left in [try await person.client.get("/account/recover?flow=\(flow)"), try await person.send(code)] {
        #expect(left.status == 403 && left.body.contains("<form id=\"send_code\""))
        #expect(left.body.contains(FlowIssue(.flowUnknown).text))
      }
      let again = try await person.send(login)
      #expect(again.status == 403 && again.cookie("ostiary-account") == nil)
      #expect(try await !person.isSignedIn())
      // The next person's own pages work.
      #expect(try await person.send(try await person.ready(.login)).status == 303)
    }
  }

  @Test("Bug-G04: a form that is sent twice leaves no page of another user, and those of the same one")
  func replacedTwice() async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: true)
      _ = try await AccountPerson(server, "ben", hasAccount: true)
      let (jane, other) = (try await person.ready(.login), try await person.ready(.login))
      let ben = other.fields.map { $0.0 == "identifier" ? ($0.0, "ben") : $0 }
      let code = try await person.ready(.code)
      let flow = try #require(code.fields.first { $0.0 == "flow" }?.1)
      _ = try await person.send(jane)
      /// Sends a form twice. The browser drops the first answer, with its cookies.
      func sendTwice(_ path: String, _ fields: [(String, String)]) async throws {
        let cookies = await person.client.cookies
        #expect(try await person.client.post(path, form: fields).status == 303)
        for (name, value) in cookies { await person.client.setCookie(name, value) }
        let second = try await person.client.post(path, form: fields)
        #expect(second.status == 303 && second.cookie("ostiary-account") != nil)
      }
      let page = try await person.client.get(FlowPaths.page(.profile))
      let change = try AccountPerson.form("change_password", in: page.body)
      try await sendTwice(
        change.path,
        change.fields + [
          ("current_password", TestServer.janesPassword), ("new_password", AccountForm.newPassword),
        ])
      #expect(try await person.client.get("/account/recover?flow=\(flow)").status == 200)
      try await sendTwice(other.path, ben)
      #expect(try await person.client.get("/account/recover?flow=\(flow)").status == 403)
    }
  }
}
