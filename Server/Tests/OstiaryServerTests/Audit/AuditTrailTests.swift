import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Audit trail", .timeLimit(.minutes(10)))
struct AuditTrailTests {
  @Test(
    "Bug-C16, OP-01: right, wrong, unknown and disabled are told, each once, with whom, whence and by which request")
  func passwords() async throws {
    let world = try IdentityWorld { $0.loginLimits.freeFailures = 2 }
    let events = AuditEvents(world.storage)
    let ada = try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    let address = try #require(ClientAddress("192.0.2.7"))
    #expect(
      try await events.words {
        _ = await world.identity.verify(
          username: "ADA", password: IdentityWorld.password, address: address, pathway: "form", requestID: "r1")
      } == ["password_accepted"])
    let right = try #require(try await events.records().last)
    #expect(right.userID == ada.id)
    #expect(right.nameMark == nil)
    #expect(right.address == "192.0.2.7")
    #expect(right.place == "form")
    #expect(right.requestID == "r1")
    #expect(right.date == world.clock.now)
    #expect(right.actor == "server")

    #expect(
      try await events.words {
        for password in ["wrong", "wrong again", "a third"] { _ = await world.verify("ada", Secret(password)) }
      } == [
        "password_refused: credential_refused", "password_refused: credential_refused",
        "password_refused: too_many_attempts",
      ])
    #expect(try await events.records().suffix(3).map(\.userID) == [ada.id, ada.id, nil])

    try await world.identity.unlock(userNamed: "ada")
    try await world.identity.disableUser(named: "ada")
    #expect(
      try await events.words {
        _ = await world.verify("ada", IdentityWorld.password)
        _ = await world.verify("nobody", IdentityWorld.password)
        _ = await world.verify("nobody", Secret(String(repeating: "x", count: 5000)))
      } == [
        "password_refused: user_disabled", "password_refused: credential_refused", "password_refused: wrong",
      ])
    let unknown = try await events.records().suffix(2).map(\.nameMark)
    try #require(unknown.count == 2)
    #expect(unknown[0] != nil && unknown[0] == unknown[1])
  }

  @Test("Bug-C16: whether a user may come in is told with the password, and the log does not say accepted")
  func admission() async throws {
    let world = try IdentityWorld()
    let events = AuditEvents(world.storage)
    try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    let words = try await events.words {
      let decision = await world.identity.verify(
        PasswordAttempt(username: "ada", password: IdentityWorld.password, source: .unknown, pathway: "form"),
        admits: { _ in false })
      #expect(decision.user?.name == "ada")
    }
    #expect(words == ["password_accepted", "admission_refused: not_on_the_list"])
    #expect(world.log.records.last?.metadata["result"] == "not admitted")
  }

  @Test("Bug-C16: accounts that are made, changed, disabled, enabled, unlocked, and those that are not made")
  func accounts() async throws {
    let world = try IdentityWorld()
    let events = AuditEvents(world.storage)
    let words = try await events.words {
      try await AuditOrigin.$current.withValue(.command("user")) {
        let ada = try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
        _ = try await world.sessions.begin(for: ada)
        await #expect(throws: ServerError.self) { try await world.identity.addUser(name: "Ada") }
        try await world.identity.disableUser(named: "ada")
        try await world.identity.enableUser(named: "ada")
        try await world.identity.setPassword("another fine long password", forUserNamed: "ada")
        try await world.identity.unlock(userNamed: "ada")
      }
    }
    #expect(
      words == [
        "account_made", "session_begun", "account_refused: already_taken", "account_disabled: administrator",
        "session_ended: user_disabled", "account_enabled: administrator", "password_changed: administrator",
        "account_unlocked: administrator",
      ])
    let records = try await events.records()
    #expect(records.allSatisfy { $0.actor == "command" && $0.place == "user" })
    #expect(Set(records.map(\.userID)).count == 2, "the account that is not made is nobody's")
  }

  @Test("Bug-C16: sessions that begin, and why each ends")
  func sessions() async throws {
    var limits = SessionLimits.standard
    limits.mostPerUser = 2
    let world = try IdentityWorld(limits: limits)
    let events = AuditEvents(world.storage)
    let ada = try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    func begin(_ old: Secret? = nil) async throws -> Secret {
      let id = try await world.sessions.begin(for: ada, replacing: old).id
      world.clock.advance(by: .seconds(1))
      return id
    }
    let ended = try await events.words {
      let first = try await begin()
      let second = try await begin(first)
      #expect(try await world.sessions.end(second))
      #expect(try await !world.sessions.end(second))
    }
    #expect(
      Set(ended) == ["session_begun", "session_ended: signed_in_again", "session_ended: requested_by_app"])
    #expect(
      try await events.words { for _ in 0..<3 { _ = try await begin() } } == [
        "session_begun", "session_begun", "session_begun", "session_ended: too_many_sessions",
      ])
    #expect(try await events.words { try await world.sessions.endAll(forUserID: ada.id) }.count == 2)
    #expect(
      try await events.words {
        _ = try await begin()
        world.clock.advance(by: .seconds(40 * 24 * 3600))
        _ = try await world.sessions.beginGuest()
      } == ["session_begun", "session_ended: expired"])
    // A guest is no user, and nothing is told of one.
    #expect(
      try await events.words {
        let guest = try await world.sessions.beginGuest()
        try await world.sessions.end(guest.id)
      } == [])
    try await world.identity.disableUser(named: "ada")
    let refused = try await events.words {
      await #expect(throws: ServerError.self) { _ = try await world.sessions.begin(for: ada) }
    }
    #expect(refused == ["session_refused: user_changed"])
  }

  @Test("Accepted calls are counted with their session, and not told of one by one")
  func calls() async throws {
    let world = try IdentityWorld()
    let events = AuditEvents(world.storage)
    let ada = try await world.identity.addUser(name: "ada", password: IdentityWorld.password)
    let id = try await world.sessions.begin(for: ada).id
    let words = try await events.words {
      for _ in 0..<10 { #expect(try await world.sessions.find(id) != nil) }
      world.clock.advance(by: .seconds(61))
      #expect(try await world.sessions.find(id) != nil)
      #expect(try await world.sessions.find(id) != nil)
      try await world.sessions.end(id)
    }
    #expect(words == ["session_ended: requested_by_app"])
    // The last one came after the minute's count.
    #expect(try await events.records().last?.calls == 11)
  }

  @Test("Equal refusals of a minute are two rows at most, and none is lost")
  func flood() async throws {
    let world = try IdentityWorld { $0.loginLimits.freeFailures = 1 }
    let events = AuditEvents(world.storage)
    for address in ["192.0.2.1", "192.0.2.2"] { _ = await world.verify("ada", "wrong", from: address) }
    let words = try await events.words {
      for number in 0..<50 { _ = await world.verify("ada", Secret("wrong \(number)"), from: "192.0.2.1") }
      _ = await world.verify("ada", "wrong", from: "192.0.2.2")
      try await world.storage.noteCountedRefusals(all: true)
    }
    #expect(words == Array(repeating: "password_refused: too_many_attempts", count: 3))
    #expect(try await events.records().suffix(3).map(\.times).reduce(0, +) == 51)
  }

  @Test("A request's events have its route, address and id")
  func requests() async throws {
    try await TestServer.runWithJane { server in
      let events = AuditEvents(server.application.storage)
      let answer = try await server.client().get(
        "/prweb/api/v1/authenticate", headers: Client.basic("jdoe", "wrong"))
      #expect(answer.status == 401)
      let record = try #require(try await events.records().last)
      #expect(record.word == "password_refused: credential_refused")
      #expect(record.actor == "request")
      #expect(record.place == "GET /prweb/api/v1/authenticate")
      #expect(record.address == "127.0.0.1")
      #expect(record.requestID?.isEmpty == false)
    }
  }
}
