import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Server storage")
struct ServerStorageTests {
  @Test("The folder and its files are their owner's alone")
  func modes() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url.appendingPathComponent("a/b")))
    try await server.identity.addUser(name: "ada")
    let inner = folder.url.appendingPathComponent("a/b")
    #expect(try folder.mode(of: "a/b") == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: inner.path).sorted()
    #expect(
      files == ["ostiary.key", "ostiary.key.lock", "ostiary.sqlite", "ostiary.sqlite-shm", "ostiary.sqlite-wal"])
    for file in files { #expect(try folder.mode(of: "a/b/" + file) == 0o600) }
  }

  @Test("A file others could read is taken from them")
  func tightened() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url).close()
    let file = folder.url.appendingPathComponent(ServerStorage.fileName)
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o644)], ofItemAtPath: file.path)
    _ = try ServerStorage(folder: folder.url)
    #expect(try folder.mode(of: ServerStorage.fileName) == 0o600)
  }

  @Test("A folder others may write to is refused, and so are a file in its place and a link in the database's")
  func refused() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o777)], ofItemAtPath: folder.url.path)
    #expect(throws: ServerError(.storageDenied, "")) { try ServerStorage(folder: folder.url) }
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o700)], ofItemAtPath: folder.url.path)
    let link = folder.url.appendingPathComponent(ServerStorage.fileName)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/dev/null")
    #expect(throws: ServerError(.storageDenied, "")) { try ServerStorage(folder: folder.url) }
    #expect(throws: ServerError(.storageDenied, "")) { try ServerStorage(folder: link) }
  }

  @Test(
    "Bug-C17: a key that others may read is refused, with what to do about it", arguments: [0o644, 0o640, 0o604, 0o660])
  func exposedKey(mode: Int) async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url).close()
    let key = folder.url.appendingPathComponent("ostiary.key").path
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: mode)], ofItemAtPath: key)
    do {
      _ = try ServerStorage(folder: folder.url)
      Issue.record("The storage was opened.")
    } catch {
      #expect(error.code == .storageDenied)
      #expect(error.message.contains("key"))
      #expect(error.advice.contains("chmod 600"))
    }
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: key)
    try await ServerStorage(folder: folder.url).close()
  }

  @Test("The database is in write-ahead mode with full synchronisation, foreign keys and secure deletion")
  func pragmas() async throws {
    let folder = TemporaryFolder()
    // With a server's habits, not those of the tests.
    let storage = try ServerStorage(
      folder: folder.url, migrations: Migrations.all(of: houseDoors), habits: StorageHabits())
    let values = try await storage.write { db in
      try ["journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout"].map {
        try String.fetchOne(db.sqlite, sql: "PRAGMA \($0)")
      }
    }
    #expect(values == ["wal", "2", "1", "1", "5000"])
  }

  @Test("What was confirmed is there after a restart")
  func restart() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let user = try #require(await server.verify("ada", IdentityWorld.password).user)
    let issued = try await server.sessions.begin(for: user, attributes: ["door": "pega"])
    try await server.storage.close()
    let again = try IdentityWorld(storage: ServerStorage(folder: folder.url), clock: server.clock)
    let found = try await again.sessions.find(issued.id)
    #expect(found?.user == user && found?.attributes == ["door": "pega"])
  }

  @Test("A file that is no database, or a damaged one, is an error that says so, and is left as it is")
  func corrupt() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
    for index in 0..<50 { try await server.identity.addUser(name: "user \(index)") }
    try await server.storage.close()
    let file = folder.url.appendingPathComponent(ServerStorage.fileName)
    let good = try Data(contentsOf: file)
    let garbage = Data(repeating: 0x41, count: 4096)
    for bad in [garbage, garbage + good.dropFirst(4096), good.prefix(100) + garbage] {
      try bad.write(to: file)
      let error = await #expect(throws: ServerError.self) {
        let storage = try ServerStorage(folder: folder.url)
        try await storage.close()
      }
      #expect(error?.code == .storageCorrupt)
      #expect(error?.isStorageFault == true)
      #expect(error?.errorDescription?.contains("damaged") == true)
      #expect(try Data(contentsOf: file) == bad)
    }
  }

  @Test(
    "A file cut at any page opens, or says that it is damaged", arguments: [50, 100, 512, 4095, 4096, 8192, 20_000])
  func cut(length: Int) async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
    for index in 0..<50 { try await server.identity.addUser(name: "user \(index)") }
    try await server.storage.close()
    let file = folder.url.appendingPathComponent(ServerStorage.fileName)
    try Data(contentsOf: file).prefix(length).write(to: file)
    do {
      let storage = try ServerStorage(folder: folder.url)
      let again = try IdentityWorld(storage: storage)
      _ = try await again.identity.users()
      Issue.record("A cut file was taken for a whole one.")
    } catch let error as ServerError {
      #expect(error.isStorageFault)
    }
  }

  @Test("A database of a newer Ostiary is refused")
  func newer() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    try await storage.write { db in
      try db.sqlite.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: the future')")
    }
    try await storage.close()
    #expect(throws: ServerError(.storageTooNew, "")) { try ServerStorage(folder: folder.url) }
  }

  @Test("With a full disk logins are unavailable, never refused; sessions are found, and later all is well")
  func fullDisk() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let user = try #require(await server.verify("ada", IdentityWorld.password).user)
    let issued = try await server.sessions.begin(for: user)
    let pages = try await server.storage.write { db in
      let pages = try Int.fetchOne(db.sqlite, sql: "PRAGMA page_count") ?? 0
      try db.sqlite.execute(sql: "PRAGMA max_page_count = \(pages)")
      return pages
    }
    var full: ServerError?
    for _ in 0..<500 where full == nil {
      do {
        _ = try await server.sessions.beginGuest(attributes: ["x": .string(String(repeating: "x", count: 3000))])
      } catch {
        full = error
      }
    }
    #expect(full?.code == .storageFull)
    #expect(full?.retryAfter != nil)
    server.clock.advance(by: .seconds(120))
    #expect(try await server.sessions.find(issued.id)?.user == user)

    try await server.storage.write { db in try db.sqlite.execute(sql: "PRAGMA max_page_count = \(pages + 10_000)") }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
    #expect(try await server.sessions.find(issued.id)?.user == user)
  }

  @Test("A login that can't be counted is unavailable, and costs no hash")
  func uncountable() async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    _ = server.takeHashes()
    try await server.storage.write { db in
      try db.sqlite.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON guesses BEGIN SELECT raise(ABORT, 'no'); END")
    }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "unavailable storage_failed")
    #expect(server.takeHashes().isEmpty)
  }

  @Test("A database that another program keeps locked is unavailable", .timeLimit(.minutes(20)))
  func locked() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url, busyTimeout: 0.05))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(
      path: folder.url.appendingPathComponent(ServerStorage.fileName).path, configuration: configuration)
    try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "unavailable storage_busy")
    try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "accepted")
  }

  @Test("A read-only file is denied")
  func readOnly() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    try await server.storage.write { db in try db.sqlite.execute(sql: "PRAGMA query_only = 1") }
    #expect(await server.verify("ada", IdentityWorld.password).summary == "unavailable storage_denied")
    #expect(try await server.identity.user(named: "ada") != nil)
  }

  @Test("A closed storage is unavailable, whatever is asked, and does not trap", arguments: [true, false])
  func closed(inMemory: Bool) async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: inMemory ? .inMemory() : ServerStorage(folder: folder.url))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let user = try #require(await server.verify("ada", IdentityWorld.password).user)
    let issued = try await server.sessions.begin(for: user)
    #expect(try await server.sessions.find(issued.id) != nil)
    try await server.storage.close()
    #expect(await server.verify("ada", IdentityWorld.password).summary == "unavailable storage_closed")
    await #expect(throws: ServerError(.storageClosed, "")) { try await server.sessions.find(issued.id) }
    await #expect(throws: ServerError(.storageClosed, "")) { try await server.sessions.beginGuest() }
    await #expect(throws: ServerError(.storageClosed, "")) { try await server.sessions.end(issued.id) }
    await #expect(throws: ServerError(.storageClosed, "")) { try await server.identity.users() }
  }

  @Test("Cancelling the caller is no fault of the storage")
  func cancelled() async throws {
    let server = try IdentityWorld()
    let task = Task { try await server.sessions.beginGuest() }
    task.cancel()
    let issued = try await task.value
    let lookup = Task { try await server.sessions.find(issued.id) }
    lookup.cancel()
    #expect(try await lookup.value != nil)
  }

  @Test("Two processes may open a new folder at once")
  func openedTwice() async throws {
    let folder = TemporaryFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          let server = try IdentityWorld(storage: ServerStorage(folder: folder.url))
          try await server.identity.addUser(name: "user \(index)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await IdentityWorld(storage: ServerStorage(folder: folder.url)).identity.users().count == 6)
  }
}
