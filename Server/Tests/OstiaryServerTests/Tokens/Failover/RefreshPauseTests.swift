import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("The replay window while the storage fails", .timeLimit(.minutes(10)))
struct RefreshPauseTests {
  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test("RT-06: a window does not run in a pause, and runs out after it")
  func pauses() {
    let pauses = ReplayPauses([(Self.date(100), Self.date(200)), (Self.date(300), Self.date(310))])
    func isOpen(_ end: Double, at now: Double) -> Bool {
      pauses.isBefore(Self.date(end), window: .seconds(60), at: Self.date(now))
    }
    // One that was over before.
    #expect(isOpen(90, at: 89) && !isOpen(90, at: 90) && !isOpen(90, at: 150))
    #expect(isOpen(150, at: 249) && !isOpen(150, at: 250))
    // It began in the pause.
    #expect(isOpen(220, at: 259) && !isOpen(220, at: 260))
    #expect(isOpen(305, at: 314) && !isOpen(305, at: 315))
    // After both.
    #expect(isOpen(400, at: 399) && !isOpen(400, at: 400))
    // Housekeeping: what ends before is over.
    #expect(pauses.over(at: Self.date(250)) == Self.date(150))
    #expect(pauses.over(at: Self.date(320)) == Self.date(210))
    #expect(pauses.over(at: Self.date(10_000)) == Self.date(10_000))
  }

  @Test("RT-06: an outage begins with the first call that fails and ends with the next that succeeds")
  func outages() async throws {
    let outages = StorageOutages.of(try ServerStorage.forTest())
    func open(_ end: Double, at now: Double) -> Bool {
      outages.pauses(until: Self.date(now)).isBefore(Self.date(end), window: .seconds(60), at: Self.date(now))
    }
    outages.succeeded(at: Self.date(10))
    outages.failed(since: Self.date(5))
    outages.failed(since: Self.date(20))
    // Of the first call that failed the beginning is before a success.
    #expect(open(60, at: 500) && open(69, at: 509))
    outages.succeeded(at: Self.date(510))
    #expect(open(60, at: 559) && !open(60, at: 560))
    #expect(!open(5, at: 100))
  }

  @Test(
    "RT-06: a lost answer comes again after an outage of any length, and the window runs on from there",
    TestDatabase.forSQLite, arguments: [false, true])
  func outage(hasHousekeeping: Bool) async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage(folder: folder.url, busyTimeout: 0.01))
    let first = try await world.family()
    let second = try await world.rotate(first)
    world.clock.advance(by: .seconds(30))
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(60)
    let other = try DatabaseQueue(
      path: folder.url.appendingPathComponent(ServerStorage.fileName).path, configuration: configuration)
    try other.inDatabase { db in try db.execute(sql: "BEGIN IMMEDIATE") }
    await #expect(throws: ServerError.self) { try await world.refresh(first) }
    world.clock.advance(by: .seconds(600))
    await #expect(throws: ServerError.self) { try await world.refresh(first) }
    try other.inDatabase { db in try db.execute(sql: "ROLLBACK") }
    try other.close()
    if hasHousekeeping { for _ in 0..<70 { _ = try await world.issue(refresh: false) } }
    #expect(try await world.refresh(first).tokens?.refreshToken == second)
    world.clock.advance(by: .seconds(29))
    #expect(try await world.refresh(first).tokens?.refreshToken == second)
    world.clock.advance(by: .seconds(1))
    #expect(try await world.refresh(first).refusal == .reused)
    try await world.storage.close()
  }
}
