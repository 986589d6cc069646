import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("What a session proves, and where", .serialized, .timeLimit(.minutes(20)))
struct SessionPurposeTests {
  /// Whose session the Pega door takes a value for.
  private static func pegaUser(_ server: TestServer, _ id: String) async throws -> String? {
    let answer = try await server.client().get(
      Client.loginActivity, headers: ["Cookie": "Pega-RULES=%09%7Bpd%7D\(id)%3D%3DA%7Bapp%7D"])
    return answer.status == 200 ? answer.json["operator"]?.string : nil
  }

  /// Signs in to the account pages.
  private static func account(_ server: TestServer) async throws -> (client: Client, proof: Secret) {
    let client = server.client()
    let form = try #require(GatewayTester.Form(try await client.get("/account/login")))
    try await client.post(
      form.action,
      form: form.fields + [
        ("identifier", "jdoe"), ("password", TestServer.janesPassword), ("action", "login"),
      ])
    return (client, Secret(try #require(await client.cookies["ostiary-account"])))
  }

  /// Gives a session the key that it would have in an earlier version.
  private static func forgetPurpose(_ server: TestServer, _ id: Secret) async throws {
    let storage = server.application.storage
    let earlier = try #require(ServerSessionKey(withoutPurpose: id.reveal()))
    let count = try await storage.write { db in
      let count = try db.test.first(Int.self, "SELECT count(*) FROM sessions")
      try db.test.execute("UPDATE sessions SET id_hash = ?", earlier.data)
      return count
    }
    #expect(count == 1)
    SessionCache.of(storage).removeAll()
  }

  @Test("Bug-C07: nothing that an account's page or cookie has in it, or that follows from them, opens the Pega door")
  func pages() async throws {
    try await TestServer.runWithJane { server in
      let (client, proof) = try await Self.account(server)
      let home = try await client.get("/account")
      let token = try #require(GatewayTester.Form(home)?["token"])
      let sealed = try #require(token.byteParts(at: ".").first?.decodedBase64URL)
      let texts = String(decoding: sealed, as: UTF8.self).byteParts(at: "\u{1F}").map(String.init)
      #expect(texts.count == 2)
      let derived = PageCookies.account(isSecure: false).sessionID(of: proof)
      #expect(!texts.contains(derived.reveal()))
      let page = PageCookies.sessionID(of: proof, for: "ostiary.account.json.").reveal()
      let gateway = GatewayCookies.sessionID(of: proof).reveal()
      for value in texts + [proof.reveal(), derived.reveal(), page, gateway] {
        #expect(try await Self.pegaUser(server, value) == nil)
      }
      // The other way round, and among the others.
      let pega = server.client()
      try await pega.get(Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword))
      let id = try #require(await pega.cookies["Pega-RULES"]).droppingBytes("%09%7Bpd%7D".utf8.count)
        .droppingLastBytes("%3D%3DA%7Bapp%7D".utf8.count)
      #expect(try await Self.pegaUser(server, String(id)) == "jdoe")
      for name in ["ostiary-account", "ostiary-gateway", "ostiary-salesforce"] {
        for value in [String(id), derived.reveal()] {
          let other = server.client()
          await other.setCookie(name, value)
          #expect(try await other.get("/gateway/session", headers: GatewayTester.json).status == 401)
          #expect(try await !other.get("/account").body.contains("Jane"))
        }
      }
      // Signing out works by the page's own form.
      let form = try #require(GatewayTester.Form(home))
      #expect(try await client.post(form.action, form: form.fields).status == 200)
      #expect(
        try await server.client().get("/account", headers: ["Cookie": "ostiary-account=\(proof.reveal())"]).body
          .contains("Jane") == false)
    }
  }

  @Test("Bug-C07: a session of before works on, and from its first use on at the door whose cookie carried it alone")
  func earlierSessions() async throws {
    try await TestServer.runWithJane { server in
      // Of the Pega door.
      let pega = server.client()
      try await pega.get(Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword))
      let id = Secret(
        String(
          try #require(await pega.cookies["Pega-RULES"]).droppingBytes("%09%7Bpd%7D".utf8.count)
            .droppingLastBytes("%3D%3DA%7Bapp%7D".utf8.count)))
      try await Self.forgetPurpose(server, id)
      #expect(try await Self.pegaUser(server, id.reveal()) == "jdoe")
      #expect(try await Self.pegaUser(server, id.reveal()) == "jdoe")
      let other = ServerSessions(storage: server.application.storage, clock: server.clock)
      #expect(try await other.find(id) == nil)
      try await Self.forgetPurpose(server, id)
      try await pega.get("/prweb/PRServlet?pyActivity=pyDeleteWorkObject")
      try await pega.get(Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword))
      #expect(try await Self.pegaUser(server, id.reveal()) == nil)
    }
    try await TestServer.runWithJane { server in
      // Of the account pages.
      let (client, proof) = try await Self.account(server)
      let derived = PageCookies.account(isSecure: false).sessionID(of: proof)
      try await Self.forgetPurpose(server, derived)
      #expect(try await client.get("/account").body.contains("Jane"))
      #expect(try await Self.pegaUser(server, derived.reveal()) == nil)
      #expect(try await client.get("/account").body.contains("Jane"))
      // Ended without having been looked for.
      try await Self.forgetPurpose(server, derived)
      let sessions = ServerSessions(
        storage: server.application.storage, limits: .standard, clock: server.clock, purpose: "account")
      #expect(try await sessions.end(derived))
      #expect(try await !client.get("/account").body.contains("Jane"))
    }
  }

  @Test("Bug-C07: of several doors that are asked at once for a session of before, one gets it")
  func race() async throws {
    let world = try IdentityWorld()
    for _ in 0..<20 {
      let id = try await world.sessions.beginGuest().id
      let earlier = try #require(ServerSessionKey(withoutPurpose: id.reveal()))
      try await world.storage.write { db in
        try db.test.execute("UPDATE sessions SET id_hash = ?", earlier.data)
      }
      let purposes: [StaticString] = ["pega", "account", "gateway", "server"]
      let count = await withTaskGroup(of: Bool.self) { group in
        for purpose in purposes {
          group.addTask {
            let sessions = ServerSessions(
              storage: world.storage, limits: .standard, clock: world.clock, purpose: purpose)
            return (try? await sessions.find(id)) != nil
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(count == 1)
      try await world.storage.write { db in try db.test.execute("DELETE FROM sessions") }
      SessionCache.of(world.storage).removeAll()
    }
  }
}
