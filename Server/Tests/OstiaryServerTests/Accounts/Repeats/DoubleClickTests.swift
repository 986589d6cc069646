import BrowserTestSupport
import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Real double clicks in Chromium: one outcome each, none of them empty, and nothing that the second click undoes.
@Suite(
  "Bug-G02: double clicks on account forms, in Chromium", .timeLimit(.minutes(30)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct DoubleClickTests {
  private static let rounds = 0..<Rounds.count(5, full: 100)

  /// Goes to the page with a form, and fills it in.
  private static func prepare(
    _ form: AccountForm, _ person: AccountPerson, _ chromium: Chromium
  ) async throws {
    let (server, address, password) = (person.server, person.address, TestServer.janesPassword)
    func open(_ kind: FlowKind) async throws { try await chromium.open(server.origin + FlowPaths.page(kind)) }
    func signIn() async throws {
      try await open(.login)
      try await chromium.submit("login", ["identifier": person.name, "password": password])
    }
    func fill(_ fields: [(String, String)]) async throws {
      for (name, value) in fields { try await chromium.fill(name, with: value) }
    }
    let details = [("email", address), ("display_name", "Jane \(person.name)"), ("password", password)]
    switch form {
    case .login:
      try await open(.login)
      try await fill([("identifier", person.name), ("password", password)])
    case .signup:
      try await open(.signup)
      try await fill(details)
    case .signupCode:
      try await open(.signup)
      try await chromium.submit("signup", Dictionary(details) { first, _ in first })
      try await fill([("code", try await person.code())])
    case .address:
      try await open(.recover)
      try await fill([("email", address)])
    case .code, .resend, .password:
      try await open(.recover)
      try await chromium.submit("send_code", ["email": address])
      if form == .resend {
        server.clock.advance(by: 61)
        return
      }
      let code = try await person.code()
      if form == .code { return try await fill([("code", code)]) }
      try await chromium.submit("check_code", ["code": code])
      try await fill([("new_password", AccountForm.newPassword)])
    case .save:
      try await signIn()
      try await open(.profile)
      try await fill([("display_name", "Jane D.")])
    case .changePassword:
      try await signIn()
      try await open(.profile)
      try await fill([("current_password", password), ("new_password", AccountForm.newPassword)])
    case .logout:
      try await signIn()
      try await chromium.evaluate("document.querySelector('details').open = true")
    }
  }

  /// What the page has to be after a form.
  private static func problem(
    after form: AccountForm, _ chromium: Chromium, _ server: TestServer
  ) async throws -> String? {
    let page = try await chromium.evaluate("location.pathname + ' ' + document.body.innerText").string ?? ""
    let codes = try await chromium.evaluate(
      "[...document.querySelectorAll('[data-code]')].map(e => e.dataset.code).join(' ')"
    ).string
    let has = { (selector: String) async throws -> Bool in
      try await chromium.evaluate("document.querySelector('\(selector)') !== null") == true
    }
    let isRight =
      switch form {
      case .login: try await has("#user") && codes == "session.started"
      case .signupCode: try await has("#user") && codes == "account.created"
      case .changePassword: try await has("#user") && codes == "password.changed"
      case .signup, .address, .resend: try await has("#check_code") && codes == "code.sent"
      case .code: try await has("#set_password") && codes == ""
      case .password: codes == "password.changed" && page.contains("Sign in")
      case .save: try await has("#save") && codes == "profile.saved"
      case .logout: try await has("#signed-out")
      }
    return isRight ? nil : "\(codes ?? "-"): \(page)"
  }

  private static func run(
    _ form: AccountForm, _ act: (Chromium, String, Int) async throws -> Void
  ) async throws {
    let chromium = try await Chromium()
    try await TestServer.runForForms { server in
      for round in rounds {
        server.clock.advance(by: 3601)
        try await chromium.forgetCookies()
        let person = try await AccountPerson(
          server, "p\(round)", hasAccount: form != .signup && form != .signupCode)
        try await prepare(form, person, chromium)
        let begun = try await server.events(.sessionBegun)
        try await act(chromium, "#\(form.call) button", round)
        if let problem = try await problem(after: form, chromium, server) {
          Issue.record("round \(round): \(problem)")
        }
        #expect(try await server.events(.sessionBegun) - begun == (form.signsIn ? 1 : 0), "round \(round)")
        let isSignedIn = form.signsIn || form == .save
        try await chromium.open(server.origin + FlowPaths.home)
        #expect(
          try await chromium.evaluate("document.querySelector('#user') !== null") == .bool(isSignedIn),
          "round \(round)")
      }
    }
  }

  @Test("Bug-G02: a double click on a form has the outcome of one click", arguments: AccountForm.allCases)
  func doubleClick(form: AccountForm) async throws {
    try await Self.run(form) { chromium, button, round in
      try await chromium.doubleClick(button, isSlow: round % 2 == 1)
    }
  }

  @Test(
    "Bug-G02: a second click on the page of the first one undoes nothing",
    arguments: AccountForm.allCases.filter { $0.signsIn || $0 == .password })
  func secondClickOnNextPage(form: AccountForm) async throws {
    let chromium = try await Chromium()
    try await TestServer.runForForms { server in
      for window in Chromium.Window.all where !window.isDark {
        try await chromium.resize(to: window)
        try await chromium.forgetCookies()
        server.clock.advance(by: 3601)
        let person = try await AccountPerson(server, "w\(window.width)", hasAccount: form != .signupCode)
        try await Self.prepare(form, person, chromium)
        try await chromium.clickAgain(afterPageOf: "#\(form.call) button")
        try await chromium.open(server.origin + FlowPaths.home)
        #expect(
          try await chromium.evaluate("document.querySelector('#user') !== null") == .bool(form.signsIn), "\(window)")
      }
    }
  }

  /// Where the buttons of forms are whose effect can't be taken back, as far as they are shown.
  private static let destructive = """
    [...document.querySelectorAll('form[action$="/logout"] button, form#consent button')]
      .filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect()).filter(r => r.width > 0 && r.height > 0)
      .map(r => [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY])
    """

  @Test(
    "Bug-G02: no page has such a button where the button was that led to it, folded or not",
    arguments: Chromium.Window.all.filter { !$0.isDark })
  func places(window: Chromium.Window) async throws {
    let chromium = try await Chromium()
    try await TestServer.runForForms { server in
      for form in AccountForm.allCases where form != .logout {
        try await chromium.resize(to: window)
        try await chromium.forgetCookies()
        server.clock.advance(by: 3601)
        let person = try await AccountPerson(
          server, "\(form.rawValue.lowercased())", hasAccount: form != .signup && form != .signupCode)
        try await Self.prepare(form, person, chromium)
        let selector = "#\(form.call) button"
        let button =
          try await chromium.evaluate(
            """
            (() => { const r = document.querySelector('\(selector)').getBoundingClientRect();
              return [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY] })()
            """
          ).array?.compactMap(\.double) ?? []
        #expect(button.count == 4)
        try await chromium.click(selector)
        let others = try await chromium.evaluate(Self.destructive).array ?? []
        for other in others.map({ $0.array?.compactMap(\.double) ?? [] }) where other.count == 4 && button.count == 4 {
          let overlaps =
            other[0] < button[2] && button[0] < other[2] && other[1] < button[3] && button[1] < other[3]
          #expect(!overlaps, "\(form): \(button) and \(other)")
        }
        // The rule is about what is shown; the sign-out is shown by a click of its own.
        if form.signsIn { #expect(others.isEmpty, "\(form)") }
      }
    }
  }
}
