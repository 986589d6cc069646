import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// What the trail hears of guesses and devices that the budget refuses.
@Suite("Audit of guesses", .timeLimit(.minutes(10)))
struct AuditGuessTests {
  private static let stranger = GuessSource(address: ClientAddress("198.51.100.7"))

  /// How many rows tell a word, and how often it happened as they say.
  private struct Told: Equatable {
    let rows: Int
    let times: Int
  }

  private static func told(_ word: String, _ events: AuditEvents) async throws -> Told {
    try await events.storage.noteCountedRefusals(all: true)
    let records = try await events.records().filter { $0.word == word }
    return Told(rows: records.count, times: records.map(\.times).reduce(0, +))
  }

  @Test("Bug-C01, Bug-C16: mailed codes that are not looked at are told, each once, in two rows")
  func mailedCodes() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let events = AuditEvents(world.storage)
    for index in 0..<MailLimits.most {
      let client = FlowWorld.browser("b\(index)")
      let flow = try await world.askForCode(FlowWorld.address, client)
      for _ in 0..<FlowService.mostAttempts {
        _ = try await world.submit(.recover, flow, .checkCode, ["code": "00000000"], client)
      }
    }
    let all = MailLimits.most * FlowService.mostAttempts
    let wrong = try await Self.told("code_refused: wrong", events)
    let waits = try await Self.told("code_refused: too_many_attempts", events)
    #expect(waits.times > 1 && waits.rows == 2)
    #expect(wrong.rows == wrong.times && wrong.times + waits.times == all)
  }

  @Test("Bug-C01, Bug-C16: a browser that asks again, and is mailed nothing, is told of as that")
  func mailedNothing() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    for address in [FlowWorld.address, "nobody@example.com"] {
      let client = FlowWorld.browser(address)
      let words = try await AuditEvents(world.storage).words {
        for _ in 0..<2 { _ = try await world.askForCode(address, client) }
      }
      #expect(words == ["code_asked", "mail_refused: too_many_mails"], "\(address)")
    }
  }

  @Test("Bug-C14, Bug-C16: a client's secrets that are not looked at are told, and a flood of them is two rows")
  func secrets() async throws {
    let world = try await TokenWorld()
    try await world.clients.register(
      ClientRegistration(id: "web", name: "Web", policy: .standard, authentication: .newSecret))
    var waits = 0
    for _ in 0..<50 {
      do {
        _ = try await world.clients.authenticate(id: "web", secret: "wrong", from: Self.stranger)
      } catch {
        #expect(error.code == .overloaded && error.retryAfter != nil)
        waits += 1
      }
    }
    let events = AuditEvents(world.storage)
    #expect(waits > 20)
    #expect(try await Self.told("client_refused: too_many_attempts", events) == Told(rows: 2, times: waits))
    #expect(try await Self.told("client_refused: wrong", events) == Told(rows: 2, times: 50 - waits))
  }

  @Test("Bug-C14, Bug-C16: devices that are refused are told: too many of an address, and no room for more")
  func devices() async throws {
    let world = try await TokenWorld()
    let events = AuditEvents(world.storage)
    for _ in 0..<50 { _ = try? await world.tokens.beginDevice(world.request(), from: Self.stranger) }
    #expect(try await Self.told("device_asked", events) == Told(rows: 20, times: 20))
    #expect(try await Self.told("grant_refused: too_many_attempts", events) == Told(rows: 2, times: 30))

    // The client has half of the room, which is as much as it leaves free.
    let end = world.clock.now.addingTimeInterval(60)
    try await world.storage.write { db in
      try db.test.execute(
        """
        WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9980)
        INSERT INTO device_codes (code_hash, user_code_hash, client_id, request, interval, expires_at, remove_at)
        SELECT CAST('h' || number AS \(TestDatabase.isPostgreSQL ? "BYTEA" : "BLOB")),
          CAST('u' || number AS \(TestDatabase.isPostgreSQL ? "BYTEA" : "BLOB")), 'app', '{}', 5, ?, ? FROM numbers
        """, end, end)
    }
    for _ in 0..<5 { _ = try? await world.tokens.beginDevice(world.request()) }
    #expect(try await Self.told("grant_refused: overloaded", events) == Told(rows: 2, times: 5))
    // Those that have ended make room.
    world.clock.advance(by: .seconds(3600))
    _ = try await world.tokens.beginDevice(world.request())
  }
}
