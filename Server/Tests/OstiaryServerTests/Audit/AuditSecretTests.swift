import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Audit and secrets", .timeLimit(.minutes(10)))
struct AuditSecretTests {
  @Test("Bug-C16: no password, code, token or secret is in the trail, whatever people type where")
  func planted() async throws {
    let folder = TemporaryFolder()
    let planted = "planted-9f4c2e77-secret"
    var secrets = [planted, SalesforceTester.secret, TestServer.janesPassword]
    try await TestServer.runWithJane({
      $0.storage = .folder(folder.url)
      $0.salesforce?.apps = SalesforceTester.App.allCases.map(\.configuration)
    }) { server in
      let client = server.client()
      // As a password, as a name, as both, and as parts of addresses and headers.
      for (name, password) in [
        ("jdoe", planted), (planted, planted), (planted, "x"), ("jdoe", TestServer.janesPassword),
      ] {
        _ = try await client.get(
          "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration&x=\(planted)",
          headers: Client.basic(name, password).merging(["User-Agent": planted, "Referer": "/\(planted)"]) { $1 })
      }
      secrets += await client.cookies.values
      _ = try await client.get("/prweb/PRServlet?pyActivity=Code-Security.LogOff")
      let tester = SalesforceTester(server: server)
      // The secret in the place of the name of the app, too.
      for id in [SalesforceTester.App.web.key, planted, SalesforceTester.secret] {
        _ = try await server.client().post(
          "/services/oauth2/token",
          form: [
            ("grant_type", "refresh_token"), ("refresh_token", planted), ("client_id", id), ("client_secret", planted),
          ])
      }
      let code = try await tester.code(.rotating, user: "jdoe")
      let tokens = try await tester.redeem(code, .rotating).json
      secrets += [code] + ["access_token", "refresh_token"].compactMap { tokens[$0]?.string }
      for _ in 0..<2 { _ = try await tester.refresh(tokens["refresh_token"]?.string, .rotating) }
      _ = try await tester.redeem(code, .rotating)
      _ = try await tester.redeem(planted, .rotating)
      for token in [planted, tokens["access_token"]?.string ?? ""] {
        _ = try await server.client().post("/services/oauth2/revoke", form: [("token", token)])
      }
      _ = try await server.client().send(
        "POST", "/services/json", headers: ["Content-Type": "application/json"],
        body: #"{"method": "users.confirmCredentials", "APIKEY": "\#(planted)", "sessiontoken": "\#(planted)"}"#)
      _ = try await server.client().send(
        "POST", "/primer/recover", headers: ["Content-Type": "application/json"],
        body: #"{"email": "\#(planted)@example.com", "flow": "\#(planted)", "code": "\#(planted)"}"#)
      for path in ["account/login", "gateway/login"] {
        _ = try await server.client().post("/" + path, form: [("flow", planted), ("token", planted)])
      }
      let storage = server.application.storage
      try await storage.noteCountedRefusals(all: true)
      let rows = try await storage.read { db in
        try db.test.rows("SELECT * FROM audit_events").map { row in
          row.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }
      }
      #expect(rows.count > 20)
      let records = try await AuditEvents(storage).records().map { String(describing: $0) }
      #expect(records.count == rows.count)
      for secret in secrets {
        for line in rows + records {
          #expect(!line.contains(secret) && !line.contains(Data(secret.utf8).base64EncodedString()), "\(line)")
        }
      }
    }
    // What names people have typed is not in any file either, but for the hash of it.
    #expect(try !folder.contents().contains(text: planted))
  }
}
