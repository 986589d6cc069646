import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bodies that run twice")
struct RehearsalTests {
  private static func storage() throws -> ServerStorage {
    var habits = StorageHabits()
    habits.rehearses = true
    return try ServerStorage(inMemory: Migrations.all, habits: habits)
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

  @Test("Bodies never run on the threads of Swift's tasks", arguments: [false, true])
  func threads(inMemory: Bool) async throws {
    let folder = TemporaryFolder()
    let storage = try inMemory ? .inMemory() : ServerStorage(folder: folder.url)
    let isOutside: @Sendable (StorageConnection) throws -> Bool = { _ in withUnsafeCurrentTask { $0 == nil } }
    #expect(try await storage.read(isOutside))
    #expect(try await storage.write(isOutside))
    #expect(try await storage.writeTogether(isOutside))
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
