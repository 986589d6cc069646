import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Forms of drawn pages that come late, from pages that were open before", .timeLimit(.minutes(20)))
struct ExperienceTurnTests {
  private static let password = TestServer.janesPassword
  private static let newPassword = "a quite different long password"
  private static let account = ["email": "new@example.com", "password": password]
  private static let jane = ["username": "jane@example.com", "password": password]

  private static func run<Value: Sendable>(
    _ document: Data? = StarterExperience.document, in folder: TemporaryFolder? = nil,
    body: (TestServer) async throws -> Value
  ) async throws -> Value {
    try await TestServer.runWithAccounts(
      {
        $0.accounts?.experience = document
        if let folder { $0.storage = .folder(folder.url) }
      }, body: body)
  }

  /// The starter with another text in place of one that it has.
  private static func starter(_ text: String, _ other: String) -> Data {
    Data(String(decoding: StarterExperience.document, as: UTF8.self).replacing(text, with: other).utf8)
  }

  @Test("Bug-G11: a page whose screen the document has no longer begins again, and each of its buttons works")
  func anotherDocument() async throws {
    let folder = TemporaryFolder()
    let (path, cookies) = try await Self.run(in: folder) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      try await person.submit(Self.account, "continue")
      #expect(person.title == "What shall we call you?")
      return (person.path, await person.client.cookies)
    }
    try await Self.run(Self.starter(#""id": "about""#, #""id": "nickname""#), in: folder) { server in
      let client = server.client()
      for (name, value) in cookies { await client.setCookie(name, value) }
      var person = try await PersonAtPage(client, at: path)
      #expect(person.title == "Create an account")
      let first = try await person.submit(Self.account, "continue")
      #expect(first.status == 303 && person.title == "What shall we call you?")
      try await person.submit(["name": "Nele"], "create")
      #expect(person.title == "Check your mail")
    }
  }

  @Test("Bug-G11: a page that was drawn from a document begins again at a server that draws none from one")
  func noDocument() async throws {
    let folder = TemporaryFolder()
    let (path, cookies) = try await Self.run(in: folder) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/login")
      try await person.submit([:], "forgotten")
      return (person.path, await person.client.cookies)
    }
    try await Self.run(nil, in: folder) { server in
      let client = server.client()
      for (name, value) in cookies { await client.setCookie(name, value) }
      let page = try await client.get(path)
      #expect(page.status == 410)
      let form = try AccountPerson.form("login", in: page.body)
      let answer = try await client.post(
        form.path, form: form.fields + [("identifier", "jdoe"), ("password", Self.password)])
      #expect(answer.status == 303 && answer.cookie("ostiary-account") != nil)
    }
  }

  @Test("Bug-G02: after a refusal, what a page of the screen sends that was open before is a new try")
  func newTry() async throws {
    try await Self.run { server in
      let person = try await PersonAtPage(server.client(), at: "/account/login")
      func send(_ password: String) async throws -> Answer {
        try await person.client.post(
          "/account/login", form: person.form(["username": "jane@example.com", "password": password], "log-in"))
      }
      #expect(try await send("wrong").status == 422)
      let right = try await send(Self.password)
      #expect(right.status == 303 && right.cookie("ostiary-account") != nil)

      var tab = try await PersonAtPage(server.client(), at: "/account/recover")
      try await tab.submit(["email": "jane@example.com"], "send")
      var other = tab
      let code = try await server.code(for: "jane@example.com")
      let wrong = try await other.submit(["code": "00000000", "password": Self.newPassword], "set")
      #expect(wrong.status == 422)
      let set = try await tab.submit(["code": code, "password": Self.newPassword], "set")
      #expect(set.status == 303 && tab.page.body.contains("data-code=\"password.changed\""))
    }
  }

  @Test("Bug-G07: a form of another screen does nothing, though no other form came first")
  func otherScreen() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/login")
      let old = person.form(Self.jane, "log-in")
      try await person.submit([:], "forgotten")
      // Both screens have such a button.
      let form = old.map { ($0.0, $0.0 == FlowService.turnName ? person.fields[FlowService.turnName] ?? "" : $0.1) }
      try await person.send(form)
      #expect(person.page.status == 409 && person.page.body.contains(FlowIssue(.flowOutOfOrder).text))
      #expect(person.title == "Forgot the password?" && person.page.cookie("ostiary-account") == nil)
    }
  }

  @Test("Bug-G27: what is not done, because the form was sent before or is another, is told")
  func told() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      let old = person
      try await person.submit(Self.account, "continue")
      var back = old
      let late = try await back.submit(["email": "other@example.com", "password": Self.password], "continue")
      #expect(late.status == 409 && late.body.contains(FlowIssue(.formSent).text))
      #expect(back.title == "What shall we call you?" && late.body.contains("<title>There is a problem: "))
      let strange = try await back.submit([:], "nonsense")
      #expect(strange.status == 409 && strange.body.contains(FlowIssue(.flowOutOfOrder).text))
      try await back.submit([:], "back")
      #expect(back.fields["email"] == "new@example.com")
    }
  }

  @Test("Bug-G02: another content of a form whose flow has ended leads to no empty page")
  func ended() async throws {
    try await Self.run { server in
      var person = try await PersonAtPage(server.client(), at: "/account/login")
      let old = person
      try await person.submit(Self.jane, "log-in")
      // Elsewhere, so that the browser is still theirs.
      try await server.identity.setPassword(Secret(Self.newPassword), forUserNamed: "jdoe")
      var back = old
      try await back.submit(["username": "jane@example.com", "password": "another"], "log-in")
      #expect(back.page.body.contains(FlowIssue(.flowFinished).text))
      #expect(back.page.body.contains("href=\"/account/login\"") && back.page.cookie("ostiary-account") == nil)
    }
  }

  /// A page on which a person has typed an address, half way through a sign-up.
  private static func typed(_ client: Client) async throws -> PersonAtPage {
    var person = try await PersonAtPage(client, at: "/account/signup")
    try await person.submit(account, "continue")
    try await person.submit([:], "back")
    #expect(person.fields["email"] == "new@example.com" && person.path.hasPrefix("/account/signup?flow="))
    return person
  }

  /// The page of another person now: nothing of it is shown, and its form does nothing.
  private static func expectStrange(_ person: PersonAtPage) async throws {
    let page = try await person.client.get(person.path)
    #expect(page.status == 403 && page.body.contains(FlowIssue(.flowUnknown).text), "\(page.status)")
    #expect(!page.body.contains("new@example.com"))
    var back = person
    let sent = try await back.submit([:], "log-in")
    #expect(sent.status == 403 && !sent.body.contains("new@example.com"))
  }

  @Test("Bug-G04: after a log-out a page that was left open shows the next person nothing of what was typed there")
  func loggedOut() async throws {
    try await Self.run { server in
      let client = server.client()
      let open = try await Self.typed(client)
      var person = try await PersonAtPage(client, at: "/account/login")
      let login = person.form(Self.jane, "log-in")
      try await person.submit(Self.jane, "log-in")
      #expect(try await client.get(open.path).body.contains("new@example.com"))
      let logout = try AccountPerson.form("logout", in: person.page.body)
      #expect(try await client.post(logout.path, form: logout.fields).body.contains("id=\"signed-out\""))
      try await Self.expectStrange(open)
      let again = try await client.post("/account/login", form: login)
      #expect(again.status == 403 && again.cookie("ostiary-account") == nil)
      // The browser has a number, with which the next person goes on.
      var next = try await PersonAtPage(client, at: "/account/login")
      #expect(try await next.submit(Self.jane, "log-in").status == 303)
    }
  }

  @Test("Bug-G04: a user who signs in in place of another finds nothing of the other's open pages")
  func anotherUser() async throws {
    try await Self.run { server in
      try await server.identity.addUser(name: "ben", displayName: "Ben", password: Secret(Self.password))
      let client = server.client()
      let open = try await Self.typed(client)
      var jane = try await PersonAtPage(client, at: "/account/login")
      var ben = try await PersonAtPage(client, at: "/account/login")
      let form = jane.form(Self.jane, "log-in")
      try await jane.submit(Self.jane, "log-in")
      // The same form again, as by a second click: the pages stay theirs.
      #expect(try await client.post("/account/login", form: form).status == 303)
      #expect(try await client.get(open.path).body.contains("new@example.com"))
      #expect(try await ben.submit(["username": "ben", "password": Self.password], "log-in").status == 303)
      #expect(try await client.get("/account").body.contains("Ben"))
      try await Self.expectStrange(open)
    }
  }

  @Test("Bug-G04: so it is where only the second of two clicks is answered, after the first has ended a session")
  func anotherUserTwice() async throws {
    try await Self.run { server in
      try await server.identity.addUser(name: "ben", displayName: "Ben", password: Secret(Self.password))
      let client = server.client()
      let open = try await Self.typed(client)
      var jane = try await PersonAtPage(client, at: "/account/login")
      let ben = try await PersonAtPage(client, at: "/account/login")
      let form = ben.form(["username": "ben", "password": Self.password], "log-in")
      try await jane.submit(Self.jane, "log-in")
      let cookies = await client.cookies
      #expect(try await client.post("/account/login", form: form).status == 303)
      // The browser has dropped the first answer, with its cookies.
      for (name, value) in cookies { await client.setCookie(name, value) }
      let second = try await client.post("/account/login", form: form)
      #expect(second.status == 303 && second.cookie("ostiary-account") != nil)
      try await Self.expectStrange(open)
    }
  }

  @Test("Bug-G02: who comes back from an address that a page has opened may change what was typed")
  func opened() async throws {
    let button = #"{"id": "continue", "kind": "next"},"#
    let terms = #"{"id": "terms", "kind": "openURL", "url": "https://terms.example/a"},"#
    try await Self.run(Self.starter(button, button + terms)) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/signup")
      for _ in 0..<2 {
        let opened = try await person.client.post(
          "/account/signup", form: person.form(["email": "old@example.com"], "terms"))
        #expect(opened.status == 303 && opened.header("Location") == "https://terms.example/a")
      }
      let next = try await person.submit(Self.account, "continue")
      #expect(next.status == 303 && person.title == "What shall we call you?")
      try await person.submit([:], "back")
      #expect(person.fields["email"] == "new@example.com")
    }
  }
}
