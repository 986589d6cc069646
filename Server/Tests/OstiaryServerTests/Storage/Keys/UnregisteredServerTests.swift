import Foundation
import GRDB
import Logging
import OstiaryCore
import OstiaryPostgreSQL
import Testing

@testable import OstiaryServer

/// Servers that can't register when they start, as their database takes no writes.
@Suite("Servers that start while their database takes no writes", .timeLimit(.minutes(10)))
struct UnregisteredServerTests {
  /// The name of a server whose row has no room in the pages that the file has.
  private static let name = String(repeating: "n", count: 300_000)

  /// Lets the file not grow any more, for this connection.
  /// - Returns: its pages.
  private static func fill(_ storage: ServerStorage) async throws -> Int {
    try await storage.write { db in
      let pages = try Int.fetchOne(db.sqlite, sql: "PRAGMA page_count") ?? 0
      try db.sqlite.execute(sql: "PRAGMA max_page_count = \(pages)")
      return pages
    }
  }

  private static func makeRoom(_ storage: ServerStorage, _ pages: Int) async throws {
    try await storage.write { db in try db.sqlite.execute(sql: "PRAGMA max_page_count = \(pages + 10_000)") }
  }

  /// Waits for something that a server does by itself, for as long as a slow machine may need.
  private static func wait(_ isDone: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<3000 {
      if try await isDone() { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  @Test("key, OP-06: on a full disk a server reads, and registers when there is room again")
  func full() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    let pages = try await Self.fill(storage)
    let log = LogRecorder()
    let duty = KeyDuty(storage: storage, node: Self.name, version: "1", logger: log.logger)
    try await duty.join()
    #expect(log.records.map(\.level) == [.warning] && log.records.first?.metadata == ["error": "storage_full"])
    // Nothing was committed, and still there is something to do.
    let seen = await duty.pass(nil)
    #expect(seen == Int.min)
    #expect(await duty.pass(seen) == Int.min)
    #expect(try await KeyedNodes.servers(storage).isEmpty)
    try await Self.makeRoom(storage, pages)
    #expect(
      try await Self.wait {
        _ = await duty.pass(Int.min)
        return try await !KeyedNodes.servers(storage).isEmpty
      })
    #expect(log.records.last?.level == .notice)
    #expect(await duty.pass(Int.min) != Int.min)
    await duty.stop()
    #expect(try await KeyedNodes.servers(storage).isEmpty)
    try await storage.close()
  }

  @Test("key, OP-06: a whole server starts on a full disk, answers, and is on the list when there is room again")
  func server() async throws {
    let folder = TemporaryFolder()
    // The doors have what they make once.
    try await TestServer.runWithJane {
      $0.storage = .folder(folder.url)
    } body: { _ in
    }
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.storage = .folder(folder.url)
    configuration.node.name = Self.name
    let application = try OstiaryApplication(configuration, logger: LogRecorder().logger, furtherRoutes: [])
    let pages = try await Self.fill(application.storage)
    do {
      let running = try await application.start()
      #expect(try await Client(origin: running.origin.description).get("/healthz").status == 200)
      #expect(try await application.identity.user(named: "jdoe") != nil)
      #expect(try await KeyedNodes.servers(application.storage).isEmpty)
      try await Self.makeRoom(application.storage, pages)
      #expect(try await Self.wait { try await KeyedNodes.servers(application.storage).count == 1 })
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  @Test("key: in the middle of a change a server that can't register does not start")
  func inTheMiddle() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    _ = try await storage.offerKey(nil)
    let pages = try await Self.fill(storage)
    let duty = KeyDuty(storage: storage, node: Self.name, version: "1", logger: LogRecorder().logger)
    await #expect(throws: ServerError(.storageFull, "")) { try await duty.join() }
    try await Self.makeRoom(storage, pages)
    try await duty.join()
    #expect(try await KeyedNodes.servers(storage) == [Self.name])
    try await storage.close()
  }

  @Test("key: no key is put to use before a server without a row has had the time to read it; then it opens all")
  func notice() async throws {
    let folder = TemporaryFolder()
    let (storage, other) = (try ServerStorage(folder: folder.url), try ServerStorage(folder: folder.url))
    // The other one has room.
    _ = try await Self.fill(storage)
    let duty = KeyDuty(storage: storage, node: Self.name, version: "1", logger: LogRecorder().logger)
    try await duty.join()
    other.keyNotice.withLock { $0 = 1_000_000 }
    let change = KeyChange(other)
    try await change.offer(nil)
    // It does not wait to try again, though it tried a moment ago.
    await #expect(throws: ServerError(.storageFull, "")) { try await duty.turn() }
    #expect(storage.key.content.newest == 2 && storage.key.content.current == 1)
    #expect(try await change.turn().offered?.number == 2)
    other.keyNotice.withLock { $0 = 0 }
    #expect(try await change.turn().current?.number == 2)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let seals = [storage, other].map { PageSeal($0.key, of: "account") }
    for seal in seals {
      let text = seal.seal(.signIn, ["a"], until: now + 60)
      #expect(seals.allSatisfy { $0.open(.signIn, text, at: now) == ["a"] })
    }
    for storage in [storage, other] { try await storage.close() }
  }

  @Test(
    "key, OP-06: a server starts on a standby, believes nothing that it tells, and registers when that takes over",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func standby() async throws {
    let old = try await PostgreSQLServer.start()
    let files = TemporaryFolder()
    try await TestServer.runWithJane {
      $0.storage = .postgreSQL(old.database(files))
    } body: { _ in
    }
    let new = try await old.follow()
    // It has confirmed that it has the user; it shows it a moment later.
    #expect(try await Self.wait { try await new.execute("SELECT count(*) FROM users;").output == "1\n" })
    try await TestServer.run {
      $0.storage = .postgreSQL(new.database(files))
    } body: { server in
      #expect(server.logs.text.contains("takes no writes"))
      await #expect(throws: ServerError.self) { try await server.identity.user(named: "jdoe") }
      try await old.stop()
      try await new.promote()
      #expect(try await Self.wait { try await new.execute("SELECT count(*) FROM key_nodes;").output == "1\n" })
      #expect(try await Self.wait { (try? await server.identity.user(named: "jdoe")) != nil })
    }
    withExtendedLifetime((old, new, files)) {}
  }

  @Test("key: of what a database may refuse, only writes are no reason not to start")
  func refusals() {
    let states = ["25006", "53100", "42501", "28000", "3D000", "57P03", "40001", "XX001", "22003"]
    let passing = states.filter { state in
      ServerError.postgreSQL(PostgreSQLFailure(.refused, state: state, message: "")).isAboutWritesAlone
    }
    #expect(passing == ["25006", "53100"])
    let codes: [ResultCode] = [.SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_CORRUPT]
    #expect(
      codes.map { ServerError.sqlite(DatabaseError(resultCode: $0)).isAboutWritesAlone } == [
        true, true, false, false, false,
      ])
  }
}
