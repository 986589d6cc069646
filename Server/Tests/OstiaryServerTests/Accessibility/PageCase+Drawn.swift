import OstiaryCore
import OstiaryExperiences

@testable import OstiaryServer

extension PageVisitor {
  /// Presses a button of a drawn page.
  fileprivate func press(
    _ action: String, on page: Answer, _ fields: [(String, String)] = []
  ) async throws -> Answer {
    try await fill(page, nil, fields + [(ExperiencePage.actionName, action)])
  }

  /// The same on the page of an address.
  fileprivate func press(
    _ action: String, at target: String, _ fields: [(String, String)] = []
  ) async throws -> Answer {
    try await press(action, on: try await get(target), fields)
  }

  /// The page that asks for the name of a new account.
  fileprivate func naming() async throws -> Answer {
    try await press(
      "continue", at: "/account/signup", [("email", "new@example.com"), ("password", TestServer.janesPassword)])
  }

  fileprivate func forgotten() async throws -> Answer { try await get("/account/recover") }

  /// The page that asks for a mail's code and a new password, and the address that has the mail.
  fileprivate func resetting() async throws -> (page: Answer, address: String) {
    let name = try await makeUser()
    return (try await press("send", on: try await forgotten(), [("email", name)]), name)
  }
}

extension PageCase {
  /// A page that a server draws from a document at its own addresses.
  private static func drawn(
    _ page: String, _ state: State = .opened, _ detail: String = "", invalid: [String] = [],
    kept: [String: String] = [:], open: @escaping @Sendable (PageVisitor) async throws -> Answer
  ) -> PageCase {
    PageCase("drawn \(page)", state, detail, invalid: invalid, kept: kept) { try await open($0.beforeDrawnPages()) }
  }

  private static let tooLong = String(repeating: "x", count: 101)

  /// The account pages of the starter experience, as a server with it has them.
  static let drawnAccounts: [PageCase] = [
    drawn("signup") { try await $0.get("/account/signup") },
    drawn("signup", .refused, "nothing typed", invalid: ["email", "password"]) {
      try await $0.press("continue", at: "/account/signup")
    },
    drawn("signup", .refused, "wrong", invalid: ["email", "password"], kept: ["email": "new@"]) {
      try await $0.press("continue", at: "/account/signup", [("email", "new@")])
    },
    drawn("name") { try await $0.naming() },
    drawn("name", .refused, "too long", invalid: ["name"], kept: ["name": tooLong]) {
      try await $0.press("create", on: $0.naming(), [("name", tooLong)])
    },
    drawn("login") { try await $0.get("/account/login") },
    drawn("login", .refused, "nothing typed", invalid: ["username", "password"]) {
      try await $0.press("log-in", at: "/account/login")
    },
    drawn("login", .refused, "wrong", kept: ["username": "jane@example.com"]) {
      try await $0.press("log-in", at: "/account/login", [("username", "jane@example.com"), ("password", "wrong")])
    },
    drawn("recover") { try await $0.forgotten() },
    drawn("recover", .refused, "wrong", invalid: ["email"], kept: ["email": "x"]) {
      try await $0.press("send", on: $0.forgotten(), [("email", "x")])
    },
    drawn("reset") { try await $0.resetting().page },
    drawn("reset", .refused, "nothing typed", invalid: ["code", "password"]) {
      try await $0.press("set", on: $0.resetting().page)
    },
    drawn("login", .done, "a new password") { visitor in
      let (page, address) = try await visitor.resetting()
      let code = try await visitor.server.code(for: address)
      return try await visitor.press("set", on: page, [("code", code), ("password", "another fine long password")])
    },
  ]
}
