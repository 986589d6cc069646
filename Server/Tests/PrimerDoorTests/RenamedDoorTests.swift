import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

/// An app whose Info.plist alone tells where the server is and what it calls things.
@Suite("An app against a Primer door with other names", .timeLimit(.minutes(20)))
struct RenamedDoorTests {
  private static func withServer(_ body: (PrimerServer, _ information: [String: Any]) async throws -> Void) async throws
  {
    try await PrimerServer.run { door in
      door.experiencePath = "/api/welcome"
      door.eventsPath = "/api/happened"
      door.tokenField = "X-App"
    } body: { server in
      try await body(
        server,
        [
          "PrimerToken": PrimerServer.token, "PrimerServer": try server.url.absoluteString,
          "PrimerExperiencePath": "api/welcome", "PrimerEventsPath": "api/happened", "PrimerTokenField": "X-App",
        ])
    }
  }

  @Test("Bug-D02 Primer: an app configured by a file alone shows an experience, signs up and delivers its events")
  func lives() async throws {
    try await Self.withServer { server, information in
      let app = try await AppProcess(information: information, backend: try server.url)
      var seen = try await app.act("present", "automatic")
      #expect(seen["presented"] == true && seen["screen"] == "account")
      seen = try await app.act(
        "submit", "continue", "email", "new@example.com", "password", "another fine long passphrase")
      #expect(seen["screen"] == "about")
      seen = try await app.act("submit", "create", "name", "Nina")
      #expect(seen["outcome"] == "signed up")
      try await app.act("track", "100")
      try await waitUntil { try await server.events().contains { $0.name == "custom-75" } }
      await app.kill()
    }
  }

  @Test(
    "Bug-D02 Primer: with one name that is not the server's no experience is shown",
    arguments: [
      ("PrimerExperiencePath", "v1/experience"), ("PrimerTokenField", "X-Primer-Token"), ("PrimerToken", "b"),
    ])
  func misfit(key: String, value: String) async throws {
    try await Self.withServer { server, information in
      let app = try await AppProcess(information: information.merging([key: value]) { $1 }, backend: try server.url)
      #expect(try await app.act("present", "automatic")["presented"] != true)
      await app.kill()
    }
  }
}
