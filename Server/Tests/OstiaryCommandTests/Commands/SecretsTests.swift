import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

@Suite("Invariant 12: secrets are never printed", .timeLimit(.minutes(20)))
struct SecretsTests {
  @Test(
    "A password and cookies are in no output and no file, for the session's own is sealed",
    arguments: ["basic", "query", "form"])
  func nowhere(method: String) async throws {
    let sandbox = try Sandbox()
    let plant = "planted-password-7313"
    try await PegaServer.run { server in
      try await server.application.identity.addUser(name: "eve", password: Secret(plant))
      let login =
        ["login", "pega", "--server", server.url, "--user", "eve", "--method", method, "--password-stdin", "-v"]
      var outcomes = [
        await sandbox.run(login, input: plant + "x"), await sandbox.run(login, input: plant),
        await sandbox.run(["status", "-v"]), await sandbox.run(["status", "--json"]),
        await sandbox.run(["request", server.cases, "-i", "-v"]),
        await sandbox.run(["request", server.cases, "--json"]),
        await sandbox.run(["request", server.url + "/PRServlet", "-i", "-v"]),
      ]
      let store = try sandbox.folders.sessions
      let account = try #require(try await store.accounts().first)
      guard case .present(let session) = await store.load(account) else {
        Issue.record("There is no stored session.")
        return
      }
      let cookie = try #require(Self.cookieValue(in: session))
      try await server.application.dropSessions(ofUserNamed: "eve")
      outcomes.append(await sandbox.run(["request", server.cases, "-v", "--password-stdin"], input: plant))
      outcomes.append(await sandbox.run(["why", "--json"]))
      outcomes.append(await sandbox.run(["why"]))
      outcomes.append(await sandbox.run(["logout", "-v"]))
      #expect(outcomes.map(\.status) == [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
      let base64 = Data(plant.utf8).base64EncodedString()
      for secret in [plant, base64, cookie] {
        for outcome in outcomes {
          #expect(!outcome.output.contains(secret))
          #expect(!outcome.error.contains(secret))
        }
        for (name, data) in try sandbox.contents() {
          #expect(data.range(of: Data(secret.utf8)) == nil, "\(name) has a secret")
        }
      }
    }
  }

  /// The longest string in a stored session: the value of Pega's cookie.
  private static func cookieValue(in session: Data) -> String? {
    String(decoding: session, as: UTF8.self).split(separator: "\"").map(String.init)
      .filter { $0.contains("%09%7Bpd%7D") }.max { $0.count < $1.count }
  }
}
