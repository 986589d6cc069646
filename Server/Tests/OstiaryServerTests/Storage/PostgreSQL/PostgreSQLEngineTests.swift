import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// The engine, with a server of its own that the tests stop and start.
@Suite(
  "PostgreSQL as the server's database", .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct PostgreSQLEngineTests {
  private let files = TemporaryFolder()

  private static let numbers = StorageMigration(
    "1: numbers", .tables("CREATE TABLE numbers (n INTEGER PRIMARY KEY, m INTEGER NOT NULL) STRICT;"))
  private static let insert = StorageStatement("INSERT INTO numbers VALUES ($1, $2)")
  private static let sum = StorageStatement("SELECT sum(m) FROM numbers")
  private static let all = StorageStatement("SELECT n FROM numbers ORDER BY n")

  private func open(
    _ server: PostgreSQLServer, connections: Int = 4, pooler: Bool = false
  ) throws -> ServerStorage {
    var database = server.database(files)
    database.connections = connections
    database.isBehindTransactionPooler = pooler
    // Without a recorder: these statements are the suite's own.
    var habits = StorageHabits()
    habits.rehearses = StorageHabits.standard.rehearses
    habits.haveTime()
    return try ServerStorage(database, migrations: [Self.numbers], habits: habits)
  }

  /// Makes a call again that has lost to others so often that it was refused for now, as on a slow machine one may.
  private static func persistently(_ call: () async throws -> Void) async throws {
    try await waitUntil("a call that is not refused") {
      do {
        try await call()
        return true
      } catch let error as ServerError where error.code == .storageBusy {
        return false
      }
    }
  }

  private static func numbers(_ storage: ServerStorage) async throws -> [Int] {
    try await storage.read { db in try db.values(Self.all) }
  }

  @Test("OP-10: transactions that would be wrong together are run one after the other", arguments: [false, true])
  func serializable(pooler: Bool) async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storages = try (0..<3).map { _ in try open(server, connections: 3, pooler: pooler) }
    // Each adds a row with one more than the sum. With less isolation two would see the same sum.
    try await withThrowingTaskGroup { group in
      for number in 0..<60 {
        group.addTask {
          try await Self.persistently {
            try await storages[number % 3].write { db in
              let sum = try db.value(Self.sum) as Int? ?? 0
              try db.run(Self.insert, number, sum + 1)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let sum: Int? = try await storages[0].read { db in try db.value(Self.sum) }
    // 1, 2, 4 …
    #expect(sum.map(Double.init) == pow(2, 60) - 1)
  }

  @Test("OP-10: a body that has gone on after a failed statement commits nothing, and the failure is told")
  func swallowed() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    try await storage.write { db in try db.run(Self.insert, 1, 1) }
    await #expect(throws: ServerError(.storageFailed, "")) {
      try await storage.write { db in
        try db.run(Self.insert, 2, 2)
        _ = try? db.changed(by: Self.insert, 1, 1)
      }
    }
    #expect(try await Self.numbers(storage) == [1])
  }

  @Test("OP-06: a COMMIT whose answer is lost is no success, and its body is not run again")
  func lostCommit() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    // The connection ends while the COMMIT is under way.
    _ = try await server.execute(
      """
      CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER hang_up AFTER INSERT ON numbers DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.n = 7) EXECUTE FUNCTION hang_up();
      """)
    let runs = Locked(0)
    await #expect(throws: ServerError(.storageUnavailable, "")) {
      try await storage.write { db in
        runs.withLock { $0 += 1 }
        try db.run(Self.insert, 7, 7)
      }
    }
    let expected = StorageHabits.standard.rehearses ? 2 : 1
    #expect(runs.withLock { $0 } == expected)
    #expect(try await Self.numbers(storage) == [])
  }

  @Test("OP-06: a COMMIT that was not confirmed by the standby is no success")
  func cancelledStandby() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    _ = try await server.execute(
      "ALTER SYSTEM SET synchronous_standby_names = 'absent'; SELECT pg_reload_conf();")
    // The setting comes into force some time after the command. Until then the writes succeed.
    for number in 1... {
      let result = Locked<Result<Void, any Error>?>(nil)
      let written = Task {
        do {
          try await storage.write { db in try db.run(Self.insert, number, 1) }
          result.withLock { $0 = .success(()) }
        } catch {
          result.withLock { $0 = .failure(error) }
        }
      }
      // As an administrator would who finds it waiting.
      var isCancelled = false
      while result.withLock({ $0 == nil }) {
        let answer = try await server.execute(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';")
        if answer.output.contains("t") { isCancelled = true }
      }
      await written.value
      if case .failure(let error) = result.withLock({ $0 }) {
        #expect(error as? ServerError == ServerError(.storageUnavailable, ""))
        return
      }
      try #require(!isCancelled, "a write that no standby has was confirmed")
    }
  }

  @Test("OP-06: connections that the server has ended are replaced before anybody notices")
  func endedConnections() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    let reads = Locked(0)
    for round in 0..<5 {
      // A body that fails on a dead connection would be run once more.
      _ = try await storage.read { db in
        reads.withLock { $0 += 1 }
        return try db.exists(Self.all)
      }
      try await storage.write { db in try db.run(Self.insert, round, 1) }
      _ = try await server.execute(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend';"
      )
    }
    #expect(reads.withLock { $0 } == 5)
    #expect(try await Self.numbers(storage) == Array(0..<5))
  }

  @Test("OP-06: one that ends between two statements: the body is run again, with another connection")
  func endedWithin() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    let runs = Locked(0)
    try await storage.write { db in
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      try db.run(Self.insert, 1, run)
      if run <= (StorageHabits.standard.rehearses ? 2 : 1) {
        _ = try db.exists(StorageStatement("SELECT pg_terminate_backend(pg_backend_pid())"))
      }
    }
    #expect(try await Self.numbers(storage) == [1])
  }

  @Test("OP-06, OP-07: a server that is stopped is unavailable; when it is there again, so is all that was confirmed")
  func restarted() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    try await storage.write { db in try db.run(Self.insert, 1, 1) }
    try await server.stop()
    for _ in 0..<3 {
      let error = await #expect(throws: ServerError.self) {
        try await storage.write { db in try db.run(Self.insert, 2, 2) }
      }
      #expect(error?.code == .storageUnavailable && error?.retryAfter != nil)
      await #expect(throws: ServerError(.storageUnavailable, "")) { try await Self.numbers(storage) }
    }
    try await server.startAgain()
    // The engine asks again a few times a second.
    var numbers: [Int]?
    try await waitUntil("the database") {
      numbers = try? await Self.numbers(storage)
      return numbers != nil
    }
    #expect(numbers == [1])
    try await storage.write { db in try db.run(Self.insert, 3, 3) }
    #expect(try await Self.numbers(storage) == [1, 3])
  }

  @Test("A query whose caller is cancelled, or whose time is over, ends; the connection goes on")
  func interrupted() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server, connections: 1)
    let long = StorageStatement("SELECT pg_sleep(600)")
    await #expect(throws: ServerError(.workTooLong, "")) {
      try await storage.read(within: .milliseconds(20)) { db in _ = try db.exists(long) }
    }
    let reader = Task { try await storage.read(within: .seconds(600)) { db in _ = try db.exists(long) } }
    try await waitUntil("the statement") {
      try await server.execute(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid();"
      ).output.contains("1")
    }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(try await Self.numbers(storage) == [])
  }

  @Test("OP-06: of a caller that was cancelled before, nothing begins")
  func cancelledBefore() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server, connections: 1)
    let begun = Locked(0)
    for _ in 0..<100 {
      let reader = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await storage.read(within: .seconds(60)) { _ in begun.withLock { $0 += 1 } }
      }
      await #expect(throws: CancellationError.self) { try await reader.value }
    }
    #expect(begun.withLock { $0 } == 0)
  }

  @Test(
    "OP-11: several servers that start at once make the tables once; one that is older than the tables does not start")
  func migrations() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let all = Migrations.all(of: houseDoors)
    let database = server.database(files)
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try await ServerStorage(database, migrations: all).close() }
      }
      try await group.waitForAll()
    }
    #expect(try await server.execute("SELECT count(*) FROM ostiary_migrations;").output == "\(all.count)\n")
    #expect(throws: ServerError(.storageTooNew, "")) { try ServerStorage(database, migrations: Array(all.dropLast())) }
  }

  @Test("OP-11: a server that starts waits while another one makes or moves the tables")
  func migratesAlone() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    /// Waits until another session has, or waits for, such a lock, or the tables are there.
    func wait(_ lock: String) -> String {
      """
      DO $$ BEGIN FOR i IN 1..3000 LOOP
        EXIT WHEN EXISTS (SELECT 1 FROM pg_locks WHERE pid <> pg_backend_pid() AND \(lock))
          OR EXISTS (SELECT 1 FROM pg_class WHERE relname = 'ostiary_migrations');
        PERFORM pg_sleep(0.01);
      END LOOP; END $$;
      """
    }
    async let other = server.execute(
      """
      BEGIN;
      SELECT pg_advisory_xact_lock(7887163221);
      \(wait("NOT granted"))
      SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory');
      COMMIT;
      """)
    _ = try await server.execute(wait("locktype = 'advisory'"))
    try await open(server).close()
    #expect(try await other.output.hasSuffix("\nt\n"))
  }

  @Test("OP-06: a server that can't be reached, or does not let it in, is named in words, without the password")
  func absent() async throws {
    var database = PostgreSQLDatabase("postgres://ostiary@127.0.0.1:1/ostiary", folder: files.url)
    database.password = "a planted & secret/password"
    let error = #expect(throws: ServerError.self) { try ServerStorage(database, migrations: []) }
    #expect(error?.code == .storageUnavailable)
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    database.connection = Secret(server.address.replacing("/postgres?", with: "/absent?"))
    let other = #expect(throws: ServerError.self) { try ServerStorage(database, migrations: []) }
    #expect(other?.isStorageFault == true)
    for error in [error, other] {
      let said = "\(error as Any) \(String(reflecting: error)) \(error?.localizedDescription ?? "")"
      #expect(!said.contains("planted") && !said.contains("%70"))
    }
  }

  @Test("What a text can't contain is refused, and no error quotes a value")
  func values() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let storage = try open(server)
    let ask = StorageStatement("SELECT $1::bigint")
    let error = await #expect(throws: ServerError.self) {
      try await storage.read { db in try db.exists(ask, "planted") }
    }
    let said = "\(error as Any) \(error?.underlying as Any)"
    #expect(!said.contains("planted"))
    // A message of the database's own code may say anything.
    let raise = StorageStatement("DO $$ BEGIN RAISE EXCEPTION 'planted'; END $$")
    let raised = await #expect(throws: ServerError.self) { try await storage.read { db in try db.run(raise) } }
    let saidThen = "\(raised as Any) \(raised?.underlying as Any)"
    #expect(raised?.code == .storageFailed && !saidThen.contains("planted"))
    await #expect(throws: ServerError(.storageFailed, "")) {
      try await storage.read { db in try db.exists(StorageStatement("SELECT $1::text"), "a\u{0}b") }
    }
  }
}
