import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Timelines of the database", .timeLimit(.minutes(10)))
struct TimelineTests {
  private static let moment = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("OP-07: a restored back-up begins a timeline, which is told once, with the interval that may be lost")
  func restored() async throws {
    let storage = try ServerStorage.forTest()
    #expect(try await storage.timeline?.number == 1)
    let log = LogRecorder()
    try await storage.tellTimelines(log.logger, at: Self.moment)
    #expect(log.records.isEmpty)

    let clock = TestClock()
    try await storage.beginTimeline(survivedUntil: clock.now.addingTimeInterval(-90), at: clock.now)
    let newest = try #require(try await storage.timeline)
    #expect(newest.number == 2 && newest.beginning == .restored && newest.beganAt == clock.now)
    for _ in 0..<2 { try await storage.tellTimelines(log.logger, at: clock.now) }
    let records = try await AuditEvents(storage).records()
    #expect(records.map(\.word) == ["timeline_ended: restored", "timeline_begun: restored"])
    #expect(records.map(\.date) == [clock.now.addingTimeInterval(-90), clock.now])
    #expect(log.records.count == 1)
    #expect(log.records.first?.metadata["lost_after"] == "2027-01-15T07:58:30Z")
    #expect(log.records.first?.metadata["lost_before"] == "2027-01-15T08:00:00Z")

    guard case .degraded(let cause) = await Durability.state(of: storage, clock) else {
      Issue.record("nothing is told")
      return
    }
    #expect(
      cause.contains(
        "A back-up was restored: changes that were confirmed between 2027-01-15T07:58:30Z and 2027-01-15T08:00:00Z may be lost."
      ))
    let later = clock.now.addingTimeInterval(24 * 3600)
    #expect(Durability.lost(newest, later) == nil)

    // Where the last commit that has survived is unknown, the newest event is one.
    clock.advance(by: .seconds(100))
    try await storage.beginTimeline(survivedUntil: nil, at: clock.now)
    try await storage.tellTimelines(log.logger, at: clock.now)
    #expect(try await storage.timeline?.survivedUntil == clock.now.addingTimeInterval(-100))
    #expect(
      try await AuditEvents(storage).records().map(\.date).suffix(2) == [
        clock.now.addingTimeInterval(-100), clock.now,
      ])
  }

  @Test("OP-06: a database without a synchronous standby, and one that does not write through, are named")
  func settings() {
    var settings = Durability.Settings()
    #expect(settings.notes == [])
    settings.waitsForStandby = false
    // Without standbys there is no failover.
    #expect(settings.notes == [])
    settings.standbys = 1
    #expect(settings.notes.count == 1 && settings.notes[0].contains("synchronous_standby_names"))
    settings.writesThrough = false
    #expect(settings.notes.count == 2 && settings.notes[0].contains("fsync=off"))
  }

  @Test(
    "OP-07: a connection is looked at once, and behind a transaction pooler each transaction that writes",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), arguments: [false, true])
  func pooled(pooler: Bool) async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let files = TemporaryFolder()
    var database = server.database(files)
    database.connections = 1
    database.isBehindTransactionPooler = pooler
    let storage = try ServerStorage(.postgreSQL(database))
    for _ in 0..<2 { try await storage.write { db in _ = try Timeline.newest(in: db) } }
    #expect(try await storage.timeline?.number == 1)
    // As if the transactions before had been on the timeline before.
    try await storage.write { db in try db.test.execute("UPDATE timelines SET timeline = timeline - 1") }
    for _ in 0..<2 { try await storage.write { db in _ = try Timeline.newest(in: db) } }
    #expect(try await storage.timeline?.number == (pooler ? 2 : 1))
    try await storage.close()
    let other = try ServerStorage(.postgreSQL(database))
    try await other.write { db in _ = try Timeline.newest(in: db) }
    #expect(try await other.timeline?.number == 2)
    try await other.close()
  }

  @Test(
    "RT-06, OP-07: a PostgreSQL that has failed over and lost the last commits signs no client out, and names the interval",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"), arguments: [false, true])
  func failover(pooler: Bool) async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let files = TemporaryFolder()
    var database = server.database(files)
    database.connections = 2
    database.isBehindTransactionPooler = pooler
    let storage = try ServerStorage(.postgreSQL(database))
    let clock = TestClock()
    var world = try await TokenWorld(storage: storage, clock: clock)
    let (first, other) = (try await world.family(), try await world.family())
    try await server.save()
    let second = try await world.rotate(first)
    let third = try await world.rotate(try await world.rotate(other))
    #expect(try await storage.timeline?.number == 1)
    try await server.failOver()

    // The same server goes on, with new connections.
    let next = try await world.rotate(second)
    let newest = try #require(try await storage.timeline)
    #expect(newest.number == 2 && newest.beginning == .failover && newest.beganAt != nil)
    #expect(try await world.refresh(third).refusal == .reused)
    let log = LogRecorder()
    try await storage.tellTimelines(log.logger, at: clock.now)
    #expect(log.records.first?.metadata["cause"] == "failover")
    let words = try await AuditEvents(storage).words()
    #expect(words.filter { $0 == "refresh_recovered" }.count == 1)
    #expect(words.filter { $0 == "timeline_begun: failover" }.count == 1)
    guard case .degraded(let cause) = await Durability.state(of: storage, .system) else {
      Issue.record("nothing is told")
      return
    }
    #expect(cause.contains("fsync=off") && cause.contains("Another database server has taken over"))

    // A start of the same database is no new timeline.
    try await storage.close()
    let again = try ServerStorage(.postgreSQL(database))
    world = try await TokenWorld(storage: again, clock: clock)
    _ = try await world.rotate(next)
    #expect(try await again.timeline?.number == 2)
    try await again.close()
  }
}
