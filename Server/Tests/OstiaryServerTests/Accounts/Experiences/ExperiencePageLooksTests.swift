import BrowserTestSupport
import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// Account pages that are drawn from the starter experience, as Chromium shows them, to the eye, to the keyboard and to a
/// screen reader.
@Suite(
  "Account pages that are drawn from a document, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct ExperiencePageLooksTests {
  private static let password = TestServer.janesPassword

  private static func run(_ body: (TestServer, Chromium, PageInspector) async throws -> Void) async throws {
    try await TestServer.showAccounts({ $0.accounts?.experience = StarterExperience.document }, body: body)
  }

  private static func fill(_ chromium: Chromium, _ entries: KeyValuePairs<String, String>, _ action: String)
    async throws
  {
    for (name, entry) in entries { try await chromium.fill(name, with: entry) }
    try await chromium.click("[value=\"\(action)\"]")
  }

  @Test("WCAG 2.2 AA: every page, empty, refused and done, can be read, filled in and got through")
  func pages() async throws {
    try await Self.run { server, chromium, inspector in
      var found: [String] = []
      func look(_ name: String, errors: Int = 0) async throws {
        found += try await inspector.problems("drawn-\(name)")
        #expect(try await chromium.all("[aria-invalid=true]", "name").count == errors, "\(name)")
      }
      try await chromium.open(server.origin + "/account/signup")
      try await look("signup")
      try await Self.fill(chromium, [:], "continue")
      try await look("signup-empty", errors: 2)
      try await Self.fill(chromium, ["email": "new@example.com", "password": Self.password], "continue")
      try await look("about")
      try await Self.fill(chromium, ["name": String(repeating: "x", count: 101)], "create")
      try await look("about-refused", errors: 1)
      try await Self.fill(chromium, ["name": "Nele"], "create")
      try await look("code")

      try await chromium.open(server.origin + "/account/login")
      try await look("login")
      try await Self.fill(chromium, [:], "log-in")
      try await look("login-empty", errors: 2)
      try await Self.fill(chromium, ["username": "jane@example.com", "password": "wrong"], "log-in")
      try await look("login-wrong")
      try await chromium.click("[href=\"/account/recover\"]")
      try await look("recover")
      try await Self.fill(chromium, ["email": "x"], "send")
      try await look("recover-refused", errors: 1)
      try await Self.fill(chromium, ["email": "jane@example.com"], "send")
      try await look("reset")
      try await Self.fill(chromium, [:], "set")
      try await look("reset-empty", errors: 2)
      let code = try await server.code(for: "jane@example.com")
      try await Self.fill(chromium, ["code": code, "password": "another fine long password"], "set")
      try await look("reset-done")
      #expect(found == [])
    }
  }

  @Test("WCAG 2.2 §4.1.2, §1.3.1: what a screen reader gets of a page")
  func spoken() async throws {
    try await Self.run { server, chromium, _ in
      try await chromium.open(server.origin + "/account/login")
      func roles(_ role: String) async throws -> [Chromium.Spoken] {
        try await chromium.spoken().filter { $0.role == role }
      }
      #expect(try await roles("heading").map(\.name) == ["Welcome back"])
      #expect(try await roles("textbox").map(\.name) == ["User name or e-mail address", "Password"])
      #expect(try await roles("button").map(\.name) == ["Log in"])
      #expect(try await roles("link").map(\.name) == ["Forgot the password?", "Create an account"])
      #expect(try await roles("main").count == 1)
      try await chromium.click("[value=log-in]")
      let fields = try await roles("textbox")
      #expect(fields.allSatisfy { $0.isInvalid && !$0.description.isEmpty }, "\(fields)")
      #expect(try await roles("alert").count == 1)
      // Two lead to the fields, two elsewhere. The browser lists them in an order of its own.
      let links = try await roles("link").map(\.name)
      #expect(links.count == 4 && links.count { $0.contains(": ") } == 2, "\(links)")
      #expect(try await chromium.all("title", "text").first?.string?.hasPrefix("There is a problem: ") == true)
    }
  }

  @Test("Right to left: a page in Arabic, empty and refused")
  func arabic() async throws {
    try await Self.run { server, chromium, inspector in
      let reads = ["Accept-Language": "ar"]
      var person = try await PersonAtPage(server.client(), at: "/account/signup", headers: reads)
      var found: [String] = []
      try await chromium.show(person.page.body)
      found += try await inspector.problems("drawn-ar")
      try await person.submit(["email": "x"], "continue")
      try await chromium.show(person.page.body)
      found += try await inspector.problems("drawn-ar-refused")
      #expect(try await chromium.all("html", "dir") == ["rtl"])
      #expect(found == [])
    }
  }
}
