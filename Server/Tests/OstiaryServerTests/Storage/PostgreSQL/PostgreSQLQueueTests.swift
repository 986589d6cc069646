import Dispatch
import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import Testing

@testable import OstiaryServer

/// Statements without an answer leave with the next one that has an answer, or with the COMMIT: what goes wrong with them, and when
/// that is told.
@Suite(
  "Statements that PostgreSQL gets later",
  .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"),
  .timeLimit(.minutes(5)))
struct PostgreSQLQueueTests {
  private let files = TemporaryFolder()

  private static let table = StorageMigration(
    "1: numbers", .tables("CREATE TABLE numbers (n INTEGER PRIMARY KEY, m INTEGER NOT NULL) STRICT;"))
  private static let insert = StorageStatement("INSERT INTO numbers VALUES ($1, $2)")
  private static let add = StorageStatement("UPDATE numbers SET m = m + 1 WHERE n = $1")
  private static let find = StorageStatement("SELECT m FROM numbers WHERE n = $1")
  private static let all = StorageStatement("SELECT n * 1000 + m FROM numbers ORDER BY n")
  private static let process = StorageStatement("SELECT pg_backend_pid()")
  private static let endOwn = StorageStatement("SELECT pg_terminate_backend(pg_backend_pid())")

  /// Runs of a body, and how far they came.
  private final class Runs: Sendable {
    private let state = Locked<(runs: Int, steps: [String])>((0, []))

    var count: Int { state.withLock { $0.runs } }
    var steps: [String] { state.withLock { $0.steps } }

    /// - Returns: whether it is the first.
    func begin() -> Bool {
      state.withLock { state in
        state.runs += 1
        return state.runs == 1
      }
    }

    func reach(_ step: String) { state.withLock { $0.steps.append(step) } }
  }

  private func open(_ server: PostgreSQLServer) throws -> ServerStorage {
    // Each body runs once, unless something is in its way.
    var habits = StorageHabits()
    habits.haveTime()
    return try ServerStorage(server.database(files), migrations: [Self.table], habits: habits)
  }

  private static func rows(_ storage: ServerStorage) async throws -> [Int] {
    try await storage.read { db in try db.values(all) }
  }

  /// Runs a statement as another program.
  private static func elsewhere(_ address: String, _ statement: String) throws {
    try PostgreSQLSession(Secret(address)).run(script: statement)
  }

  @Test(
    "OP-10: a unique key that another has committed: the next answer tells, and the body finds the row when it runs again"
  )
  func uniqueAtAnswer() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, address, runs) = (try open(server), server.address, Runs())
    try await storage.write { db -> Void in
      let isFirst = runs.begin()
      let known: Int? = try db.value(Self.find, 1)
      guard known == nil else { return try db.run(Self.add, 1) }
      if isFirst { try Self.elsewhere(address, "INSERT INTO numbers VALUES (1, 10)") }
      try db.run(Self.insert, 1, 1)
      runs.reach("queued")
      _ = try db.exists(Self.all)
      runs.reach("answered")
    }
    #expect(runs.count == 2 && runs.steps == ["queued"])
    #expect(try await Self.rows(storage) == [1011])
    try await storage.close()
  }

  @Test("OP-10: the same with the COMMIT, where no statement has an answer before it")
  func uniqueAtCommit() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, address, runs) = (try open(server), server.address, Runs())
    try await storage.write { db -> Void in
      let isFirst = runs.begin()
      let known: Int? = try db.value(Self.find, 1)
      guard known == nil else { return try db.run(Self.add, 1) }
      if isFirst { try Self.elsewhere(address, "INSERT INTO numbers VALUES (1, 10)") }
      for number in 1...3 { try db.run(Self.insert, number, 1) }
    }
    // The second and third of the first run are not there either.
    #expect(runs.count == 2)
    #expect(try await Self.rows(storage) == [1011])
    try await storage.close()
  }

  @Test(
    "OP-10: a row that another has changed meanwhile: the COMMIT tells, and the body runs again with what is there now")
  func conflict() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, address, runs) = (try open(server), server.address, Runs())
    try await storage.write { db in try db.run(Self.insert, 1, 1) }
    let sum = try await storage.write { db in
      let isFirst = runs.begin()
      let known: Int = try db.value(Self.find, 1) ?? 0
      if isFirst { try Self.elsewhere(address, "UPDATE numbers SET m = 100") }
      try db.run(Self.insert, 2, known)
      try db.run(Self.add, 1)
      return known
    }
    #expect(runs.count == 2 && sum == 100)
    #expect(try await Self.rows(storage) == [1101, 2100])
    try await storage.close()
  }

  @Test(
    "OP-10: two that wait for each other, one of them with its COMMIT: one is ended and runs again, and both are done")
  func deadlock() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, runs) = (try open(server), [Runs(), Runs()])
    try await storage.write { db in
      for number in 0...1 { try db.run(Self.insert, number, 0) }
    }
    let reached = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for own in 0...1 {
        group.addTask {
          try await storage.writeEnd { db in
            let isFirst = runs[own].begin()
            #expect(try db.changed(by: Self.add, own) == 1)
            if isFirst {
              reached[own].signal()
              // This thread is the engine's own.
              _ = reached[1 - own].wait(timeout: .now() + 60)
            }
            try db.run(Self.add, 1 - own)
          }
        }
      }
      try await group.waitForAll()
    }
    // The one that was ended may have its row again before the other is awake, and they wait for each other once more.
    #expect(runs.map(\.count).reduce(0, +) > 2)
    #expect(try await Self.rows(storage) == [2, 1002])
    try await storage.close()
  }

  @Test("OP-10: a failed statement is told to a body that has not asked; going on after it commits nothing")
  func swallowed() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, runs) = (try open(server), Runs())
    try await storage.write { db in try db.run(Self.insert, 1, 1) }
    await #expect(throws: ServerError(.storageFailed, "")) {
      try await storage.write { db in
        _ = runs.begin()
        try db.run(Self.insert, 1, 1)
        try db.run(Self.insert, 2, 2)
        _ = try? db.exists(Self.all)
        // What comes later does not reach the server, and is told so.
        if (try? db.run(Self.insert, 3, 3)) == nil { runs.reach("refused") }
        if (try? db.exists(Self.all)) == nil { runs.reach("refused") }
      }
    }
    #expect(runs.steps == Array(repeating: "refused", count: 2 * runs.count))
    #expect(try await Self.rows(storage) == [1001])
    try await storage.close()
  }

  @Test(
    "OP-06: a connection that is cut before the COMMIT leaves, at any step: the body runs again, and all is done once")
  func cut() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, address) = (try open(server), server.address)
    for step in 0..<5 {
      let runs = Runs()
      let (one, two) = (2 * step, 2 * step + 1)
      try await storage.write { db in
        let isFirst = runs.begin()
        let process: Int = try db.value(Self.process) ?? 0
        func pass(_ number: Int) throws {
          guard isFirst, number == step else { return }
          try Self.elsewhere(address, "SELECT pg_terminate_backend(\(process), 60000)")
        }
        try pass(0)
        try db.run(Self.insert, one, 1)
        try pass(1)
        #expect(try db.changed(by: Self.add, one) == 1)
        try pass(2)
        try db.run(Self.insert, two, 2)
        try pass(3)
        try db.run(Self.add, two)
        try pass(4)
      }
      #expect(runs.count == 2, "step \(step)")
      #expect(try await Self.rows(storage).suffix(2) == [one * 1000 + 2, two * 1000 + 3], "step \(step)")
    }
    #expect(try await Self.rows(storage).count == 10)
    try await storage.close()
  }

  @Test(
    "OP-06: a connection that breaks at a statement with which the COMMIT has left: the outcome is unknown, nothing runs again"
  )
  func doubt() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, runs) = (try open(server), Runs())
    await #expect(throws: ServerError(.storageUnavailable, "")) {
      try await storage.write { db in
        _ = runs.begin()
        try db.run(Self.insert, 1, 1)
        try db.run(Self.endOwn)
      }
    }
    #expect(runs.count == 1)
    #expect(try await Self.rows(storage) == [])
    try await storage.close()
  }

  @Test("OP-06: what a read has found stands, though the connection broke before its end")
  func readStands() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (storage, address, runs) = (try open(server), server.address, Runs())
    try await storage.write { db in try db.run(Self.insert, 1, 1) }
    let found = try await storage.read { db -> [Int] in
      _ = runs.begin()
      let process: Int = try db.value(Self.process) ?? 0
      let found: [Int] = try db.values(Self.all)
      try Self.elsewhere(address, "SELECT pg_terminate_backend(\(process), 60000)")
      return found
    }
    #expect(found == [1001] && runs.count == 1)
    #expect(try await Self.rows(storage) == [1001])
    // A write has no place in a read, and is told so at its end.
    await #expect(throws: ServerError(.storageDenied, "")) {
      try await storage.read { db in try db.run(Self.add, 1) }
    }
    try await storage.close()
  }
}
