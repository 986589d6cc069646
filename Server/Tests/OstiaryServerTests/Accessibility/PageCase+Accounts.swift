import Foundation
import OstiaryCore

@testable import OstiaryServer

extension PageVisitor {
  private static let password = TestServer.janesPassword

  fileprivate func signedIn() async throws -> PageVisitor {
    let name = try await makeUser()
    _ = try await fill("/account/login", "login", [("identifier", name), ("password", Self.password)])
    return self
  }

  /// The page that asks for the code of a new account.
  fileprivate func signingUp() async throws -> Answer {
    try await fill(
      "/account/signup", "signup",
      [("email", "n\(UUID().uuidString.prefix(8))@example.com"), ("display_name", "Nele"), ("password", Self.password)])
  }

  /// The page that asks for a new password.
  fileprivate func recovering() async throws -> Answer {
    let name = try await makeUser()
    let page = try await fill("/account/recover", "send_code", [("email", name)])
    return try await fill(page, "check_code", [("code", try await server.code(for: name))])
  }
}

extension PageCase {
  private static let fine = "another fine long password"

  /// The pages of accounts, and the mailbox.
  static let accounts: [PageCase] = [
    PageCase("account home", .opened, "nobody is signed in") { try await $0.get("/account") },
    PageCase("account home", .done, "signed in") { try await $0.signedIn().get("/account") },
    PageCase("account signed-out", .done) { try await $0.fill($0.signedIn().get("/account"), "logout") },
    PageCase("account expired", .refused) { visitor in
      let forged = ["Sec-Fetch-Site": "cross-site"]
      return try await visitor.fill(visitor.signedIn().get("/account"), "logout", headers: forged)
    },
    PageCase("account login") { try await $0.get("/account/login") },
    PageCase("account login", .refused, "nothing typed", invalid: ["identifier", "password"]) {
      try await $0.fill("/account/login", "login")
    },
    PageCase("account login", .refused, "wrong", kept: ["identifier": "jdoe"]) {
      try await $0.fill("/account/login", "login", [("identifier", "jdoe"), ("password", "wrong")])
    },
    PageCase("account signup") { try await $0.get("/account/signup") },
    PageCase(
      "account signup", .refused, "wrong", invalid: ["email", "password"],
      kept: ["email": "new@", "display_name": "Nele"]
    ) {
      try await $0.fill(
        "/account/signup", "signup", [("email", "new@"), ("display_name", "Nele"), ("password", "")])
    },
    PageCase("account code") { try await $0.signingUp() },
    PageCase("account code", .refused, "wrong", invalid: ["code"]) {
      try await $0.fill($0.signingUp(), "check_code", [("code", "AAAAAAAA")])
    },
    PageCase("account recover") { try await $0.get("/account/recover") },
    PageCase("account recover", .refused, "wrong", invalid: ["email"], kept: ["email": "x"]) {
      try await $0.fill("/account/recover", "send_code", [("email", "x")])
    },
    PageCase("account password") { try await $0.recovering() },
    PageCase("account password", .refused, "nothing typed", invalid: ["new_password"]) {
      try await $0.fill($0.recovering(), "set_password", [("new_password", "")])
    },
    PageCase("account password", .done) {
      try await $0.fill($0.recovering(), "set_password", [("new_password", fine)])
    },
    PageCase("account profile") { try await $0.signedIn().get("/account/profile") },
    PageCase("account profile", .done) {
      try await $0.fill($0.signedIn().get("/account/profile"), "save", [("display_name", "Jane D.")])
    },
    PageCase("account profile", .refused, "nothing typed", invalid: ["current_password", "new_password"]) {
      try await $0.fill($0.signedIn().get("/account/profile"), "change_password")
    },
    PageCase(drawn: "mailbox", .opened, "empty") {
      DevelopmentMailboxRoutes.page([], in: $0.texts)
    },
    PageCase("mailbox", .done) { visitor in
      _ = try await visitor.signingUp()
      await visitor.server.application.settleMail()
      return try await visitor.get(FlowPaths.mailbox)
    },
  ]
}
