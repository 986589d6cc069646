import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bodies that run twice")
struct RehearsalTests {
  private static func storage() throws -> ServerStorage {
    var habits = StorageHabits()
    habits.rehearses = true
    return try ServerStorage(inMemory: Migrations.all(of: houseDoors), habits: habits)
  }

  @Test(
    "A rehearsing storage runs each body that writes twice, and keeps what the second run has done",
    arguments: [false, true])
  func twice(together: Bool) async throws {
    let storage = try Self.storage()
    let runs = Locked(0)
    let body: @Sendable (StorageConnection) throws -> Int = { db in
      let run = runs.withLock { count in
        count += 1
        return count
      }
      try db.run(NewzuluStatements.sql.addKey, "key \(run)")
      return run
    }
    let returned = together ? try await storage.writeTogether(body) : try await storage.write(body)
    #expect(returned == 2)
    let keys: [String] = try await storage.read { db in try db.values(NewzuluStatements.sql.key) }
    #expect(keys == ["key 2"])
  }

  @Test("A body that throws leaves nothing behind, whichever run it was", arguments: [1, 2])
  func throwing(failing: Int) async throws {
    struct Failure: Error {}
    let storage = try Self.storage()
    let runs = Locked(0)
    let result = await Result {
      try await storage.write { db in
        let run = runs.withLock { count in
          count += 1
          return count
        }
        try db.run(NewzuluStatements.sql.addKey, "key \(run)")
        if run == failing { throw Failure() }
      }
    }
    let keys: [String] = try await storage.read { db in try db.values(NewzuluStatements.sql.key) }
    // Only the second run counts.
    #expect(keys == (failing == 1 ? ["key 2"] : []))
    #expect((try? result.get()) == nil ? failing == 2 : failing == 1)
  }

  /// How a body is run.
  enum Call: CaseIterable {
    case read, write, writeTogether
  }

  @Test(
    "Bodies that wait keep no task of Swift's from running", .timeLimit(.minutes(5)), arguments: Call.allCases)
  func threads(call: Call) async throws {
    // More than there are threads for tasks.
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let storages = try (0..<count).map { _ in try ServerStorage.inMemory() }
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let body: @Sendable (StorageConnection) throws -> Void = { _ in
      beginning.yield()
      _ = gate.wait(timeout: .now() + 60)
    }
    try await withThrowingTaskGroup { group in
      for storage in storages {
        group.addTask {
          switch call {
          case .read: try await storage.read(body)
          case .write: try await storage.write(body)
          case .writeTogether: try await storage.writeTogether(body)
          }
        }
      }
      // This task goes on while all bodies wait.
      var rest = count
      for await _ in begun {
        rest -= 1
        if rest == 0 { break }
      }
      // Twice, for those that are rehearsed.
      for _ in 0..<2 * count { gate.signal() }
      try await group.waitForAll()
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
