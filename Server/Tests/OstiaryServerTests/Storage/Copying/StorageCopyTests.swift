import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Moving a database's content to another", .timeLimit(.minutes(5)))
struct StorageCopyTests {
  /// The tables of a storage, with their rows.
  private static func digests(_ storage: ServerStorage) async throws -> [String: TableDigest] {
    let tables = try TableShape.all(of: Migrations.all(of: houseDoors))
    return try await storage.read { db in
      Dictionary(uniqueKeysWithValues: try tables.map { ($0.name, try db.digest(of: $0)) })
    }
  }

  private static func nextIDs(_ storage: ServerStorage) async throws -> [String: Int64] {
    let tables = try TableShape.all(of: Migrations.all(of: houseDoors))
    return try await storage.read { db in
      Dictionary(
        uniqueKeysWithValues: try tables.compactMap { table in try db.nextID(of: table).map { (table.name, $0) } })
    }
  }

  /// A folder with users, sessions and tokens, and a refresh token.
  private static func filled(_ folder: URL) async throws -> (ServerStorage, Secret, TestClock) {
    let storage = try ServerStorage(folder: folder)
    let world = try await TokenWorld(storage: storage)
    var token: Secret?
    for _ in 0..<20 { token = try await world.family() }
    let server = try IdentityWorld(storage: storage, clock: world.clock)
    try await server.identity.addUser(
      name: "ad\u{e9}le", displayName: "Ad\u{e9}le \u{1f600}", password: IdentityWorld.password)
    _ = try await server.sessions.beginGuest()
    return (storage, try #require(token), world.clock)
  }

  @Test("OP-10: every table and every row, the ids too; the source is out of use, and says where its content is")
  func folders() async throws {
    let (from, to) = (TemporaryFolder(), TemporaryFolder())
    let (source, token, clock) = try await Self.filled(from.url)
    // The newest event is gone: its id is not given to another.
    try await source.write { db in
      try db.execute(script: "DELETE FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)")
    }
    let before = (try await Self.digests(source), try await Self.nextIDs(source))
    let target = try ServerStorage(.folder(to.url), keys: source.keys)
    try source.storeKey(in: to.url)
    let counts = try await StorageCopy.move(from: source, to: target, movedTo: "the other place")
    #expect(Dictionary(uniqueKeysWithValues: counts.map { ($0.name, $0.rows) }) == before.0.mapValues(\.count))
    #expect(counts.contains(TableCount(name: "grants", rows: 20)))
    #expect(try await Self.digests(target) == before.0)
    #expect(try await Self.nextIDs(target) == before.1)
    // A server that still runs on the source answers by nothing that it has, and with a time to try again.
    let world = try await TokenWorld(storage: target, clock: clock)
    let old = ServerTokens(storage: source, clock: clock, logger: world.log.logger)
    let error = await #expect(throws: ServerError.self) { try await old.find(token) }
    #expect(error?.code == .storageMoved && error?.retryAfter != nil && error?.isStorageFault == true)
    _ = try await world.rotate(token)
    try await target.close()
    // The key has come along.
    try await ServerStorage(folder: to.url).close()
    try await source.close()
    let refused = #expect(throws: ServerError.self) { try ServerStorage(folder: from.url) }
    #expect(refused?.code == .storageMoved && refused?.message.contains("the other place") == true)
  }

  @Test(
    "OP-10: to PostgreSQL and back, row for row; a token of before is good after both",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func thereAndBack() async throws {
    let (from, files, to) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
    let (source, token, clock) = try await Self.filled(from.url)
    let before = try await Self.digests(source)
    let server = try await PostgreSQLServer.start()
    let middle = try ServerStorage(.postgreSQL(server.database(files)), keys: source.keys)
    _ = try await StorageCopy.move(from: source, to: middle, movedTo: "PostgreSQL")
    #expect(try await Self.digests(middle) == before)
    // What the triggers do is there again.
    let world = try await TokenWorld(storage: middle, clock: clock)
    let next = try await world.rotate(token)
    let user = try await IdentityWorld(storage: middle, clock: clock).identity.addUser(name: "new")
    #expect(!user.id.isEmpty)
    let after = try await Self.digests(middle)
    let end = try ServerStorage(.folder(to.url), keys: source.keys)
    _ = try await StorageCopy.move(from: middle, to: end, movedTo: "a folder")
    #expect(try await Self.digests(end) == after)
    _ = try await TokenWorld(storage: end, clock: clock).rotate(next)
    await #expect(throws: ServerError(.storageMoved, "")) { try await world.tokens.find(token) }
    #expect(throws: ServerError(.storageMoved, "")) {
      try ServerStorage(.postgreSQL(server.database(files)), keys: source.keys)
    }
  }

  @Test("A target with users is refused, and the source stays in use")
  func occupied() async throws {
    let (from, to) = (TemporaryFolder(), TemporaryFolder())
    let (source, token, clock) = try await Self.filled(from.url)
    let target = try ServerStorage(.folder(to.url), keys: source.keys)
    try await IdentityWorld(storage: target).identity.addUser(name: "already")
    await #expect(throws: ServerError(.storageDenied, "")) {
      try await StorageCopy.move(from: source, to: target, movedTo: "elsewhere")
    }
    _ = try await TokenWorld(storage: source, clock: clock).rotate(token)
    #expect(try await IdentityWorld(storage: target).identity.users().map(\.name) == ["already"])
  }

  @Test("A row that the target has otherwise is found before anything is committed")
  func different() async throws {
    let (from, to) = (TemporaryFolder(), TemporaryFolder())
    let (source, token, clock) = try await Self.filled(from.url)
    let target = try ServerStorage(.folder(to.url), keys: source.keys)
    try await target.write { db in
      try db.test.execute(
        """
        CREATE TRIGGER broken AFTER INSERT ON grants BEGIN UPDATE grants SET created_at = 0 WHERE id = NEW.id; END
        """)
    }
    let error = await #expect(throws: ServerError.self) {
      try await StorageCopy.move(from: source, to: target, movedTo: "elsewhere")
    }
    #expect(error?.code == .storageFailed && error?.message.contains("grants") == true)
    let left = try await target.read { db in try db.test.first(Int.self, "SELECT count(*) FROM grants") }
    #expect(left == 0)
    _ = try await TokenWorld(storage: source, clock: clock).rotate(token)
  }

  @Test("OP-10: a source stays in use until the target is committed, which may yet fail")
  func uncommitted() async throws {
    let (from, to) = (TemporaryFolder(), TemporaryFolder())
    let (source, token, clock) = try await Self.filled(from.url)
    let target = try ServerStorage(.folder(to.url), keys: source.keys)
    // What is looked at with the commit alone.
    try await target.write { db in
      try db.test.execute(
        """
        CREATE TABLE orphans (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES orphans (id) DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER broken AFTER INSERT ON grants BEGIN INSERT INTO orphans (parent) VALUES (-1); END
        """)
    }
    await #expect(throws: ServerError.self) {
      try await StorageCopy.move(from: source, to: target, movedTo: "elsewhere")
    }
    #expect(try await IdentityWorld(storage: target).identity.users().isEmpty)
    _ = try await TokenWorld(storage: source, clock: clock).rotate(token)
  }

  @Test("OP-06: who writes while a copy is made is refused as while a database is busy, and may read")
  func meanwhile() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    let other = try ServerStorage(folder: folder.url, busyTimeout: 0.01)
    try await storage.writeOnce { _ in }
    let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let copying: Void = storage.writeOnce { _ in
      reached.signal()
      _ = go.wait(timeout: .now() + 60)
    }
    #expect(await Task.detached { reached.wait(timeout: .now() + 60) == .success }.value)
    let error = await #expect(throws: ServerError.self) {
      try await IdentityWorld(storage: other).identity.addUser(name: "meanwhile")
    }
    #expect(error?.code == .storageBusy && error?.retryAfter != nil)
    #expect(try await IdentityWorld(storage: other).identity.users().isEmpty)
    go.signal()
    try await copying
  }

  @Test("A target with another key is refused before anything is read")
  func otherKey() async throws {
    let (from, to) = (TemporaryFolder(), TemporaryFolder())
    let (source, _, _) = try await Self.filled(from.url)
    let target = try ServerStorage(folder: to.url)
    await #expect(throws: ServerError(.serverKeysDiffer, "")) {
      try await StorageCopy.move(from: source, to: target, movedTo: "elsewhere")
    }
    #expect(try await IdentityWorld(storage: target).identity.users().isEmpty)
  }

  @Test(
    "OP-06: writers of PostgreSQL that have read and wait are no deadlock for a copy, and are answered when it is done",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func writers() async throws {
    let (files, to) = (TemporaryFolder(), TemporaryFolder())
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let source = try ServerStorage(.postgreSQL(server.database(files)))
    let world = try await TokenWorld(storage: source)
    let first = try await world.family()
    let isDone = Locked(false)
    let refreshing = Task {
      var token = first
      while !isDone.withLock({ $0 }) {
        guard let next = try await world.refresh(token).tokens?.refreshToken else { return "signed out" }
        token = next
      }
      return "stopped"
    }
    let target = try ServerStorage(.folder(to.url), keys: source.keys)
    _ = try await StorageCopy.move(from: source, to: target, movedTo: "a folder")
    isDone.withLock { $0 = true }
    // Refused for the moment or for good, never signed out.
    switch await refreshing.result {
    case .success(let end): #expect(end == "stopped")
    case .failure(let error): #expect((error as? ServerError)?.isStorageFault == true, "\(error)")
    }
  }
}
