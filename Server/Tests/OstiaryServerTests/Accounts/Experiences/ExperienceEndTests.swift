import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// Documents in which nothing follows a new password.
@Suite("Bug-G27: drawn account pages that end with a new password", .timeLimit(.minutes(20)))
struct ExperienceEndTests {
  /// The starter, with no screen after the new password.
  private static func document() throws -> Data {
    var members = try #require(JSONValue(json: StarterExperience.document)?.object)
    let flows = try #require(members["flows"]?.array)
    members["flows"] = .array(
      flows.map { flow in
        guard var parts = flow.object, parts["id"] == "reset" else { return flow }
        parts["onSuccess"] = nil
        return .object(parts)
      })
    return try JSONEncoder().encode(JSONValue.object(members))
  }

  @Test("Bug-G27: the server's own page tells that the password was changed, also when the form is sent again")
  func told() async throws {
    let own = try Self.document()
    try await TestServer.runWithAccounts({ $0.accounts?.experience = own }) { server in
      var person = try await PersonAtPage(server.client(), at: "/account/recover")
      try await person.submit(["email": "jane@example.com"], "send")
      let code = try await server.code(for: "jane@example.com")
      let form = person.form(["code": code, "password": "a quite different long password"], "set")
      for _ in 0..<2 {
        let page = try await person.client.post("/account/recover", form: form)
        #expect(page.status == 200 && page.body.contains("data-code=\"password.changed\""), "\(page.body)")
        #expect(page.body.contains("<title>\(FlowIssue(.passwordChanged).text) – "), "\(page.body)")
        #expect(page.body.contains("href=\"/account/login\"") && !page.body.contains("<form"))
      }
      try await person.reload()
      #expect(person.page.body.contains("data-code="), "\(person.page.body)")
    }
  }
}
