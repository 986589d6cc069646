import BrowserTestSupport
import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// Account pages and pages of experiences, as Chromium shows them: labels, contrast, order, autofill, errors, and whether
/// everything fits, with all that may be typed.
@Suite(
  "Flow pages, in Chromium", .timeLimit(.minutes(20)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct FlowPageLooksTests {
  private static let password = TestServer.janesPassword
  private static let long = String(repeating: "Wm", count: 160)
  private static let arabic = "مرحبا بكم في هذه الخدمة، \u{202E}الاسم الكامل هنا 123"

  @Test("Every step of every flow, and what is wrong in it, can be read, filled in and got through")
  func flows() async throws {
    try await TestServer.showAccounts({ $0.accounts?.serviceName = "Acme" }) { server, chromium, inspector in
      var found: [String] = []
      func look(_ name: String, errors: Int = 0) async throws {
        found += try await inspector.problems("account-\(name)")
        #expect(
          try await chromium.evaluate("document.querySelectorAll('[aria-invalid=true]').length").double
            == Double(errors), "\(name)")
      }
      try await chromium.open(server.origin + "/account")
      try await look("nobody")
      try await chromium.open(server.origin + "/account/login")
      try await look("login")
      try await chromium.submit("login", [:])
      try await look("login-empty", errors: 2)
      try await chromium.submit("login", ["identifier": "jdoe", "password": "wrong"])
      #expect(
        try await chromium.evaluate("document.querySelector('[role=alert]').innerText").string?.contains("wrong")
          == true)
      try await look("login-wrong")

      try await chromium.open(server.origin + "/account/signup")
      try await look("signup")
      try await chromium.submit("signup", ["email": "new@", "display_name": "a\u{7}b", "password": ""])
      try await look("signup-errors", errors: 3)
      try await chromium.submit(
        "signup", ["email": "new@example.com", "display_name": "Nele", "password": Self.password])
      try await look("code")
      try await chromium.submit("check_code", ["code": "1"])
      try await look("code-wrong", errors: 1)

      try await chromium.open(server.origin + "/account/recover")
      try await look("recover")
      try await chromium.submit("send_code", ["email": "jane@example.com"])
      try await chromium.submit("check_code", ["code": try await server.code(for: "jane@example.com")])
      try await look("password")
      try await chromium.submit("set_password", ["new_password": ""])
      try await look("password-missing", errors: 1)
      try await chromium.submit("set_password", ["new_password": "another fine long password"])
      try await look("password-set")

      try await chromium.open(server.origin + "/account/login")
      try await chromium.submit("login", ["identifier": "jdoe", "password": "another fine long password"])
      try await look("home")
      try await chromium.open(server.origin + "/account/profile")
      try await look("profile")
      try await chromium.submit("save", ["display_name": "Jane D."])
      try await look("profile-saved")
      try await chromium.submit("change_password", ["current_password": "", "new_password": ""])
      try await look("profile-errors", errors: 2)
      try await chromium.open(server.origin + "/account/nothing")
      try await look("error")
      try await chromium.open(server.origin + "/account")
      try await chromium.submit("logout", [:])
      try await look("signed-out")
      #expect(found == [])
    }
  }

  @Test(
    "Names and values of 320 characters, and right-to-left ones, break nothing",
    arguments: [("long", long), ("arabic", arabic)])
  func longTexts(name: String, text: String) async throws {
    // What people may be called and what may be typed have bounds of their own.
    let most = String(text.prefix(250))
    // The configuration takes nothing that can't be seen.
    let service = text.replacing("\u{202E}", with: "")
    try await TestServer.showAccounts({ $0.accounts?.serviceName = service }, displayName: most) {
      server, chromium, inspector in
      var found: [String] = []
      func look(_ page: String) async throws { found += try await inspector.problems("\(name)-\(page)") }
      try await chromium.open(server.origin + "/account/login")
      try await look("login")
      for value in [text, most] {
        try await chromium.submit("login", ["identifier": value, "password": value])
        try await look("login-\(value.count)")
      }
      try await chromium.open(server.origin + "/account/signup")
      for value in [text, most] {
        try await chromium.submit("signup", ["email": value, "display_name": value, "password": "short"])
        try await look("signup-\(value.count)")
      }
      try await chromium.open(server.origin + "/account/login")
      try await chromium.submit("login", ["identifier": "jdoe", "password": Self.password])
      try await look("home")
      try await chromium.open(server.origin + "/account/profile")
      #expect(try await chromium.evaluate("document.getElementById('field-display_name').value").string == most)
      try await look("profile")
      #expect(found == [])
    }
  }

  // MARK: Experiences

  private static func starter() throws -> Experience {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Tests/OstiaryExperiencesTests/Fixtures/starter.json")
    return try Experience(json: Data(contentsOf: file))
  }

  private static let screens = [
    ("sign-up", "account"), ("sign-up", "about"), ("log-in", "credentials"), ("recover", "address"),
    ("feedback", "opinion"), ("feedback", "thanks"),
  ]

  @Test(
    "A page of an experience, empty, wrong, full of long values and in Arabic, can be read, filled in and got through",
    arguments: screens)
  func experience(flow: String, id: String) async throws {
    let chromium = try await Chromium()
    let inspector = PageInspector(chromium: chromium)
    let experience = try Self.starter()
    let fields = try #require(experience.draw(screen: id, of: flow)).fields.filter { $0.kind != .hidden }
    var found: [String] = []
    for (name, entry, languages) in [
      ("empty", "", ["en"]), ("long", Self.long, ["de"]), ("arabic", Self.arabic, ["ar"]),
    ] {
      let entries = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, entry) })
      for isWrong in [false, true] {
        let checked = isWrong ? try #require(experience.check(entries, on: id, of: flow)).issues : [:]
        let result: ValidationResult = isWrong ? .invalid(entry.isEmpty ? "It was refused." : entry) : .valid
        let screen = try #require(
          experience.draw(
            screen: id, of: flow, entries: entries, issues: checked, result: result, languages: languages,
            properties: ["first_name": .string(entry)]))
        try await chromium.show(ExperiencePage(screen, action: "/go").html)
        let state = "experience-\(flow)-\(id)-\(name)\(isWrong ? "-wrong" : "")"
        found += try await inspector.problems(state)
        #expect(
          try await chromium.evaluate("document.querySelectorAll('[aria-invalid=true]').length").double
            == Double(checked.count), "\(state)")
      }
    }
    #expect(found == [])
  }

  // MARK: The inspector itself

  @Test("The inspector sees what is wrong with a page on which everything is")
  func flaws() async throws {
    let chromium = try await Chromium()
    try await chromium.show(
      """
      <html><title></title><body style="background: #fff"><p style="width: 2000px; color: #999">pale</p>
      <div style="width: 50px">\(String(repeating: "w", count: 50))</div>
      <input name="a" type="password" autocomplete="email"><label for="b">B</label>
      <input id="b" name="b" autocomplete="nonsense" aria-invalid="true" aria-describedby="nowhere">
      <p class="message" id="lost">lost</p><p id="lost">again</p>
      <button tabindex="2" style="height: 20px; outline: none">x</button><a href="#" tabindex="1">y</a>
      """)
    let found = try await PageInspector(chromium: chromium).problems("flaws").joined(separator: "\n")
    for wrong in [
      "the page is 20", "no language", "no title", "no one heading", "#lost is there twice",
      "p goes beyond the window", "div is too narrow", "button has an order of its own", "button is 20 high",
      "input[a] has no label", "input[a] is no password manager's: email", "input#b[b] has an unknown autofill",
      "input#b[b] is described by nothing", "input#b[b] and its message don't know each other", "p#lost is nobody's",
      "nobody is told that something is wrong", "no link leads to input#b[b]", "the focus isn't on input#b[b]",
      "the text of p has a contrast of 2.85", "the focus goes from", "the focus isn't seen",
    ] {
      #expect(found.contains(wrong), "\(wrong)")
    }
  }
}
