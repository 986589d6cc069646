import Foundation
import OstiaryCore
import OstiaryPrivateFiles
import Testing

@testable import OstiaryServer

/// Where a back-up comes from, and where it goes.
struct BackupRoute: CustomTestStringConvertible {
  let from: DatabasePlace.Engine
  let to: DatabasePlace.Engine

  static let all = DatabasePlace.Engine.present.flatMap { from in
    DatabasePlace.Engine.present.map { BackupRoute(from: from, to: $0) }
  }

  var testDescription: String { "\(from) to \(to)" }
}

@Suite("Back-ups", .timeLimit(.minutes(5)))
struct BackupTests {
  @Test(
    "OP-10: a back-up of either engine is restored into either, row for row, the ids too; every token works",
    arguments: BackupRoute.all)
  func everywhere(route: BackupRoute) async throws {
    let (source, target) = (try await DatabasePlace(route.from), try await DatabasePlace(route.to))
    let storage = try ServerStorage(source.storage)
    let (tokens, clock) = try await storage.fill()
    let (before, ids) = (try await storage.content(), try await storage.nextIDs())
    let file = source.file("a.backup")
    let report = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    let counts = Dictionary(uniqueKeysWithValues: report.tables.map { ($0.name, $0.rows) })
    #expect(counts.filter { before[$0.key] != nil } == before.mapValues(\.count))
    let noted = try #require(try await storage.lastBackup)
    #expect(abs(noted.timeIntervalSince(report.madeAt)) < 0.001)
    #expect(!report.hasKey)
    // The source is in use as before.
    let later = try await TokenWorld(storage: storage, clock: clock).rotate(tokens[0])
    let restored = try await target.storage.restore(file, keys: storage.keys)
    #expect(restored.tables == report.tables && restored.key == .present)
    let new = try ServerStorage(target.storage, keys: storage.keys)
    #expect(try await new.content() == before)
    #expect(try await new.nextIDs() == ids)
    #expect(try await new.timeline?.beginning == .restored)
    let world = try await TokenWorld(storage: new, clock: clock)
    for token in tokens.dropFirst() { _ = try await world.rotate(token) }
    // OP-07: a client that has refreshed after the back-up goes on with what it got.
    _ = try await world.rotate(later)
    // What the triggers do is there again, and no id is given twice.
    let user = try await IdentityWorld(storage: new, clock: clock).identity.addUser(name: "new")
    #expect(!user.id.isEmpty)
    try await new.close()
    try await storage.close()
  }

  @Test("The file is its owner's only, has its name when it is complete, and replaces none unasked")
  func file() async throws {
    let source = try await DatabasePlace(.sqlite)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(2)
    let file = source.file("a.backup")
    _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    #expect(try source.folder.mode(of: "a.backup") == 0o600)
    #expect(try source.unfinished.isEmpty)
    let first = try Data(contentsOf: file)
    await #expect(throws: ServerError(.backupRefused, "")) {
      try await source.storage.backUp(to: file, replacing: false, keys: nil)
    }
    #expect(try Data(contentsOf: file) == first)
    _ = try await source.storage.backUp(to: file, replacing: true, keys: nil)
    await #expect(throws: OstiaryError.self) {
      try await source.storage.backUp(to: source.file("no/such/a.backup"), replacing: false, keys: nil)
    }
    #expect(try source.unfinished.isEmpty)
  }

  @Test("A back-up that fails leaves neither a part of it nor the file of before changed")
  func failing() async throws {
    let source = try await DatabasePlace(.sqlite)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(2)
    let file = source.file("a.backup")
    try Data("the one of before".utf8).write(to: file)
    let writer = try PrivateFileWriter(url: file)
    try writer.write(Data("a half".utf8))
    #expect(try source.unfinished.count == 1)
    #expect(try Data(contentsOf: file) == Data("the one of before".utf8))
    writer.discard()
    #expect(try source.unfinished.isEmpty)
    #expect(try Data(contentsOf: file) == Data("the one of before".utf8))
  }

  @Test("The key is in the file on request only; a restore with it needs nothing more")
  func key() async throws {
    let (source, target) = (try await DatabasePlace(.sqlite), try await DatabasePlace(.sqlite))
    let storage = try ServerStorage(source.storage)
    let (tokens, clock) = try await storage.fill(1)
    let (without, with) = (source.file("without.backup"), source.file("with.backup"))
    _ = try await source.storage.backUp(to: without, replacing: false, keys: nil)
    let report = try await source.storage.backUp(to: with, replacing: false, keys: storage.keys)
    #expect(report.hasKey)
    let text = storage.key.text.reveal()
    #expect(try !Data(contentsOf: without).contains(text: text))
    #expect(try Data(contentsOf: with).contains(text: text))
    let restored = try await target.storage.restore(with, keys: ServerKeySources())
    #expect(restored.key == .restored)
    #expect(try target.folder.mode(of: ServerKey.fileName) == 0o600)
    let new = try ServerStorage(target.storage)
    _ = try await TokenWorld(storage: new, clock: clock).rotate(tokens[0])
    // Another key than the database's is not put into a file.
    let other = try await DatabasePlace(.sqlite)
    try await ServerStorage(other.storage).close()
    let wrong = ServerKeySources(file: other.file(ServerKey.fileName))
    try FileManager.default.removeItem(at: source.file(ServerKey.fileName))
    await #expect(throws: ServerError(.serverKeyIsAnother, "")) {
      try await source.storage.backUp(to: source.file("b.backup"), replacing: false, keys: wrong)
    }
    #expect(!FileManager.default.fileExists(atPath: source.file("b.backup").path))
  }

  @Test("OP-10: a restore without the key says so, and no server opens the database without it")
  func withoutKey() async throws {
    let (source, target) = (try await DatabasePlace(.sqlite), try await DatabasePlace(.sqlite))
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(1)
    let file = source.file("a.backup")
    _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    let restored = try await target.storage.restore(file, keys: ServerKeySources())
    #expect(restored.key == .needed)
    let refused = #expect(throws: ServerError.self) { try ServerStorage(target.storage) }
    #expect(refused?.code == .serverKeyIsAnother)
    try await ServerStorage(target.storage, keys: storage.keys).close()
    // A key that is not the one of the back-up is refused before anything is made.
    let third = try await DatabasePlace(.sqlite)
    let own = try await DatabasePlace(.sqlite)
    try await ServerStorage(own.storage).close()
    await #expect(throws: ServerError(.serverKeyIsAnother, "")) {
      try await third.storage.restore(file, keys: ServerKeySources(file: own.file(ServerKey.fileName)))
    }
    #expect(!FileManager.default.fileExists(atPath: third.file(ServerStorage.fileName).path))
  }

  @Test(
    "A back-up of an older database has its migrations, and is migrated when it is restored", arguments: BackupRoute.all
  )
  func older(route: BackupRoute) async throws {
    let (source, target) = (try await DatabasePlace(route.from), try await DatabasePlace(route.to))
    let all = Migrations.all(of: houseDoors)
    let old = try ServerStorage(source.storage, migrations: Array(all.prefix(15)), keys: ServerKeySources())
    try await IdentityWorld(storage: old).identity.addUser(name: "of before")
    try await old.close()
    let file = source.file("a.backup")
    _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
    // The source is as it was.
    #expect(try await source.storage.check(keys: ServerKeySources()).age == .older)
    _ = try await target.storage.restore(file, keys: ServerKeySources())
    #expect(try await target.storage.check(keys: ServerKeySources()).age == .equal)
    let new = try ServerStorage(target.storage)
    #expect(try await IdentityWorld(storage: new).identity.users().map(\.name) == ["of before"])
    try await new.close()
  }
}
