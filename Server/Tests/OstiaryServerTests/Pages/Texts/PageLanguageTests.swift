import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite(
  "Bug-G21: doors' pages, error pages and the mailbox in the reader's language, over HTTP", .timeLimit(.minutes(20)))
struct PageLanguageTests {
  private static let html = "text/html,application/xhtml+xml;q=0.9"

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("'", with: "&#39;").replacing("\"", with: "&quot;")
  }

  @Test(
    "Bug-G21: signing in at each door is in the reader's language, a refusal too",
    arguments: PageTables.languages.sorted())
  func signIn(language: String) async throws {
    try await PageCase.run(language) { visitor in
      let texts = visitor.texts
      for (address, form, fields, refusal) in [
        ("/gateway/login", "login", [("username", "x"), ("password", "y")], ServerText.credentialsRefused),
        (SalesforceTester.authorizeTarget(.web), "login", [("username", "x"), ("password", "y")], .credentialsRefused),
        (
          "/prweb/PRServlet", "credentialsForm",
          [("UserIdentifier", "x"), ("Password", "y"), ("pyActivity=Code-Security.Login", "")], .notRecognized
        ),
      ] {
        let page = try await visitor.get(address)
        #expect(page.header("Content-Language") == language, "\(address)")
        for text in [texts(.userNameLabel), texts(.passwordLabel)] {
          #expect(page.body.contains(Self.escaped(text)), "\(address)")
        }
        let refused = try await visitor.fill(page, form, fields)
        #expect(refused.body.contains(Self.escaped(texts(refusal))), "\(address)")
        #expect(refused.body.contains("value=\"x\"") && !refused.body.contains("value=\"y\""), "\(address)")
      }
    }
  }

  @Test("Bug-G21: errors are told in the reader's language, and to programs in English")
  func errors() async throws {
    try await TestServer.run { server in
      let client = server.client()
      let reads = ["Accept-Language": "uk-UA, en;q=0.5"]
      let page = try await client.get("/nowhere", headers: reads.merging(["Accept": Self.html]) { $1 })
      #expect(page.status == 404 && page.header("Content-Language") == "uk")
      #expect(page.body.contains("<html lang=\"uk\">") && page.body.contains("За цією адресою нічого немає."))
      let json = try await client.get("/nowhere", headers: reads.merging(["Accept": "application/json"]) { $1 })
      #expect(json.json["error"]?["message"] == "There is nothing at this address.")
      let plain = try await client.get("/nowhere")
      #expect(plain.header("Content-Language") == "en" && plain.body.contains("There is nothing at this address."))
    }
  }

  @Test("Bug-G21: the storage's failure is told in the reader's language")
  func unavailable() async throws {
    try await TestServer.run { server in
      let visitor = PageVisitor(server, language: "ja")
      let answer = DoorResponse.unavailable(for: visitor.request)
      let body = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status.code == 503 && answer.headers[.retryAfter] != nil)
      #expect(body.contains("<html lang=\"ja\">") && body.contains("現在サービスを利用できません。"))
      #expect(body.contains("<h1>現在利用できません</h1>"))
    }
  }

  @Test("WCAG: what a page says to a program's author names its language")
  func authors() async throws {
    try await PageCase.run("he") { visitor in
      let page = try await visitor.fill("/account/login", "login", [("identifier", "x"), ("unknown", "y")])
      #expect(page.body.contains("<html lang=\"he\" dir=\"rtl\">"))
      #expect(page.body.contains("<li data-code=\"field.unknown\" lang=\"en\""), "\(page.body)")
      let link = try await visitor.get(SalesforceTester.authorizeTarget(.web, redirect: "https://elsewhere.example/"))
      #expect(link.body.contains("<div role=\"alert\" lang=\"en\" dir=\"ltr\">"))
    }
  }

  @Test("Bug-G21: an imitated product's page stays as it is, and says that it is in English")
  func imitated() async throws {
    try await GatewayTester.run({ $0.style = .webSEAL }) { gateway in
      let page = try await gateway.client.get(
        "/login", headers: GatewayTester.html.merging(["Accept-Language": "de"]) { $1 })
      #expect(page.body.contains("<html lang=\"en\">") && page.body.contains("Username:"))
    }
  }

  @Test("Bug-G21: the mailbox is in the reader's language, and each mail names its own")
  func mailbox() async throws {
    try await TestServer.run({ $0.accounts?.offersSignUp = true }) { server in
      let writer = PageVisitor(server, language: "ar")
      _ = try await writer.fill(
        "/account/signup", "signup", [("email", "n@example.com"), ("password", TestServer.janesPassword)])
      await server.application.settleMail()
      let page = try await PageVisitor(server, language: "de").get(FlowPaths.mailbox).body
      #expect(page.contains("<html lang=\"de\">") && page.contains("Postfach für die Entwicklung"))
      #expect(page.contains("<h2 dir=\"auto\" lang=\"ar\">") && page.contains("<pre dir=\"auto\" lang=\"ar\">"))
      #expect(page.contains("An <bdi>n@example.com</bdi>"))
    }
  }
}
