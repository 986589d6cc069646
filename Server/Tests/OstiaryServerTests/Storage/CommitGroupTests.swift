import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Writes that share a commit", .timeLimit(.minutes(20)))
struct CommitGroupTests {
  private struct Refused: Error {}

  private static func open(_ folder: TemporaryFolder) async throws -> ServerStorage {
    let storage = try ServerStorage(folder: folder.url)
    try await storage.write { db in try db.sqlite.execute(sql: "CREATE TABLE numbers (n INTEGER PRIMARY KEY)") }
    return storage
  }

  private static func numbers(_ storage: ServerStorage) async throws -> [Int] {
    try await storage.read { db in try Int.fetchAll(db.sqlite, sql: "SELECT n FROM numbers ORDER BY n") }
  }

  @Test("Each hears of its own success or failure, and a failure undoes its own work alone")
  func independence() async throws {
    let folder = TemporaryFolder()
    let storage = try await Self.open(folder)
    let results = await withTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<300 {
        group.addTask {
          do {
            let returned = try await storage.writeTogether { db in
              try db.sqlite.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number])
              if number % 3 == 0 { throw Refused() }
              // One caller's mistake with the database.
              if number % 3 == 1 { try db.sqlite.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number]) }
              return number
            }
            return (number, returned == number)
          } catch {
            return (number, false)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for number in 0..<300 { #expect(results[number] == (number % 3 == 2)) }
    #expect(try await Self.numbers(storage) == (0..<300).filter { $0 % 3 == 2 })
    try await storage.close()
    await #expect(throws: ServerError(.storageClosed, "")) { try await storage.writeTogether { _ in } }
  }

  @Test("What has been confirmed is in the file, for others to read")
  func durability() async throws {
    let folder = TemporaryFolder()
    let storage = try await Self.open(folder)
    let other = try ServerStorage(folder: folder.url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await storage.writeTogether { db in
            try db.sqlite.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number])
          }
          let isThere = try await other.read { db in
            try Bool.fetchOne(db.sqlite, sql: "SELECT 1 FROM numbers WHERE n = ?", arguments: [number])
          }
          #expect(isThere == true)
        }
      }
      try await group.waitForAll()
    }
    try await storage.close()
    try await other.close()
  }

  @Test("A transaction that is over for all fails for all, and the next goes on")
  func rollback() async throws {
    let folder = TemporaryFolder()
    let storage = try await Self.open(folder)
    let failed = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            try await storage.writeTogether { db in
              try db.sqlite.execute(sql: "INSERT INTO numbers VALUES (?)", arguments: [number])
              // As a full disk does.
              if number % 20 == 7 {
                try db.sqlite.execute(sql: "INSERT OR ROLLBACK INTO numbers VALUES (?)", arguments: [number])
              }
            }
            return false
          } catch {
            return true
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(failed >= 3)
    #expect(try await Self.numbers(storage).count == 60 - failed)
    try await storage.writeTogether { db in try db.sqlite.execute(sql: "INSERT INTO numbers VALUES (1000)") }
    #expect(try await Self.numbers(storage).last == 1000)
    try await storage.close()
  }
}
