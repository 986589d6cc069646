import BrowserTestSupport
import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Real double clicks in Chromium on every form of the starter experience: one outcome each, none of them empty.
@Suite(
  "Bug-G02: double clicks on forms of the starter experience, in Chromium", .timeLimit(.minutes(30)),
  .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
struct ExperienceDoubleClickTests {
  private static let rounds = 0..<Rounds.count(5, full: 100)
  private static let password = TestServer.janesPassword

  enum Form: String, CaseIterable, Sendable {
    case logIn = "log-in"
    case account = "continue"
    case create, send, set, back, again
  }

  /// Goes to the page with a form, and fills it in.
  private static func prepare(
    _ form: Form, _ server: TestServer, _ chromium: Chromium, _ address: String
  ) async throws {
    func fill(_ fields: KeyValuePairs<String, String>) async throws {
      for (name, value) in fields { try await chromium.fill(name, with: value) }
    }
    switch form {
    case .logIn:
      try await chromium.open(server.origin + "/account/login")
      try await fill(["username": address, "password": password])
    case .account, .create, .back:
      try await chromium.open(server.origin + "/account/signup")
      try await fill(["email": "new-" + address, "password": password])
      guard form != .account else { return }
      try await chromium.click("[value=continue]")
      if form == .create { try await fill(["name": "Nele"]) }
    case .send, .set, .again:
      try await chromium.open(server.origin + "/account/recover")
      try await fill(["email": address])
      guard form != .send else { return }
      try await chromium.click("[value=send]")
      guard form == .set else { return }
      let code = try await server.code(for: address)
      try await fill(["code": code, "password": "another fine long password"])
    }
  }

  /// What the page has to have after a form.
  private static func sign(of form: Form) -> String {
    switch form {
    case .logIn: "#user"
    case .account: "[value=create]"
    case .create: "#check_code"
    case .send: "[value=set]"
    case .set: "[data-code=\"password.changed\"]"
    case .again: "[value=send]"
    case .back: "[value=continue]"
    }
  }

  @Test("Bug-G02: a double click has the outcome of one click", arguments: Form.allCases)
  func doubleClick(form: Form) async throws {
    let chromium = try await Chromium()
    try await TestServer.run({
      $0.accounts?.offersSignUp = true
      $0.accounts?.experience = StarterExperience.document
    }) { server in
      for round in Self.rounds {
        server.clock.advance(by: 3601)
        try await chromium.forgetCookies()
        let address = "p\(round)@example.com"
        try await server.identity.addUser(
          name: "p\(round)", displayName: "Jane", email: address, password: Secret(Self.password))
        try await Self.prepare(form, server, chromium, address)
        let begun = try await server.events(.sessionBegun)
        try await chromium.doubleClick("[value=\"\(form.rawValue)\"]", isSlow: round % 2 == 1)
        let isThere = try await !chromium.all(Self.sign(of: form), "tagName").isEmpty
        let text = try await chromium.texts("main")
        #expect(isThere, "round \(round): \(text)")
        #expect(try await server.events(.sessionBegun) - begun == (form == .logIn ? 1 : 0), "round \(round)")
        if form == .create || form == .send {
          let mailed = form == .create ? "new-" + address : address
          #expect(await server.mails(to: mailed).count == 1, "round \(round)")
        }
      }
    }
    await chromium.close()
  }
}
