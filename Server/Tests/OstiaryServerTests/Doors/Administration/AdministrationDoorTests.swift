import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("The administrators' door", .timeLimit(.minutes(10)))
struct AdministrationDoorTests {
  private static let path = "/administration/why"

  /// A server whose door is open, behind a proxy on this machine, with Jane and an administrator.
  private static func run(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (TestServer, _ token: String) async throws -> Void
  ) async throws {
    try await TestServer.runWithJane({
      $0.administration = AdministrationOptions()
      $0.trustedProxies = ["127.0.0.1"]
      configure(&$0)
    }) { server in
      let token = try await server.identity.administrators.add("laptop").token.reveal()
      try await body(server, token)
    }
  }

  /// What a proxy that ends TLS sends on.
  private static func headers(
    _ token: String?, from address: String = "198.51.100.7", scheme: String? = "https"
  ) -> [String: String] {
    var headers = ["X-Forwarded-For": address]
    headers["X-Forwarded-Proto"] = scheme
    headers["Authorization"] = token.map { "Bearer \($0)" }
    return headers
  }

  private static func told(_ server: TestServer) async throws -> [AuditRecord] {
    try await server.application.storage.noteCountedRefusals(all: true)
    return try await AuditEvents(server.application.storage).records().filter { $0.place == "GET \(path)" }
  }

  @Test(
    "Bug-C16: an administrator is told a user's events in the words of the server's own command, and the trail says so")
  func answers() async throws {
    try await Self.run { server, token in
      let client = server.client()
      _ = try await client.get(Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword))
      try await server.identity.disableUser(named: "jdoe")
      let answer = try await server.client().get("\(Self.path)?user=JDoe&last=3", headers: Self.headers(token))
      #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
      let events = try #require(answer.json["events"]?.array)
      #expect(
        Set(events.map { $0["kind"]?.string }) == ["session_begun", "session_ended", "account_disabled"])
      let end = try #require(events.first { $0["kind"] == "session_ended" })
      #expect(end["words"] == "signed out because the user was disabled")
      #expect(events.allSatisfy { $0["userName"] == "jdoe" })
      let all = try await server.client().get("\(Self.path)?last=1000", headers: Self.headers(token))
      #expect(all.json["events"]?.array?.count ?? 0 > 3)
      let nobody = try await server.client().get("\(Self.path)?user=nobody", headers: Self.headers(token))
      #expect(nobody.json["events"] == .array([]))
      let jane = try await server.identity.user(named: "jdoe")
      let told = try await Self.told(server)
      #expect(told.map(\.word) == ["trail_read", "trail_read", "trail_read"])
      #expect(told.map(\.clientID) == ["laptop", "laptop", "laptop"])
      #expect(told.map(\.userID) == [jane?.id, nil, nil])
      // That an administrator has looked is no part of a user's story.
      let again = try await server.client().get("\(Self.path)?user=jdoe&last=1000", headers: Self.headers(token))
      #expect(!again.body.contains("trail_read") && !all.body.contains("administrator_"))
    }
  }

  @Test("A number of events that can't be meant is refused", arguments: ["0", "1001", "x", "-1", ""])
  func badNumber(last: String) async throws {
    try await Self.run { server, token in
      let answer = try await server.client().get("\(Self.path)?last=\(last)", headers: Self.headers(token))
      #expect(answer.status == 400 && answer.json["error"] == "invalid_request")
    }
  }

  @Test("The door is closed until it is switched on")
  func closed() async throws {
    try await TestServer.run { server in
      let answer = try await server.client().get(Self.path)
      #expect(answer.status == 404)
      #expect(!server.running.doors.contains { $0 is AdministrationDoor })
    }
  }

  @Test("A token that is missing, wrong, over or removed is refused, and the trail says why")
  func refused() async throws {
    try await Self.run { server, token in
      let client = server.client()
      func status(_ headers: [String: String]) async throws -> Int {
        let answer = try await client.get(Self.path, headers: headers)
        if answer.status == 401 {
          #expect(answer.header("WWW-Authenticate")?.hasPrefix("Bearer ") == true)
          #expect(answer.header("Cache-Control") == "no-store" && answer.json["events"] == nil)
        }
        return answer.status
      }
      #expect(try await status(Self.headers(nil)) == 401)
      for wrong in ["ost_ad_wrong", String(token.dropLast()), token + "x", String(repeating: "x", count: 300)] {
        #expect(try await status(Self.headers(wrong)) == 401)
      }
      var basic = Self.headers(nil)
      basic["Authorization"] = "Basic \(token)"
      #expect(try await status(basic) == 401)
      #expect(try await status(Self.headers(token)) == 200)
      let removed = try await server.identity.administrators.add("phone").token.reveal()
      #expect(try await status(Self.headers(removed)) == 200)
      try await server.identity.administrators.remove("phone")
      #expect(try await status(Self.headers(removed)) == 401)
      server.clock.advance(by: 90 * 86_400 - 1)
      #expect(try await status(Self.headers(token)) == 200)
      server.clock.advance(by: 1)
      let over = try await client.get(Self.path, headers: Self.headers(token))
      #expect(over.status == 401 && over.json["error"] == "expired_token")
      let words = Set(try await Self.told(server).map(\.word))
      #expect(words == ["trail_read", "administrator_refused: unknown", "administrator_refused: expired"])
    }
  }

  @Test("A request that came over plain HTTP from elsewhere is refused before its token is looked at")
  func plainHTTP() async throws {
    try await Self.run { server, token in
      func status(_ scheme: String?, from address: String = "198.51.100.7") async throws -> Int {
        let headers = Self.headers(token, from: address, scheme: scheme)
        let answer = try await server.client().get(Self.path, headers: headers)
        if answer.status == 403 { #expect(answer.json["error"] == "https_required") }
        return answer.status
      }
      #expect(try await status("https") == 200)
      // The public origin is plain HTTP here, so that a proxy that says nothing was asked by it.
      for scheme in ["http", "https, http", "http, https", "", nil] { #expect(try await status(scheme) == 403) }
      #expect(try await Self.told(server).last?.word == "administrator_refused: not_encrypted")
      let own = try await server.client().get(Self.path, headers: ["Authorization": "Bearer \(token)"])
      #expect(own.status == 200)
    }
    try await Self.run({ $0.trustedProxies = [] }) { server, token in
      let headers = ["Authorization": "Bearer \(token)"]
      let own = try await server.client().get(Self.path, headers: headers)
      #expect(own.status == 200)
      // A proxy that is not trusted brings others' requests over loopback, and its word is not taken.
      for (name, value) in [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "127.0.0.1"), ("Forwarded", "for=x")] {
        let passedOn = headers.merging([name: value]) { $1 }
        #expect(try await server.client().get(Self.path, headers: passedOn).status == 403, "\(name)")
      }
    }
    // What a proxy was asked over plain HTTP stays that, though the server itself speaks TLS to the proxy.
    try await Self.run({ $0.tls = .developmentAuthority }) { server, token in
      let door = try #require(server.running.doors.compactMap { $0 as? AdministrationDoor }.first)
      let handler = try #require(door.routes.first?.receivers[.get])
      guard case .whole(let answer) = handler else {
        Issue.record("The route reads a stream.")
        return
      }
      func status(_ scheme: String?, isProxy: Bool) async throws -> Int {
        var headers: HTTPFields = [.authorization: "Bearer \(token)"]
        if let scheme { headers["X-Forwarded-Proto"] = scheme }
        var request = DoorRequest(
          method: .get, path: Self.path, query: .none, headers: headers, body: [], parameters: [:],
          clientAddress: "198.51.100.7", id: "1")
        request.isFromTrustedProxy = isProxy
        return try await answer(request).status.code
      }
      #expect(try await status(nil, isProxy: false) == 200)
      #expect(try await status("http", isProxy: false) == 200)
      #expect(try await status("https", isProxy: true) == 200)
      #expect(try await status("http", isProxy: true) == 403)
    }
  }

  @Test("Bug-C01: wrong tokens are counted in the database: after ten a network waits, and no other does")
  func guesses() async throws {
    try await Self.run { server, token in
      var statuses: [Int] = []
      for number in 0..<14 {
        let answer = try await server.client().get(Self.path, headers: Self.headers("ost_ad_\(number)"))
        statuses.append(answer.status)
        if answer.status == 429 { #expect((answer.header("Retry-After").flatMap { Int($0) } ?? 0) > 0) }
      }
      #expect(statuses == Array(repeating: 401, count: 10) + Array(repeating: 429, count: 4))
      // Not even the right one is looked at, and elsewhere it is.
      #expect(try await server.client().get(Self.path, headers: Self.headers(token)).status == 429)
      let elsewhere = Self.headers(token, from: "203.0.113.9")
      #expect(try await server.client().get(Self.path, headers: elsewhere).status == 200)
      server.clock.advance(by: 6)
      #expect(try await server.client().get(Self.path, headers: Self.headers(token)).status == 200)
      let told = try await Self.told(server)
      #expect(told.filter { $0.word == "administrator_refused: unknown" }.map(\.times).reduce(0, +) == 10)
      #expect(told.filter { $0.word == "administrator_refused: too_many_attempts" }.map(\.times).reduce(0, +) == 5)
    }
  }

  @Test("No token, password or proof is in an answer, in the trail, in the log or in the data")
  func secrets() async throws {
    let folder = TemporaryFolder()
    var answers: [String] = []
    var secrets: [String] = [TestServer.janesPassword]
    try await Self.run({ $0.storage = .folder(folder.url) }) { server, token in
      secrets.append(token)
      let client = server.client()
      _ = try await client.get(Client.loginActivity, headers: Client.basic("jdoe", TestServer.janesPassword))
      _ = try await client.get(Client.loginActivity, headers: Client.basic("planted-in-the-name", "planted-password"))
      secrets += ["planted-in-the-name", "planted-password"] + (await client.cookies.values)
      for headers in [Self.headers(token), Self.headers(token + "x"), Self.headers(token, scheme: "http")] {
        answers.append(try await server.client().get("\(Self.path)?last=1000", headers: headers).body)
      }
      answers += try await AuditEvents(server.application.storage).records().map { String(describing: $0) }
      answers.append(server.logs.text.replacing("planted-in-the-name", with: ""))
      #expect(try !folder.contents().contains(text: token))
      // Keyed: a copy of the database alone does not say whether a token is right.
      let plain = Data(SHA256.hash(data: Data(token.utf8)))
      #expect(try Data(folder.contents()).range(of: plain) == nil)
    }
    #expect(answers.count > 5 && secrets.count > 4)
    for secret in secrets { #expect(!answers.contains { $0.contains(secret) }, "\(secret)") }
  }

  @Test("An administrator's name is taken once, and who is no administrator can't be removed")
  func names() async throws {
    let world = try IdentityWorld()
    let administrators = world.identity.administrators
    try await administrators.add("a", lifetime: .seconds(60))
    await #expect(throws: ServerError(.administratorExists, "")) { try await administrators.add("a") }
    await #expect(throws: ServerError(.administratorNotFound, "")) { try await administrators.remove("b") }
    await #expect(throws: ServerError(.invalidUserName, "")) { try await administrators.add("") }
    #expect(try await administrators.all().map(\.name) == ["a"])
    let made = try #require(try await administrators.all().first)
    #expect(made.expiresAt.timeIntervalSince(made.madeAt) == 60)
    #expect(
      try await AuditEvents(world.storage).words() == ["administrator_made"])
    try await administrators.remove("a")
    #expect(try await AuditEvents(world.storage).words() == ["administrator_made", "administrator_removed"])
  }
}
