import BrowserTestSupport
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Account pages in every language, as Chromium shows them.
@Suite(
  "Bug-G21: account pages in every language, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct AccountLanguageLooksTests {
  /// One language of each kind of writing; all of them when images are wanted.
  private static let languages =
    ProcessInfo.processInfo.environment["OSTIARY_SCREENSHOTS"] == nil
    ? ["ar", "de", "hi", "ja", "zh-Hant"] : AccountTables.languages.sorted()

  /// The markup of every page that has texts of its own, by name.
  private static func pages(_ server: TestServer, _ language: String) async throws -> [(String, String)] {
    let browser = server.client()
    let reads = ["Accept-Language": language]
    var pages: [(String, String)] = []
    func flow(_ page: String) -> String {
      page.components(separatedBy: "name=\"flow\" value=\"").last?.split(separator: "\"").first.map(String.init) ?? ""
    }
    func post(_ kind: String, _ action: String, _ fields: [(String, String)]) async throws -> String {
      try await browser.post(
        "/account/\(kind)", form: [("flow", flow(pages.last?.1 ?? "")), ("action", action)] + fields, headers: reads
      ).body
    }
    pages.append(("nobody", try await browser.get("/account", headers: reads).body))
    for kind in ["login", "recover", "signup"] {
      pages.append((kind, try await browser.get("/account/\(kind)", headers: reads).body))
    }
    pages.append(("signup-errors", try await post("signup", "signup", [("email", "x"), ("password", "y")])))
    let fields = [("email", "new@example.com"), ("password", TestServer.janesPassword)]
    _ = try await post("signup", "signup", fields)
    let id = flow(pages.last?.1 ?? "")
    pages.append(("code", try await browser.get("/account/signup?flow=\(id)", headers: reads).body))
    pages.append(("code-wrong", try await post("signup", "check_code", [("code", "AAAAAAAA")])))
    pages.append(("login", try await browser.get("/account/login", headers: reads).body))
    _ = try await post("login", "login", [("identifier", "jdoe"), ("password", TestServer.janesPassword)])
    pages.append(("home", try await browser.get("/account", headers: reads).body))
    pages.append(("profile", try await browser.get("/account/profile", headers: reads).body))
    pages.append(("profile-saved", try await post("profile", "save", [("display_name", "Jane")])))
    return pages
  }

  @Test(
    "Bug-G21: each page fits a phone and a desktop, can be read and got through, in its language",
    arguments: languages)
  func looks(language: String) async throws {
    try await TestServer.showAccounts({ $0.accounts?.serviceName = "Acme" }) { server, chromium, inspector in
      var found: [String] = []
      let pages = try await Self.pages(server, language)
      for (name, markup) in pages {
        #expect(markup.contains("<html lang=\"\(language)\""), "\(name)")
        try await chromium.show(markup)
        found += try await inspector.problems("language-\(language)-\(name)")
      }
      #expect(found == [] && Set(pages.map(\.1)).count >= 10)
    }
  }
}
