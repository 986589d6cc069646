import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Looking at a database", .timeLimit(.minutes(5)))
struct DatabaseCheckTests {
  private static func state(_ check: DatabaseCheck, _ part: DatabaseCheck.Part) -> [DatabaseCheck.State] {
    check.findings.filter { $0.part == part }.map(\.state)
  }

  @Test(
    "OP-08: a database in use is good, each table is counted, and nothing is changed",
    arguments: DatabasePlace.Engine.present)
  func good(engine: DatabasePlace.Engine) async throws {
    let source = try await DatabasePlace(engine)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(2)
    let before = try await storage.digests()
    let check = try await source.storage.check(keys: storage.keys)
    #expect(check.isGood, "\(check.findings)")
    #expect(check.age == .equal && check.pending.isEmpty && !check.version.isEmpty)
    #expect(Dictionary(uniqueKeysWithValues: check.tables.map { ($0.name, $0.rows) }) == before.mapValues(\.count))
    #expect(try await storage.digests() == before)
    // The tests' PostgreSQL runs without fsync, which is to be seen.
    #expect(Self.state(check, .settings) == [engine == .sqlite ? .good : .attention])
    if engine == .postgreSQL {
      #expect(check.findings.contains { $0.words.contains("fsync is off") })
    }
    try await storage.close()
  }

  @Test(
    "OP-08: another key, no key, a moved database, older and newer tables are told",
    arguments: DatabasePlace.Engine.present)
  func states(engine: DatabasePlace.Engine) async throws {
    let source = try await DatabasePlace(engine)
    let all = Migrations.all(of: houseDoors)
    let old = try ServerStorage(source.storage, migrations: all.dropLast(), keys: ServerKeySources())
    let keys = old.keys
    try await old.close()
    let older = try await source.storage.check(keys: keys)
    #expect(older.age == .older && older.pending == all.suffix(1).map(\.name) && older.isGood)
    let (before, after) = try await source.storage.migrate(keys: keys)
    #expect(before == all.dropLast().map(\.name) && after == all.map(\.name))
    #expect(try await source.storage.migrate(keys: keys).before == after)

    try FileManager.default.removeItem(at: source.file(ServerKey.fileName))
    let wrong = try await source.storage.check(keys: ServerKeySources(.temporary()))
    #expect(Self.state(wrong, .key) == [.failed] && !wrong.isGood)
    #expect(try await Self.state(source.storage.check(keys: ServerKeySources()), .key) == [.failed])
    #expect(!FileManager.default.fileExists(atPath: source.file(ServerKey.fileName).path))
    #expect(try await source.storage.check(keys: keys).isGood)

    let table = engine == .sqlite ? "grdb_migrations (identifier)" : "ostiary_migrations (name, applied_at)"
    try await source.execute("INSERT INTO \(table) VALUES (\(engine == .sqlite ? "'999: x'" : "'999: x', 0"));")
    let newer = try await source.storage.check(keys: keys)
    #expect(newer.age == .newer && Self.state(newer, .migrations) == [.failed] && !newer.isGood)
    await #expect(throws: ServerError(.storageTooNew, "")) { try await source.storage.migrate(keys: keys) }
    await #expect(throws: ServerError(.storageTooNew, "")) {
      try await source.storage.backUp(to: source.file("a.backup"), replacing: false, keys: nil)
    }
  }

  @Test("A moved database says where its data is")
  func moved() async throws {
    let (source, target) = (try await DatabasePlace(.sqlite), try await DatabasePlace(.sqlite))
    let storage = try ServerStorage(source.storage)
    let other = try ServerStorage(target.storage, keys: storage.keys)
    _ = try await StorageCopy.move(from: storage, to: other, movedTo: "the other place")
    let check = try await source.storage.check(keys: storage.keys)
    #expect(!check.isGood && check.findings.map(\.part) == [.use])
    #expect(check.findings.first?.words.contains("the other place") == true)
    await #expect(throws: ServerError(.storageMoved, "")) {
      try await source.storage.backUp(to: source.file("a.backup"), replacing: false, keys: nil)
    }
    await #expect(throws: ServerError(.storageMoved, "")) { try await source.storage.migrate(keys: storage.keys) }
  }

  @Test("OP-08: rows that refer to nothing, and a damaged file, are found")
  func damaged() async throws {
    let source = try await DatabasePlace(.sqlite)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(2)
    let keys = storage.keys
    try await storage.close()
    try await source.execute("PRAGMA foreign_keys = OFF; DELETE FROM users WHERE name = 'ada';")
    let check = try await source.storage.check(keys: keys)
    #expect(Self.state(check, .references).contains(.failed) && !check.isGood)
    // A page in the middle of the file.
    let file = source.file(ServerStorage.fileName)
    var bytes = try Data(contentsOf: file)
    let middle = bytes.count / 2 / 4096 * 4096
    bytes.replaceSubrange(middle..<(middle + 4096), with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: file)
    do {
      let broken = try await source.storage.check(keys: keys)
      #expect(!broken.isGood && Self.state(broken, .integrity).contains(.failed), "\(broken.findings)")
    } catch let error as ServerError {
      // The page had the schema, without which nothing can be read.
      #expect(error.code == .storageCorrupt)
    }
  }

  @Test(
    "OP-08: an index of PostgreSQL that is not valid is found",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func invalidIndex() async throws {
    let source = try await DatabasePlace(.postgreSQL)
    let storage = try ServerStorage(source.storage)
    // As a CREATE INDEX CONCURRENTLY leaves it that has failed.
    try await source.execute(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = (SELECT min(indexrelid) FROM pg_index WHERE indrelid = 'users'::regclass);"
    )
    let check = try await source.storage.check(keys: storage.keys)
    #expect(Self.state(check, .integrity) == [.failed] && !check.isGood)
    try await storage.close()
  }
}
