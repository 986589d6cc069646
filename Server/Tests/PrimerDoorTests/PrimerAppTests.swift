import Foundation
import NetworkTestSupport
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

/// The drop-in module `Primer` in an app of its own, against the door.
@Suite("An app with Primer's SDK against the Primer door", .timeLimit(.minutes(20)))
struct PrimerAppTests {
  private static let good = "another fine long passphrase"

  @Test(
    "Primer-P8, Primer-P15, Primer-P24: signs up after a taken address and a weak password, and its events count once")
  func signUp() async throws {
    try await PrimerServer.run { server in
      let app = try AppProcess(server.url)
      var seen = try await app.act("present", "automatic")
      #expect(seen["presented"] == true && seen["screen"] == "account")
      seen = try await app.act("submit", "continue", "email", PrimerServer.address, "password", "weak")
      #expect(seen["screen"] == "account")
      #expect(seen["faults"]?["email"] == "That e-mail address has an account already.")
      #expect(seen["faults"]?["password"] == "Use at least 15 characters.")
      seen = try await app.act("submit", "continue", "email", "new@example.com", "password", Self.good)
      #expect(seen["screen"] == "about" && seen["faults"] == .object([:]))
      // What happened is delivered when there is enough of it; the first answer is lost on its way.
      server.proxy.loseAnswers(1, to: "POST /primer/v1/events")
      seen = try await app.act("submit", "create", "name", "Nina")
      #expect(seen["outcome"] == "signed up")
      let user = try await server.application.identity.user(named: "new@example.com")
      #expect(user?.displayName == "Nina" && user.map { .string($0.id) } == seen["user"])
      #expect(seen["properties"] == .object(["email": "new@example.com", "name": "Nina"]))
      #expect(try await app.act("present", "automatic")["presented"] == false, "somebody is logged in")

      // Two full batches, which wait for nothing else, and a rest that does.
      try await app.act("track", "100")
      try await waitUntil { try await server.events().contains { $0.name == "custom-75" } }
      let events = try await server.events()
      #expect(server.proxy.answersLost == 1 && server.deliveries >= 2)
      #expect(Set(events.map(\.id)).count == events.count)
      for name in ["session_started", "sign_up"] + (0..<76).map({ "custom-\($0)" }) {
        #expect(events.count { $0.name == name } == 1, "\(name)")
      }
      await app.kill()
      let kept = try app.files().map { String(decoding: $0, as: UTF8.self) }
      #expect(!kept.isEmpty && !kept.contains { $0.contains(Self.good) || $0.contains("weak") })
      let told = try await server.application.door(PrimerDoor.self)?.events() ?? []
      #expect(!told.contains { "\($0)".contains(Self.good) })
    }
  }

  @Test(
    "Flow-F1, Flow-F7, Primer-P19: logs in, recovers a lost password with the code from the mail, and logs in again")
  func recover() async throws {
    try await PrimerServer.run { server in
      let app = try AppProcess(server.url)
      let jane = try #require(try await server.application.identity.user(named: "jane")?.id)
      var seen = try await app.act("present", "login")
      #expect(seen["screen"] == "credentials")
      seen = try await app.act("submit", "log-in", "email", PrimerServer.address, "password", "wrong")
      #expect(seen["messages"] == .array(["The name or the password is wrong."]) && seen["user"] == .null)
      seen = try await app.act("submit", "log-in", "password", PrimerServer.password)
      #expect(seen["outcome"] == "logged in" && seen["user"] == .string(jane))
      seen = try await app.act("log-out")
      #expect(seen["user"] == .null && seen["properties"] == .object([:]))

      seen = try await app.act("present", "recover")
      #expect(seen["screen"] == "address")
      seen = try await app.act("submit", "send", "email", PrimerServer.address)
      #expect(seen["screen"] == "code")
      let code = await server.code()
      #expect(code.count == 8)
      let wrong = String(code.reversed()) == code ? "00000000" : String(code.reversed())
      seen = try await app.act("submit", "set", "code", wrong, "password", Self.good)
      #expect(seen["faults"]?["code"] != nil && seen["screen"] == "code")
      seen = try await app.act("submit", "set", "code", code, "password", "weak")
      #expect(seen["faults"] == .object(["password": "Use at least 15 characters."]))
      seen = try await app.act("submit", "set", "code", code, "password", Self.good)
      #expect(seen["screen"] == "credentials")
      seen = try await app.act("submit", "log-in", "email", PrimerServer.address, "password", Self.good)
      #expect(seen["outcome"] == "logged in" && seen["user"] == .string(jane))
      await app.kill()
    }
  }

  @Test(
    "Bug-G14: when the server is gone the app shows what it has kept that is everybody's, and says that it can't go on")
  func offline() async throws {
    try await PrimerServer.run { server in
      let app = try AppProcess(server.url)
      #expect(try await app.act("present", "new")["screen"] == "account")
      try await app.act("dismiss")
      await server.application.stop()
      // Another user by now.
      try await app.act("log-out")
      var seen = try await app.act("present", "new")
      #expect(seen["presented"] == true && seen["screen"] == "account")
      seen = try await app.act("submit", "continue", "email", "new@example.com", "password", Self.good)
      #expect(seen["messages"] == .array(["The backend can't be reached."]) && seen["screen"] == "account")
      await app.kill()
    }
  }
}
