import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Bug-G21: account pages and mail in the flow's language, over HTTP", .timeLimit(.minutes(20)))
struct AccountLanguageTests {
  private static func flow(_ answer: Answer) throws -> String {
    let rest = try #require(answer.body.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first)
    return String(rest.prefix { $0 != "\"" })
  }

  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.runWithAccounts({ $0.accounts?.serviceName = "Acme" }, body: body)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("'", with: "&#39;").replacing("\"", with: "&quot;")
  }

  @Test(
    "Bug-G21: a person signs up in a language: pages, refusals, mail, home and the end of the session",
    arguments: AccountTables.languages.sorted())
  func signUp(language: String) async throws {
    let texts = AccountTexts(language)
    try await Self.run { server in
      let browser = server.client()
      let reads = ["Accept-Language": "\(language), en;q=0.1"]
      func check(_ answer: Answer, _ title: String) {
        let direction = texts.isRightToLeft ? " dir=\"rtl\"" : ""
        #expect(answer.body.contains("<html lang=\"\(language)\"\(direction)>"), "\(title)")
        #expect(answer.body.contains("<h1>\(Self.escaped(title))</h1>"), "\(title)")
      }
      let page = try await browser.get("/account/signup", headers: reads)
      check(page, texts(.signUpTitle, service: "Acme"))
      #expect(page.header("Content-Language") == language)
      for label in [AccountText.emailLabel, .displayNameLabel, .passwordLabel, .createAccount, .signIn] {
        #expect(page.body.contains(Self.escaped(texts(label))), "\(label)")
      }
      #expect(page.body.contains(texts.words.optional))
      let flow = try Self.flow(page)
      func post(_ action: String, _ fields: [(String, String)], headers: [String: String] = [:]) async throws -> Answer
      {
        try await browser.post(
          "/account/signup", form: [("flow", flow), ("action", action)] + fields, headers: headers)
      }
      let refused = try await post("signup", [("email", "x"), ("password", "")])
      check(refused, texts(.signUpTitle, service: "Acme"))
      #expect(refused.body.contains(Self.escaped(FlowIssue(.emailInvalid).text(in: texts))))
      #expect(refused.body.contains(Self.escaped(FlowIssue(.fieldRequired).text(in: texts))))
      // What the browser says later changes nothing: the flow has its language.
      let later = ["Accept-Language": "en"]
      let sent = try await post(
        "signup", [("email", "new@example.com"), ("password", TestServer.janesPassword)], headers: later)
      let next = try await browser.get(try #require(sent.header("Location")), headers: later)
      check(next, texts(.codeTitle))
      #expect(next.body.contains(Self.escaped(FlowIssue(.codeSent, ["minutes": 10]).text(in: texts))))
      let mail = try #require(await server.mails(to: "new@example.com").last)
      #expect(mail.subject == texts(.codeSubject, service: "Acme"))
      for text in [texts(.confirmationReason, service: "Acme"), texts(.validity, number: 10), texts(.link)] {
        #expect(mail.text.contains(text), "\(text)")
      }
      let wrong = try await post("check_code", [("code", "AAAAAAAA")])
      #expect(wrong.body.contains(Self.escaped(FlowIssue(.codeWrong).text(in: texts))))
      let code = try #require(mail.code)
      #expect(try await post("check_code", [("code", code)]).status == 303)
      let home = try await browser.get("/account", headers: reads)
      check(home, "Acme")
      let sentence = texts(.signedInAs, ["user": "|"]).split(separator: "|", omittingEmptySubsequences: false)
      #expect(
        home.body.contains(
          "<p>\(sentence[0])<strong id=\"user\" dir=\"auto\">new@example.com</strong>\(sentence[1])</p>"))
      let token = home.body.components(separatedBy: "name=\"token\" value=\"").last?.split(separator: "\"").first ?? ""
      let out = try await browser.post("/account/logout", form: [("token", String(token))], headers: reads)
      check(out, texts(.signedOutTitle))
      #expect(try await browser.get("/account", headers: reads).body.contains(texts(.notSignedIn)))
    }
  }

  @Test("Bug-G21: an owner whose account exists, and one whose password was changed, are told in the flow's language")
  func otherMail() async throws {
    let texts = AccountTexts("ja")
    let reads = ["Accept-Language": "ja-JP"]
    try await Self.run { server in
      let browser = server.client()
      let first = try Self.flow(try await browser.get("/account/signup", headers: reads))
      _ = try await browser.post(
        "/account/signup",
        form: [
          ("flow", first), ("action", "signup"), ("email", "jane@example.com"), ("password", TestServer.janesPassword),
        ])
      let exists = try #require(await server.mails(to: "jane@example.com").last)
      #expect(exists.subject == texts(.existsSubject, service: "Acme"))
      #expect(exists.text.contains(texts(.existsOtherwise)))
      let second = try Self.flow(try await browser.get("/account/recover", headers: reads))
      func post(_ action: String, _ field: String, _ value: String) async throws {
        _ = try await browser.post(
          "/account/recover", form: [("flow", second), ("action", action), (field, value)],
          headers: ["Accept-Language": "de"])
      }
      try await post("send_code", "email", "jane@example.com")
      let mail = try #require(await server.mails(to: "jane@example.com").last)
      #expect(mail.text.contains(texts(.recoveryNever, service: "Acme")))
      try await post("check_code", "code", try #require(mail.code))
      try await post("set_password", "new_password", "a quite different long password")
      let changed = try #require(await server.mails(to: "jane@example.com").last)
      #expect(changed.subject == texts(.changedSubject, service: "Acme"))
      #expect(changed.text.contains(texts(.changedReason, service: "Acme")))
    }
  }

  @Test("Bug-G21: the JSON interface names the language, and words everything in it")
  func json() async throws {
    let texts = AccountTexts("pl")
    try await Self.run { server in
      let client = server.client()
      let begun = try await client.get("/flows/login", headers: ["Accept-Language": "pl-PL, en;q=0.5"]).json
      #expect(begun["flow"]?["locale"] == "pl")
      #expect(begun["fields"]?.array?.first?["label"]?["text"]?.string == texts(.identifierLabel))
      #expect(begun["actions"]?.array?.first?["label"]?.string == texts(.signIn))
      let flow = try #require(begun["flow"]?["id"]?.string)
      let body = JSONValue.object([
        "flow": .string(flow), "action": "login",
        "fields": .object(["identifier": "jdoe", "password": "wrong"]),
      ])
      let refused = try await client.send(
        "POST", "/flows/login", headers: ["Content-Type": "application/json"],
        body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
      #expect(refused.json["title"]?.string == FlowIssue(.credentialsWrong).text(in: texts))
      #expect(refused.json["document"]?["flow"]?["locale"] == "pl")
      let gone = try await client.get("/flows/profile", headers: ["Accept-Language": "he"]).json
      #expect(gone["title"]?.string == FlowIssue(.sessionRequired).text(in: AccountTexts("he")))
      #expect(try await client.get("/flows/login").json["flow"]?["locale"] == "en")
    }
  }

  @Test("Bug-G21: what a server doesn't offer, and a forged form, are told in the reader's language")
  func refusals() async throws {
    let texts = AccountTexts("uk")
    try await TestServer.run({ $0.accounts?.offersSignUp = false }) { server in
      let client = server.client()
      let reads = ["Accept-Language": "uk", "Accept": "text/html"]
      let missing = try await client.get("/account/signup", headers: reads)
      #expect(missing.status == 404 && missing.body.contains("<html lang=\"uk\">"))
      #expect(missing.body.contains(FlowIssue(.flowDisabled).text(in: texts)))
      let forged = try await client.post(
        "/account/login", form: [("flow", "x")], headers: reads.merging(["Sec-Fetch-Site": "cross-site"]) { $1 })
      #expect(forged.status == 403 && forged.body.contains(FlowIssue(.requestForged).text(in: texts)))
    }
  }

  @Test("Bug-G21: a flow that an earlier version of the server sealed goes on in English")
  func earlier() throws {
    let storage = try ServerStorage.forTest()
    let seal = FlowSeal(storage.key)
    let token = FlowToken(
      kind: .login, browser: "b", language: "de", expiresAt: Date(timeIntervalSince1970: 1_800_000_000))
    #expect(seal.open(try seal.seal(token)) == token)
    let earlier = try seal.seal(["login", token.number, "1800000000", "b", "", ""])
    #expect(seal.open(earlier)?.language == "en" && seal.open(earlier)?.number == token.number)
  }
}
