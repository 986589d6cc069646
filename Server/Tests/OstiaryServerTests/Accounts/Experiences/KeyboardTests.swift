import BrowserTestSupport
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// A person signs up, logs in and recovers a password by keyboard alone, on the server's own pages and on those that are drawn
/// from the starter experience, with script and without.
@Suite(
  "Account pages by keyboard alone, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct KeyboardTests {
  private static let password = TestServer.janesPassword
  private static let jane = "jdoe@example.com"
  private static let newPassword = "a quite different long password"

  /// How a person comes to pages: whose they are, and whether the browser runs scripts.
  struct Way: Sendable, CustomTestStringConvertible {
    let isDrawn: Bool
    let runsScripts: Bool

    static let all = [false, true].flatMap { drawn in [false, true].map { Way(isDrawn: drawn, runsScripts: $0) } }

    var testDescription: String {
      "\(isDrawn ? "drawn from the starter" : "the server's own"), \(runsScripts ? "with" : "without") script"
    }
  }

  /// Jane's name is her address, which both kinds of pages take.
  private static func run(_ way: Way, body: (TestServer, Chromium) async throws -> Void) async throws {
    try await TestServer.showAccounts(
      { if way.isDrawn { $0.accounts?.experience = StarterExperience.document } }, user: jane, email: jane,
      runsScripts: way.runsScripts
    ) { server, chromium, _ in try await body(server, chromium) }
  }

  private static func logIn(_ way: Way, _ chromium: Chromium, _ address: String, _ password: String) async throws {
    try await chromium.type(address, into: way.isDrawn ? "username" : "identifier")
    try await chromium.type(password, into: "password")
    // Return in a field is the main button.
    try await chromium.pressReturn()
  }

  private static func expectHome(_ chromium: Chromium, _ user: String) async throws {
    #expect(try await chromium.texts("#user") == [user])
  }

  @Test("A person makes an account", arguments: Way.all)
  func signUp(way: Way) async throws {
    try await Self.run(way) { server, chromium in
      try await chromium.open(server.origin + "/account")
      try await chromium.choose("[href=\"/account/signup\"]")
      try await chromium.type("new@example.com", into: "email")
      if way.isDrawn {
        try await chromium.type(Self.password, into: "password")
        try await chromium.choose("[value=continue]")
        try await chromium.type("Nele Neu", into: "name")
        try await chromium.choose("[value=create]")
      } else {
        try await chromium.type("Nele Neu", into: "display_name")
        try await chromium.type(Self.password, into: "password")
        try await chromium.choose("#signup button")
      }
      try await chromium.type(try await server.code(for: "new@example.com"), into: "code")
      try await chromium.choose("#check_code button")
      try await Self.expectHome(chromium, "Nele Neu")
    }
  }

  @Test("A person makes mistakes, is led to them, and logs in", arguments: Way.all)
  func login(way: Way) async throws {
    try await Self.run(way) { server, chromium in
      let button = way.isDrawn ? "[value=log-in]" : "#login button"
      let name = way.isDrawn ? "username" : "identifier"
      try await chromium.open(server.origin + "/account/login")
      try await chromium.choose(button)
      // The focus is where the first mistake is, without a key (WCAG 2.2 §3.3.1).
      try await chromium.getsFocus("[name=\"\(name)\"]")
      try await Self.logIn(way, chromium, Self.jane, "wrong")
      #expect(try await chromium.texts("[role=alert]").count == 1)
      // What was typed is there (WCAG 2.2 §3.3.7), but for the secret.
      #expect(try await chromium.all("[name=\"\(name)\"]", "value") == [.string(Self.jane)])
      #expect(try await chromium.all("[name=password]", "value") == [""])
      // A password manager fills in at once (WCAG 2.2 §3.3.8).
      try await chromium.paste(Self.password, into: "password")
      try await chromium.pressReturn()
      try await Self.expectHome(chromium, "Jane Doe")
    }
  }

  @Test("A person recovers a password and logs in with it", arguments: Way.all)
  func recovery(way: Way) async throws {
    try await Self.run(way) { server, chromium in
      try await chromium.open(server.origin + "/account/login")
      try await chromium.choose("[href=\"/account/recover\"]")
      try await chromium.type(Self.jane, into: "email")
      try await chromium.choose(way.isDrawn ? "[value=send]" : "#send_code button")
      let code = try await server.code(for: Self.jane)
      try await chromium.paste(code, into: "code")
      if way.isDrawn {
        try await chromium.type(Self.newPassword, into: "password")
        try await chromium.choose("[value=set]")
      } else {
        try await chromium.choose("#check_code button")
        try await chromium.type(Self.newPassword, into: "new_password")
        try await chromium.choose("#set_password button")
      }
      #expect(try await chromium.texts("[role=status]").count == 1)
      if !way.isDrawn { try await chromium.choose("[href=\"/account/login\"]") }
      try await Self.logIn(way, chromium, Self.jane, Self.newPassword)
      try await Self.expectHome(chromium, "Jane Doe")
    }
  }

  @Test("What never comes is not waited for without an end, whether scripts run or not", arguments: [false, true])
  func endless(runsScripts: Bool) async throws {
    let chromium = try await Chromium(runsScripts: runsScripts)
    try await chromium.show("<p>still</p>")
    chromium.patience.withLock { $0 = .seconds(1) }
    let focus = await #expect(throws: Chromium.Failed.self) { try await chromium.getsFocus("input") }
    #expect(focus?.description.contains("input has the focus") == true)
    // A page without frames, as above, and one that never answers.
    let answer = await #expect(throws: Chromium.Failed.self) { try await chromium.evaluate("new Promise(() => {})") }
    #expect(answer?.description.contains("an answer to Runtime.evaluate did not come") == true)
    let page = await #expect(throws: Chromium.Failed.self) { try await chromium.waitForLoad() }
    #expect(page?.description.contains("a page did not come") == true)
    await chromium.close()
  }
}
