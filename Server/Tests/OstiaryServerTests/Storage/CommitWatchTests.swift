import Foundation
import GRDB
import Testing

@testable import OstiaryServer

@Suite("Commit watch")
struct CommitWatchTests {
  @Test("The version changes with every commit of anybody, and with nothing else")
  func versions() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    let file = folder.url.appendingPathComponent(ServerStorage.fileName)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: file.path, configuration: configuration)
    var version = try #require(storage.stamp?.validity)
    for round in 0..<20 {
      if round % 2 == 0 {
        try await storage.write { db in
          try db.sqlite.execute(
            sql: "INSERT INTO guesses VALUES (?, x'00', 0, 0, 0)", arguments: [Data([UInt8(round)])])
        }
      } else {
        try await other.write { db in try db.execute(sql: "DELETE FROM guesses") }
      }
      let next = try #require(storage.stamp?.validity)
      #expect(next != version)
      version = next
      _ = try await storage.read { db in try Int.fetchOne(db.sqlite, sql: "SELECT count(*) FROM guesses") }
      #expect(storage.stamp?.validity == version)
    }
    // Not before it is committed.
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO guesses VALUES (x'00', x'00', 0, 0, 0)")
    }
    #expect(storage.stamp?.validity == version)
    try await other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
    #expect(storage.stamp?.validity != version)
  }

  @Test("A watch that has been closed tells nothing, and may be closed again")
  func closed() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url).close()
    let watch = try CommitWatch(path: folder.url.appendingPathComponent(ServerStorage.fileName).path)
    #expect(watch.version != nil)
    watch.close()
    #expect(watch.version == nil)
    watch.close()
  }

  @Test("A database in memory has one version")
  func memory() async throws {
    let server = try IdentityWorld()
    #expect(server.storage.stamp?.validity == 0)
    try await server.identity.addUser(name: "ada")
    #expect(server.storage.stamp?.validity == 0)
  }
}
