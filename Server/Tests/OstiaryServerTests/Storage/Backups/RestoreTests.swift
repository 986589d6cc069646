import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Restoring a back-up, and what is left of it when it is ended", .timeLimit(.minutes(5)))
struct RestoreTests {
  /// A database with users, and a back-up of it.
  private static func made() async throws -> (source: DatabasePlace, file: URL, storage: ServerStorage) {
    let source = try await DatabasePlace(.sqlite)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(3)
    let file = source.file("a.backup")
    _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    return (source, file, storage)
  }

  @Test(
    "OP-07: a target that was not filled to its end is opened by no server, and filled by the next restore",
    arguments: DatabasePlace.Engine.present)
  func halfWay(engine: DatabasePlace.Engine) async throws {
    let (source, file, storage) = try await Self.made()
    // Its folder, with the file, goes with it.
    defer { withExtendedLifetime(source) {} }
    let target = try await DatabasePlace(engine)
    try await Self.begin(target)
    // Something that would be in the way.
    try await target.execute(
      engine == .sqlite
        ? "CREATE TRIGGER broken BEFORE INSERT ON grants BEGIN SELECT RAISE(ABORT, 'full'); END;"
        : "ALTER TABLE grants ADD CONSTRAINT broken CHECK (id IS NULL);")
    let error = #expect(throws: ServerError.self) { try ServerStorage(target.storage, keys: storage.keys) }
    #expect(error?.code == .storageIncomplete && error?.advice.contains("restore") == true)
    #expect(error?.isStorageFault == true && error?.retryAfter != nil)
    await #expect(throws: ServerError(.storageIncomplete, "")) {
      try await target.storage.backUp(to: target.file("b.backup"), replacing: false, keys: nil)
    }
    let check = try await target.storage.check(keys: storage.keys)
    #expect(!check.isGood && check.findings.contains { $0.part == .use && $0.state == .failed })
    // What was begun goes, with its tables.
    _ = try await target.storage.restore(file, keys: storage.keys)
    let new = try ServerStorage(target.storage, keys: storage.keys)
    #expect(try await new.content() == storage.content())
    try await new.close()
  }

  @Test("OP-07: a restore that fails leaves the target out of use", arguments: DatabasePlace.Engine.present)
  func failing(engine: DatabasePlace.Engine) async throws {
    let (source, _, storage) = try await Self.made()
    // A row whose user is not there, which is found when it comes.
    try await source.execute("PRAGMA foreign_keys = OFF; UPDATE grants SET user_id = 'none';")
    let file = source.file("b.backup")
    _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    let target = try await DatabasePlace(engine)
    await #expect(throws: ServerError(.storageFailed, "")) {
      try await target.storage.restore(file, keys: storage.keys)
    }
    #expect(throws: ServerError(.storageIncomplete, "")) { try ServerStorage(target.storage, keys: storage.keys) }
  }

  /// Leaves a target as a restore does that is killed before it has filled it.
  private static func begin(_ target: DatabasePlace) async throws {
    let migrations = Migrations.all(of: houseDoors)
    let storage = try ServerStorage(
      target.place, migrations: migrations, opening: RestoreOpening(id: "x", isFirst: true, migrations: migrations))
    try await storage.close()
  }

  @Test("A restore that another one has taken the place of ends nothing", arguments: DatabasePlace.Engine.present)
  func twice(engine: DatabasePlace.Engine) async throws {
    let target = try await DatabasePlace(engine)
    try await Self.begin(target)
    let migrations = Migrations.all(of: houseDoors)
    let second = try ServerStorage(
      target.place, migrations: migrations, opening: RestoreOpening(id: "y", isFirst: true, migrations: migrations))
    await #expect(throws: ServerError(.storageFailed, "")) { try await second.writeOnce { try $0.endRestore("x") } }
    #expect(throws: ServerError(.storageFailed, "")) {
      try ServerStorage(
        target.place, migrations: migrations, opening: RestoreOpening(id: "x", isFirst: false, migrations: migrations))
    }
    try await second.writeOnce { try $0.endRestore("y") }
    try await second.close()
    try await ServerStorage(target.storage).close()
  }

  @Test(
    "A target with users is refused and stays as it is; one that was never used is taken",
    arguments: DatabasePlace.Engine.present)
  func occupied(engine: DatabasePlace.Engine) async throws {
    let (source, file, storage) = try await Self.made()
    // Its folder, with the file, goes with it.
    defer { withExtendedLifetime(source) {} }
    let target = try await DatabasePlace(engine)
    let old = try ServerStorage(target.storage, keys: storage.keys)
    try await IdentityWorld(storage: old).identity.addUser(name: "already")
    try await old.close()
    let error = await #expect(throws: ServerError.self) {
      try await target.storage.restore(file, keys: storage.keys)
    }
    #expect(error?.code == .storageDenied && error?.message.contains("users") == true)
    let kept = try ServerStorage(target.storage, keys: storage.keys)
    #expect(try await IdentityWorld(storage: kept).identity.users().map(\.name) == ["already"])
    try await kept.close()
    let empty = try await DatabasePlace(engine)
    _ = try await empty.storage.migrate(keys: storage.keys)
    _ = try await empty.storage.restore(file, keys: storage.keys)
    let new = try ServerStorage(empty.storage, keys: storage.keys)
    #expect(try await new.content() == storage.content())
    try await new.close()
  }

  @Test(
    "OP-07: a database that a server of PostgreSQL's was on a moment ago is refused",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func served() async throws {
    let (source, file, storage) = try await Self.made()
    defer { withExtendedLifetime(source) {} }
    let target = try await DatabasePlace(.postgreSQL)
    _ = try await target.storage.migrate(keys: storage.keys)
    try await target.execute(
      """
      INSERT INTO nodes (id, version, since, seen_at)
        VALUES ('a', '1', 0, extract(epoch FROM clock_timestamp()));
      """)
    await #expect(throws: ServerError(.storageDenied, "")) {
      try await target.storage.restore(file, keys: storage.keys)
    }
    try await target.execute("UPDATE nodes SET seen_at = seen_at - 60;")
    _ = try await target.storage.restore(file, keys: storage.keys)
  }

  @Test("OP-07: a folder that a server uses is refused, also without users, and the server goes on")
  func servedFolder() async throws {
    let (source, file, storage) = try await Self.made()
    defer { withExtendedLifetime(source) {} }
    let target = try await DatabasePlace(.sqlite)
    let running = try ServerStorage(target.storage, keys: storage.keys)
    let error = await #expect(throws: ServerError.self) {
      try await target.storage.restore(file, keys: storage.keys)
    }
    #expect(error?.code == .storageDenied && error?.message.contains("uses the target") == true)
    try await IdentityWorld(storage: running).identity.addUser(name: "later")
    #expect(try await IdentityWorld(storage: running).identity.users().map(\.name) == ["later"])
    try await running.close()
    // It is still the server's.
    let again = try ServerStorage(target.storage, keys: storage.keys)
    #expect(try await IdentityWorld(storage: again).identity.users().map(\.name) == ["later"])
    try await again.close()
  }

  @Test("OP-07: a target whose file is no database is told so, and stays as it is")
  func noDatabase() async throws {
    let (source, file, storage) = try await Self.made()
    defer { withExtendedLifetime(source) {} }
    let target = try await DatabasePlace(.sqlite)
    let place = target.file(ServerStorage.fileName)
    let content = Data(repeating: 0x41, count: 8192)
    try content.write(to: place)
    await #expect(throws: ServerError(.storageCorrupt, "")) {
      try await target.storage.restore(file, keys: storage.keys)
    }
    #expect(try Data(contentsOf: place) == content)
  }

  @Test("OP-10: a file that is cut off or changed is refused before anything is made")
  func damaged() async throws {
    let (source, file, storage) = try await Self.made()
    // Its folder, with the file, goes with it.
    defer { withExtendedLifetime(source) {} }
    let whole = try Data(contentsOf: file)
    var changed = whole
    changed[whole.count / 2] ^= 1
    for data in [whole.dropLast(), changed, Data()] {
      let target = try await DatabasePlace(.sqlite)
      let bad = target.file("bad.backup")
      try data.write(to: bad)
      await #expect(throws: ServerError(.backupRefused, "")) {
        try await target.storage.restore(bad, keys: storage.keys)
      }
      #expect(!FileManager.default.fileExists(atPath: target.file(ServerStorage.fileName).path))
    }
    let target = try await DatabasePlace(.sqlite)
    await #expect(throws: ServerError(.backupRefused, "")) {
      try await target.storage.restore(target.file("none.backup"), keys: storage.keys)
    }
    await #expect(throws: ServerError(.backupRefused, "")) {
      try await target.storage.restore(target.folder.url, keys: storage.keys)
    }
  }

  @Test("A back-up of a newer server is refused, with what to do")
  func newer() async throws {
    let target = try await DatabasePlace(.sqlite)
    let file = target.file("a.backup")
    try SmallBackup().file.write(to: file)
    let error = await #expect(throws: ServerError.self) {
      try await target.storage.restore(file, keys: ServerKeySources())
    }
    #expect(error?.code == .storageTooNew && error?.advice.contains("Update") == true)
  }
}
