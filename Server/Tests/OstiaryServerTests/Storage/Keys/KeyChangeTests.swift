import Foundation
import Logging
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Changing the server's key: what opens, and what is refused", .timeLimit(.minutes(10)))
struct KeyChangeTests {
  private static func keys(_ text: String) -> ServerKeySources {
    ServerKeySources(variables: [ServerKeySources.variable: text])
  }

  /// A file with a key.
  private static func file(_ folder: TemporaryFolder, _ name: String = "new.key") throws -> ServerKeySources {
    let url = folder.url.appending(path: name)
    _ = try ServerKeySources.makeFile(at: url)
    return ServerKeySources(file: url)
  }

  /// Whether a storage opens.
  private static func opens(_ folder: TemporaryFolder, _ text: String) async throws -> Bool {
    do {
      try await ServerStorage(folder: folder.url, keys: keys(text)).close()
      return true
    } catch {
      #expect(error.code == .serverKeyIsAnother)
      #expect(error.errorDescription?.contains(text) == false)
      return false
    }
  }

  @Test("key: a server starts with either key from the offer on, until the old one is retired")
  func either() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let (old, stranger) = (ServerKey.newText(), ServerKey.newText())
    let new = try Self.file(place)
    let text = try new.given().text.reveal()
    let storage = try ServerStorage(folder: folder.url, keys: Self.keys(old))
    let change = KeyChange.atOnce(storage)
    #expect(try await change.status().keys.isEmpty)
    #expect(try await !Self.opens(folder, text))
    try await change.offer(new)
    for text in [old, text] { #expect(try await Self.opens(folder, text)) }
    // There is no server: nothing is waited for.
    let rotation = try await change.turn()
    #expect(rotation.current?.number == 2 && rotation.current?.resealedAt != nil)
    for text in [old, text] { #expect(try await Self.opens(folder, text)) }
    #expect(try await !Self.opens(folder, stranger))
    #expect(try await change.retire(early: false).count == 1)
    for text in [old, text] { #expect(try await Self.opens(folder, text)) }
    #expect(try await change.retire(early: true).isEmpty)
    #expect(try await Self.opens(folder, text))
    #expect(try await !Self.opens(folder, old))
    let error = #expect(throws: ServerError.self) { try ServerStorage(folder: folder.url, keys: Self.keys(old)) }
    #expect(error?.message.contains("retired") == true && error?.advice.contains("ostiary key accept") == true)
    // Nothing that either key opens stands in the file but by the new one.
    let contents = try folder.contents()
    for text in [old, text] { #expect(!contents.contains(text: text)) }
    let sealed = try await storage.read { db in
      try db.test.first(
        Int.self, "SELECT count(*) FROM server_keys WHERE under_former IS NULL AND former_under IS NULL")
    }
    #expect(sealed == 2)
    try await storage.close()
  }

  @Test("key: a change that has begun is gone on with, and another one waits until the old key is retired")
  func underWay() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let storage = try ServerStorage(folder: folder.url, keys: Self.keys(ServerKey.newText()))
    let (new, other) = (try Self.file(place), try Self.file(place, "other.key"))
    let change = KeyChange.atOnce(storage)
    let later = Date().addingTimeInterval(3600)
    try await storage.registerKeys(storage.keyRegistration, of: "one", version: "1", at: later)
    try await change.offer(new)
    // The same again, and whichever it is.
    try await change.offer(new)
    try await change.offer(nil)
    await #expect(throws: ServerError(.keyChangeUnderWay, "")) { try await change.offer(other) }
    #expect(try await change.turn().offered?.number == 2)
    #expect(try await change.retire(early: true).count == 1)
    try await storage.unregisterKeys(of: "one")
    #expect(try await change.turn().current?.number == 2)
    await #expect(throws: ServerError(.keyChangeUnderWay, "")) { try await change.offer(other) }
    #expect(try await change.retire(early: true).isEmpty)
    await #expect(throws: ServerError(.keyChangeUnderWay, "")) { try await change.offer(new) }
    try await change.offer(other)
    #expect(try await change.turn().current?.number == 3)
    #expect(try await change.retire(early: true).isEmpty)
    #expect(try await change.retire(early: true) == [.noFormerKey])
    try await storage.close()
  }

  @Test("key: a server whose place has the old key, and could not start again, keeps it from being retired")
  func kept() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let storage = try ServerStorage(folder: folder.url, keys: Self.keys(ServerKey.newText()))
    let change = KeyChange.atOnce(storage)
    let logger = LogRecorder().logger
    let duty = KeyDuty(storage: storage, node: "one", version: "1", logger: logger)
    try await duty.join()
    try await change.offer(try Self.file(place))
    try await duty.turn()
    let obstacles = try await change.retire(early: true)
    guard case .kept(let nodes)? = obstacles.first else {
      Issue.record("\(obstacles)")
      return
    }
    #expect(obstacles.count == 1 && nodes.map(\.id) == ["one"] && nodes.map(\.kept) == [1])
    // It ends, or starts with the new one.
    await duty.stop()
    #expect(try await change.retire(early: true).isEmpty)
    try await storage.close()
  }

  @Test("key: a file that the operator replaces is seen, and so is one that has another key")
  func replaced() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let sources = try Self.file(place, "used.key")
    let storage = try ServerStorage(folder: folder.url, keys: sources)
    let change = KeyChange.atOnce(storage)
    #expect(!change.keepsKeyItself && storage.key.problem == nil && storage.keyRegistration.kept == 1)
    try await change.offer(try Self.file(place))
    _ = try await change.turn()
    #expect(storage.keyRegistration == ServerStorage.KeyRegistration(known: 2, used: 2, kept: 1))
    let used = place.url.appending(path: "used.key")
    try Data(contentsOf: place.url.appending(path: "new.key")).write(to: used)
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: used.path)
    #expect(storage.key.problem == nil && storage.keyRegistration.kept == 2)
    try Data((ServerKey.newText() + "\n").utf8).write(to: used)
    #expect(storage.key.problem?.contains("another") == true && storage.keyRegistration.kept == 0)
    #expect(try change.writeNewestKey(to: place.url.appending(path: "again.key")))
    #expect(try change.writeNewestKey(to: place.url.appending(path: "new.key")))
    #expect(try !change.writeNewestKey(to: used))
    #expect(
      try ServerKeySources(file: place.url.appending(path: "again.key")).given().isSame(as: storage.key.current))
    try await storage.close()
  }

  @Test("key: a database whose keys are lost takes another one, whose number is a new one")
  func accepted() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let storage = try ServerStorage(folder: folder.url, keys: Self.keys(ServerKey.newText()))
    let change = KeyChange.atOnce(storage)
    try await change.offer(try Self.file(place))
    _ = try await change.turn()
    try await storage.close()
    let text = ServerKey.newText()
    var keys = Self.keys(text)
    keys.replacesKeyOfDatabase = true
    let accepting = try ServerStorage(folder: folder.url, keys: keys)
    #expect(accepting.key.content.current == 3 && accepting.key.content.keys.count == 1)
    try await AuditArchive(accepting).seal()
    try await accepting.close()
    #expect(try await Self.opens(folder, text))
  }

  @Test(
    "key: a server of PostgreSQL starts with either key, and has both with their numbers, until the old one is retired",
    .enabled(if: PostgreSQLServer.programs != nil, "\(PostgreSQLServer.absence)"))
  func postgreSQL() async throws {
    let server = try await PostgreSQLServer.start()
    defer { withExtendedLifetime(server) {} }
    let (files, place) = (TemporaryFolder(), TemporaryFolder())
    let (old, new) = (ServerKey.newText(), try Self.file(place))
    let text = try new.given().text.reveal()
    /// What one has that starts with a key, on a machine of its own; nil if it does not start.
    func numbers(_ text: String) async throws -> [Int64]? {
      let own = TemporaryFolder()
      defer { withExtendedLifetime(own) {} }
      do {
        let storage = try ServerStorage(.postgreSQL(server.database(own)), keys: Self.keys(text))
        let content = storage.key.content
        try await storage.close()
        return [content.current] + content.keys.map(\.number)
      } catch {
        #expect(error.code == .serverKeyIsAnother)
        return nil
      }
    }
    #expect(try await numbers(old) == [1, 1])
    let storage = try ServerStorage(.postgreSQL(server.database(files)), keys: Self.keys(old))
    let change = KeyChange.atOnce(storage)
    try await change.offer(new)
    for text in [old, text] { #expect(try await numbers(text) == [1, 1, 2]) }
    #expect(try await change.turn().current?.resealedAt != nil)
    for text in [old, text] { #expect(try await numbers(text) == [2, 1, 2]) }
    #expect(try await numbers(ServerKey.newText()) == nil)
    #expect(try await change.retire(early: true).isEmpty)
    #expect(try await numbers(text) == [2, 2])
    #expect(try await numbers(old) == nil)
    try await storage.close()
  }

  @Test("key: the old key is needed for as long as counts say something, and not for a guess that is under way")
  func needed() async throws {
    let storage = try ServerStorage(inMemory: Migrations.all(of: houseDoors))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let day: TimeInterval = 24 * 3600
    func needed(_ failures: Int, days: Double) async throws -> Double {
      try await storage.write { db in
        try db.run(GuessStatements.sql.count, Data([1]), Data([UInt8(failures)]), failures, now, now + days * day)
        return try KeyDuty.needed(in: db, from: now) - now.timeIntervalSince1970
      }
    }
    #expect(try await needed(0, days: 8) == day)
    #expect(try await needed(2, days: 3) == 3 * day)
    try await storage.close()
  }

  @Test("key: a key that was retired is not offered again")
  func usedBefore() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let first = try Self.file(place, "first.key")
    let storage = try ServerStorage(folder: folder.url, keys: first)
    let change = KeyChange.atOnce(storage)
    try await change.offer(try Self.file(place))
    _ = try await change.turn()
    #expect(try await change.retire(early: true).isEmpty)
    await #expect(throws: ServerError(.keyChangeUnderWay, "")) { try await change.offer(first) }
    #expect(try await change.status().offered == nil)
    try await storage.close()
  }

  @Test("key: the old key is kept beside the new one, also where the file for it has something else")
  func keptBeside() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage(folder: folder.url)
    let old = storage.key.current
    let other = folder.url.appending(path: "ostiary.key.1")
    let text = ServerKey.newText()
    try Data(text.utf8).write(to: other)
    let change = KeyChange.atOnce(storage)
    try await change.offer(nil)
    _ = try await change.turn()
    #expect(storage.key.kept == 2 && !storage.key.current.isSame(as: old))
    #expect(try String(contentsOf: other, encoding: .utf8) == text)
    #expect(try ServerKeySources(file: folder.url.appending(path: "ostiary.key.1-2")).given().isSame(as: old))
    // What was begun by a process that was killed is gone on with.
    let file = folder.url.appending(path: ServerKey.fileName)
    let new = storage.key.current
    try FileManager.default.removeItem(at: file)
    try old.store(in: folder.url)
    #expect(try storage.keepCurrentKey())
    #expect(try ServerKeySources(file: file).given().isSame(as: new))
    #expect(!FileManager.default.fileExists(atPath: other.path + "-3"))
    try await storage.close()
  }

  @Test("key: a server that was away until its key was retired says so once, and is not ready")
  func away() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let old = ServerKey.newText()
    let (storage, away) = (
      try ServerStorage(folder: folder.url, keys: Self.keys(old)),
      try ServerStorage(folder: folder.url, keys: Self.keys(old))
    )
    let change = KeyChange.atOnce(storage)
    try await change.offer(try Self.file(place))
    _ = try await change.turn()
    #expect(try await change.retire(early: true).isEmpty)
    #expect(away.key.problem == nil)
    let log = LogRecorder()
    let duty = KeyDuty(storage: away, node: "away", version: "1", logger: log.logger)
    for _ in 0..<3 { #expect(await duty.pass(nil) == Int.min) }
    await #expect(throws: ServerError(.serverKeyIsAnother, "")) { try await away.followKeys() }
    #expect(away.key.problem?.contains("retired") == true)
    // It is said once, not every second.
    #expect(log.records.map(\.level) == [.critical])
    try await away.close()
    try await storage.close()
  }

  @Test("key: a key in the database that was changed by hand is no key")
  func damaged() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let storage = try ServerStorage(folder: folder.url, keys: Self.keys(ServerKey.newText()))
    let change = KeyChange.atOnce(storage)
    let before = storage.key.content
    try await change.offer(try Self.file(place))
    storage.key.set(before)
    try await storage.write { db -> Void in
      try db.test.execute("UPDATE server_keys SET under_former = former_under WHERE number = 2")
    }
    await #expect(throws: ServerError(.storageCorrupt, "")) { try await change.status() }
    try await storage.close()
  }

  @Test("key: a whole server goes over to a new key while it runs, and its folder has it")
  func server() async throws {
    let folder = TemporaryFolder()
    try await TestServer.runWithJane {
      $0.storage = .folder(folder.url)
    } body: { server in
      let duty = server.application.keys
      let storage = server.application.storage
      let old = storage.key.text
      let change = KeyChange.atOnce(storage)
      #expect(change.keepsKeyItself)
      try await change.offer(nil)
      // The server takes turns of its own: these may come between.
      while storage.key.content.current != 2 { try await duty.turn() }
      while try await change.status().current?.resealedAt == nil { try await duty.turn() }
      #expect(storage.key.problem == nil && storage.key.kept == 2)
      let file = folder.url.appending(path: ServerKey.fileName)
      #expect(try folder.mode(of: ServerKey.fileName) == 0o600)
      #expect(try ServerKeySources(file: file).given().isSame(as: storage.key.current))
      #expect(try ServerKeySources(file: folder.url.appending(path: "ostiary.key.1")).given().text == old)
      for text in [old, storage.key.text] { #expect(!server.logs.text.contains(text.reveal())) }
    }
    // It starts again with what the folder has.
    let storage = try ServerStorage.forTest(in: folder.url)
    #expect(storage.key.content.current == 2 && storage.key.content.keys.count == 2)
    try await storage.close()
  }
}
