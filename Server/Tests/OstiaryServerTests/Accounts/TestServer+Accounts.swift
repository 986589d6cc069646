import BrowserTestSupport
import Foundation
import OstiaryCore

@testable import OstiaryServer

extension TestServer {
  /// As ``run(_:furtherRoutes:body:)``, where people make themselves accounts, and Jane Doe, who has an address, has one.
  static func runWithAccounts<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, user name: String = "jdoe",
    displayName: String = "Jane Doe", email: String = "jane@example.com", body: (TestServer) async throws -> Value
  ) async throws -> Value {
    try await run({
      $0.accounts?.offersSignUp = true
      configure(&$0)
    }) { server in
      // The data may be those of a server before.
      if try await server.identity.user(named: name) == nil {
        try await server.identity.addUser(
          name: name, displayName: displayName, email: email, password: Secret(janesPassword))
      }
      return try await body(server)
    }
  }

  /// The same, with a browser before it.
  static func showAccounts(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, user name: String = "jdoe",
    displayName: String = "Jane Doe", email: String = "jane@example.com", runsScripts: Bool = true,
    body: (TestServer, Chromium, PageInspector) async throws -> Void
  ) async throws {
    let chromium = try await Chromium(runsScripts: runsScripts)
    try await runWithAccounts(configure, user: name, displayName: displayName, email: email) { server in
      try await body(server, chromium, PageInspector(chromium: chromium))
    }
    await chromium.close()
  }

  /// The mails to an address, once those that wait have been sent.
  func mails(to address: String) async -> [MailMessage] {
    await application.settleMail()
    return application.insecureDevelopmentMailbox?.messages(to: address) ?? []
  }

  struct NoCode: Error { let mails: [MailMessage] }

  /// The code in the last mail to an address.
  func code(for address: String) async throws -> String {
    let mails = await mails(to: address)
    guard let code = mails.last?.code else { throw NoCode(mails: mails) }
    return code
  }
}
