import Dispatch
import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Metrics of the database", .timeLimit(.minutes(5)))
struct StorageMetricsTests {
  private static func measured(_ storage: ServerStorage) -> PrometheusRegistry {
    let registry = PrometheusRegistry(StorageMetrics.all)
    storage.measure(with: StorageMetrics(registry))
    return registry
  }

  private static func calls(_ registry: PrometheusRegistry, _ kind: String, _ outcome: String) throws -> Double? {
    try PrometheusReading(registry.text).value("ostiary_database_calls_total", ["kind": kind, "outcome": outcome])
  }

  @Test("OP-08: calls of the database are counted by kind and outcome, and their time is measured")
  func outcomes() async throws {
    let storage = try ServerStorage.forTest()
    let registry = Self.measured(storage)
    for _ in 0..<3 { _ = try await storage.read { _ in } }
    try await storage.write { _ in }
    try await storage.writeTogether { _ in }
    try await storage.writeOnce { _ in }
    try await storage.read(within: .seconds(60)) { _ in }
    for error in [ServerError(.userExists, "x"), ServerError(.storageBusy, "x"), ServerError(.storageCorrupt, "x")] {
      await #expect(throws: error) { try await storage.write { (_) -> Void in throw error } }
    }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await storage.read(within: .seconds(60)) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await storage.close()
    await #expect(throws: ServerError(.storageClosed, "")) { try await storage.read { _ in } }
    let wanted: [(kind: String, outcome: String, count: Double)] = [
      ("read", "done", 3.0), ("write", "done", 1), ("shared_write", "done", 1), ("long_write", "done", 1),
      ("long_read", "done", 1), ("write", "refused", 1), ("write", "busy", 1), ("write", "failed", 1),
      ("long_read", "cancelled", 1), ("read", "closed", 1),
    ]
    for (kind, outcome, count) in wanted {
      #expect(try Self.calls(registry, kind, outcome) == count, "\(kind) \(outcome)")
    }
    let reading = try PrometheusReading(registry.text)
    #expect(reading.value("ostiary_database_call_duration_seconds_count", ["kind": "read"]) == 4)
    #expect(reading.value("ostiary_database_call_duration_seconds_count", ["kind": "write"]) == 4)
  }

  @Test("OP-08: each code of the storage is an outcome, and another code is the caller's own")
  func codes() {
    let codes: [(ServerError.Code, StorageOutcome)] = [
      (.workTooLong, .tooLong), (.storageBusy, .busy), (.storageUnavailable, .unavailable),
      (.storageOverloaded, .overloaded), (.storageFull, .full), (.storageClosed, .closed), (.storageDenied, .failed),
      (.storageCorrupt, .failed), (.storageTooNew, .failed), (.storageFailed, .failed), (.userNotFound, .refused),
    ]
    for (code, outcome) in codes { #expect(StorageOutcome(ServerError(code, "")) == outcome, "\(code)") }
  }

  @Test("OP-08: an engine without connections of its own has none in its metrics")
  func noPool() throws {
    let storage = try ServerStorage(inMemory: Migrations.all(of: houseDoors))
    #expect(storage.pool == nil)
  }

  @Test(
    "OP-08: PostgreSQL's connections, the calls that wait for one, and what was run again are told",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func connections() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let files = TemporaryFolder()
    var database = server.database(files)
    database.connections = 2
    let table = StorageMigration(
      "1: numbers", .tables("CREATE TABLE numbers (n INTEGER PRIMARY KEY, m INTEGER NOT NULL) STRICT;"))
    let storage = try ServerStorage(database, migrations: [table], habits: StorageHabits())
    let registry = Self.measured(storage)
    try await storage.write { db in try db.test.execute("INSERT INTO numbers VALUES (1, 0)") }
    let (hasRead, hasWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = Locked(0)
    @Sendable func add(in db: StorageConnection) throws {
      let old = try db.test.first(Int.self, "SELECT m FROM numbers WHERE n = 1") ?? 0
      if runs.withLock({ runs in
        runs += 1
        return runs == 1
      }) {
        hasRead.signal()
        _ = hasWritten.wait(timeout: .now() + 60)
      }
      try db.test.execute("UPDATE numbers SET m = \(old + 1) WHERE n = 1")
    }
    let first = Task { try await storage.write { db in try add(in: db) } }
    #expect(await Task.detached { hasRead.wait(timeout: .now() + 60) == .success }.value)
    #expect(storage.pool?.busy ?? 0 >= 1 && storage.pool?.most == 2 && storage.pool?.waiting == 0)
    // The row changes meanwhile.
    try await storage.write { db in try db.test.execute("UPDATE numbers SET m = m + 10 WHERE n = 1") }
    hasWritten.signal()
    try await first.value
    let sum = try await storage.read { db in try db.test.first(Int.self, "SELECT m FROM numbers") }
    #expect(sum == 11 && runs.withLock { $0 } == 2)
    let reading = try PrometheusReading(registry.text)
    #expect(reading.value("ostiary_database_retries_total", ["kind": "write", "cause": "conflict"]) == 1)
    #expect(reading.value("ostiary_database_retries_total", ["kind": "write", "cause": "connection"]) == nil)
    #expect(try Self.calls(registry, "write", "done") == 3)
    try await storage.close()
    #expect(storage.pool?.busy == 0 && storage.pool?.idle == 0)
  }

  @Test("OP-08: a server tells how full its disk is, and how old the last back-up, if one is known")
  func disk() async throws {
    let folder = TemporaryFolder()
    let (text, later) = try await TestServer.run({
      $0.storage = .folder(folder.url)
      $0.operations = .address(host: "127.0.0.1", port: 0)
    }) { server in
      let watcher = Client(origin: try #require(server.running.operations))
      let text = try await watcher.get("/metrics").body
      let file = folder.url.appending(path: "a.backup")
      let report = try await server.application.configuration.storage.backUp(to: file, replacing: false, keys: nil)
      // The server's clock stands still.
      let age = max(0, server.clock.now.timeIntervalSince(report.madeAt))
      let later = try PrometheusReading(try await watcher.get("/metrics").body)
      let told = try #require(later.value("ostiary_backup_age_seconds"))
      #expect(abs(told - age) < 0.01)
      try await server.application.storage.close()
      return (text, try PrometheusReading(try await watcher.get("/metrics").body))
    }
    #expect(later.value("ostiary_backup_age_seconds")?.isNaN == true)
    let reading = try PrometheusReading(text)
    let free = try #require(reading.value("ostiary_disk_free_bytes"))
    let size = try #require(reading.value("ostiary_disk_size_bytes"))
    #expect(0 < free && free <= size)
    #expect(reading.value("ostiary_backup_age_seconds")?.isNaN == true)
    #expect(reading.value("ostiary_database_calls_total", ["kind": "write", "outcome": "done"]) ?? 0 > 0)
  }
}
