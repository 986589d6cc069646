#if SQLite
  import Foundation
  import GRDB
  import OstiaryCore
  import OstiaryStores
  import OstiaryTesting
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(20))) struct SQLiteStoreDamageTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let key = SessionKey("ann@example.org")
    private let data = Data("the session of Ann".utf8)
    private let corrupt = StoreReading.unavailable(OstiaryError(.storeCorrupt, ""))

    init() throws {
      folder = try TemporaryFolder()
      url = folder.file("db/sessions.sqlite")
    }

    private var store: SQLiteStore { SQLiteStore(at: url, clock: ManualClock()) }

    /// A closed database of a few sessions, as bytes. Its log is empty and gone.
    private func database() async throws -> Data {
      do {
        let store = store
        for name in ["ann@example.org", "bob", "eve"] {
          try await store.save(data + Data(name.utf8.dropFirst(3)), for: SessionKey(name), replacing: .nothing)
        }
        try await store.save(data, for: key, replacing: .anything)
      }
      try await TestDatabase.open(url).writeWithoutTransaction { db in
        _ = try db.checkpoint(.truncate)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("db").path)
      #expect(!names.contains("sessions.sqlite-wal"))
      return try Data(contentsOf: url)
    }

    /// Writes a database in place of the one that is there, and reads it with a new store.
    private func reading(of bytes: Data) async throws -> StoreReading {
      try? FileManager.default.removeItem(at: folder.file("db"))
      try FileManager.default.createDirectory(at: folder.file("db"), withIntermediateDirectories: true)
      try bytes.write(to: url)
      return await store.load(key)
    }

    @Test("Done-when 3, Store-T5: a database cut anywhere is reported with a sentence, never taken for an empty one")
    func cut() async throws {
      let whole = try await database()
      #expect(try await reading(of: whole) == .present(data))
      for length in Array(0..<120) + Array(stride(from: 120, to: whole.count, by: 61)) {
        let reading = try await reading(of: whole.prefix(length))
        switch reading {
        // What is missing may be empty, or belong to others.
        case .present(let found): #expect(found == data && length > whole.count / 2, "cut to \(length) bytes")
        case .absent: Issue.record("cut to \(length) bytes: absent")
        case .unavailable(let error):
          #expect(error.message.contains(url.path) && error.message.hasSuffix("."), "\(length): \(error.message)")
        }
      }
    }

    @Test("Done-when 3, Store-T5: whichever byte has changed, the session is right or reported, never wrong or absent")
    func flipped() async throws {
      let whole = try await database()
      // The header and the places of the rows matter byte for byte; of the empty middle of a page a sample will do.
      let used = whole.indices.filter { $0 < 100 || whole[$0] != 0 }
      let unused = whole.indices.filter { $0 >= 100 && whole[$0] == 0 }
      for index in used + stride(from: 0, to: unused.count, by: 97).map({ unused[$0] }) {
        var bytes = whole
        bytes[index] ^= 0x11
        switch try await reading(of: bytes) {
        case .present(let found): #expect(found == data, "byte \(index)")
        case .absent: Issue.record("byte \(index): absent")
        case .unavailable(let error): #expect(error.message.hasSuffix("."), "byte \(index)")
        }
      }
    }

    @Test("A file that is no database is kept aside with its name told, and then there is nothing")
    func garbage() async throws {
      let garbage = Data("hello, this is not a database at all".utf8)
      #expect(try await reading(of: garbage) == corrupt)
      #expect(await store.load(key) == .absent)
      let aside = try FileManager.default.contentsOfDirectory(atPath: folder.file("db").path)
        .filter { $0.contains(".corrupt-") }
      #expect(aside == ["sessions.sqlite.corrupt-20270115T080000Z"])
      #expect(try Data(contentsOf: folder.file("db/\(aside[0])")) == garbage)
      try await store.save(data, for: key, replacing: .nothing)
      #expect(await store.load(key) == .present(data))
    }

    @Test("A damaged database that another store uses stays where it is, and is reported each time")
    func damagedInUse() async throws {
      let other = store
      try await other.save(data, for: key, replacing: .nothing)
      try await TestDatabase.open(url).writeWithoutTransaction { db in
        _ = try db.checkpoint(.truncate)
      }
      let file = try FileHandle(forUpdating: url)
      try file.write(contentsOf: Data(repeating: 0x55, count: 50))
      try file.close()
      for _ in 0..<2 {
        guard case .unavailable(let error) = await store.load(key) else {
          Issue.record("not unavailable")
          return
        }
        #expect(error.code == .storeCorrupt)
        #expect(error.message.contains("could not be moved aside"))
      }
      withExtendedLifetime(other) {}
    }

    @Test("One damaged session is kept in a table of its own; the others are untouched")
    func damagedRow() async throws {
      let store = store
      try await store.save(data, for: key, replacing: .nothing)
      try await store.save(data, for: SessionKey("bob"), replacing: .nothing)
      let direct = try TestDatabase.open(url)
      // A program gives Ann the row of Bob, which is whole but not hers.
      try await direct.write { db in
        try db.execute(
          sql: "UPDATE sessions SET (data, digest) = (SELECT data, digest FROM sessions WHERE key = ?) WHERE key = ?",
          arguments: [Data("bob".utf8), Data("ann@example.org".utf8)])
      }
      #expect(await store.load(key) == corrupt)
      #expect(await store.load(key) == .absent)
      #expect(await store.load(SessionKey("bob")) == .present(data))
      #expect(try await direct.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM damaged") } == 1)
      try await store.save(data, for: key, replacing: .nothing)
    }

    @Test("Store-T8: removing everything removes what was kept aside too, in the table and as files")
    func removeAll() async throws {
      #expect(try await reading(of: Data("garbage".utf8)) == corrupt)
      let store = store
      for name in ["ann@example.org", "bob"] { try await store.save(data, for: SessionKey(name), replacing: .nothing) }
      let direct = try TestDatabase.open(url)
      try await direct.write { try $0.execute(sql: "UPDATE sessions SET digest = data") }
      #expect(await store.load(key) == corrupt)
      try await store.removeAll()
      #expect(try await store.accounts().isEmpty)
      #expect(try await direct.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM damaged") } == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("db").path)
      #expect(!names.contains { $0.contains("corrupt") })
    }

    @Test("Another program's database is refused and left as it is")
    func foreign() async throws {
      try FileManager.default.createDirectory(at: folder.file("db"), withIntermediateDirectories: true)
      do {
        let foreign = try TestDatabase.open(url)
        try await foreign.write { try $0.execute(sql: "CREATE TABLE theirs (id INTEGER)") }
        try foreign.close()
      }
      let before = try Data(contentsOf: url)
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not unavailable")
        return
      }
      #expect(error.disposition == .misuse)
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await store.save(data, for: key, replacing: .anything)
      }
      #expect(try Data(contentsOf: url) == before)
    }

    @Test("A database of a newer version is unavailable, and left as it is")
    func newer() async throws {
      _ = try await database()
      try await TestDatabase.open(url).write { try $0.execute(sql: "PRAGMA user_version = 2") }
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not unavailable")
        return
      }
      #expect(error.code == .storeUnavailable)
      #expect(error.message.contains("newer version"))
      #expect(FileManager.default.fileExists(atPath: url.path))
    }
  }
#endif
