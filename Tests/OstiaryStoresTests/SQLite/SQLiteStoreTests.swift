#if SQLite
  import Foundation
  import GRDB
  import OstiaryCore
  import OstiaryStores
  import OstiaryTesting
  import TestSupport
  import Testing

  @Suite(.timeLimit(.minutes(20))) struct SQLiteStoreTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let store: SQLiteStore
    private let key = SessionKey("ann@example.org")
    private let old = Data("the old session".utf8)
    private let new = Data("the new session".utf8)

    init() throws {
      folder = try TemporaryFolder()
      url = folder.file("db/sessions.sqlite")
      store = SQLiteStore(at: url)
    }

    // MARK: What is written

    @Test("Reading creates nothing; the file, its log and its folder are for this user alone (Store-T4)")
    func privacy() async throws {
      #expect(await store.load(key) == .absent)
      #expect(try await store.accounts().isEmpty)
      try await store.remove(key, ifHolding: .anything)
      #expect(try folder.names().isEmpty)

      try await store.save(old, for: key, replacing: .nothing)
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
      #expect(try rights(of: folder.file("db")) == 0o700)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("db").path)
      #expect(names.contains("sessions.sqlite-wal") && names.contains { $0.hasSuffix(".lock") })
      for name in names {
        let expected = name == "sessions.sqlite-locks" ? 0o700 : 0o600
        #expect(try rights(of: folder.file("db/\(name)")) == expected, "\(name)")
      }
    }

    @Test("Rights that others have are taken away, and links are refused (Store-T4)")
    func sharedFile() async throws {
      try await store.save(old, for: key, replacing: .nothing)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
      #expect(await SQLiteStore(at: url).load(key) == .present(old))
      #expect(try rights(of: url) == 0o600)
      let link = folder.file("db/link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      #expect(await SQLiteStore(at: link).load(key) == .unavailable(OstiaryError(.storeUnavailable, "")))
    }

    @Test("A save is in write-ahead mode and waits for the disk")
    func durable() async throws {
      try await store.save(old, for: key, replacing: .nothing)
      let reader = try TestDatabase.open(url)
      let mode = try await reader.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
      #expect(mode == "wal")
    }

    @Test("A database that version 1 has written stays readable")
    func golden() async throws {
      let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "version-1.sqlite")
      try FileManager.default.createDirectory(at: folder.file("db"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: golden, to: url)
      #expect(await store.load(SessionKey("ann")) == .present(Data("the session of Ann".utf8)))
      #expect(await store.load(SessionKey("bob")) == .present(Data((0...255).map(UInt8.init))))
      #expect(try await Set(store.accounts()) == [SessionKey("ann"), SessionKey("bob")])
      try await store.save(new, for: SessionKey("ann"), replacing: .exactly(Data("the session of Ann".utf8)))
    }

    @Test("A large session comes back byte for byte, and the list of accounts keeps their names")
    func largeAndNamed() async throws {
      let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let keys = ["", "a\0b", "a\0c", "é", String(repeating: "x", count: 5000)].map(SessionKey.init)
      for key in keys { try await store.save(large, for: key, replacing: .nothing) }
      for key in keys { #expect(await SQLiteStore(at: url).load(key) == .present(large)) }
      #expect(try await Set(store.accounts()) == Set(keys))
      try await store.remove(keys[1], ifHolding: .exactly(large))
      #expect(try await Set(store.accounts()) == Set(keys).subtracting([keys[1]]))
    }

    // MARK: Others at the same file

    @Test("Invariant 5: of stores that compare and save at once, one wins and the rest are told")
    func contested() async throws {
      try await store.save(old, for: key, replacing: .nothing)
      let stores = (0..<4).map { _ in SQLiteStore(at: url) }
      let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask { [key, old] in
            do {
              try await stores[number % 4].save(Data("\(number)".utf8), for: key, replacing: .exactly(old))
              return true
            } catch let error as OstiaryError where error.code == .storeConflict {
              return false
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
    }

    @Test("Whoever renews with exclusive access keeps no writer waiting, not even of the same account")
    func savingBesideAHolder() async throws {
      let other = SQLiteStore(at: url, busyTimeout: .zero)
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        try await other.save(old, for: key, replacing: .nothing)
        try await other.save(old, for: SessionKey("bob"), replacing: .nothing)
        try await other.withExclusiveAccess(to: SessionKey("bob"), patience: .zero) {}
        await #expect(throws: OstiaryError(.storeUnavailable, "")) {
          try await other.withExclusiveAccess(to: key, patience: .zero) {}
        }
      }
      #expect(await store.load(key) == .present(old))
    }

    @Test("Invariant 7: while another program holds the database, reading works and saving says why it can't")
    func locked() async throws {
      try await store.save(old, for: key, replacing: .nothing)
      let impatient = SQLiteStore(at: url, busyTimeout: .milliseconds(1))
      #expect(await impatient.load(key) == .present(old))
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: url.path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: OstiaryError.self) {
        try await impatient.save(new, for: key, replacing: .exactly(old))
      }
      #expect(error?.code == .storeUnavailable)
      #expect(error?.isTransient == true)
      #expect(error?.message.contains("another program keeps it locked") == true)
      #expect(await impatient.load(key) == .present(old))
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      try await impatient.save(new, for: key, replacing: .exactly(old))
    }

    @Test("A database that was removed or replaced is noticed: no save goes into a file that has no name")
    func replaced() async throws {
      try await store.save(old, for: key, replacing: .nothing)
      let moved = folder.file("elsewhere")
      try FileManager.default.moveItem(at: folder.file("db"), to: moved)
      #expect(await store.load(key) == .absent)
      try await store.save(new, for: key, replacing: .nothing)
      #expect(await SQLiteStore(at: url).load(key) == .present(new))
      #expect(await SQLiteStore(at: moved.appending(path: "sessions.sqlite")).load(key) == .present(old))
    }

    @Test("A database that is deleted while another store uses it is an error, not an empty store that splits in two")
    func deletedUnderAnother() async throws {
      let other = SQLiteStore(at: url)
      try await store.save(old, for: key, replacing: .nothing)
      #expect(await other.load(key) == .present(old))
      for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: url.path + suffix) }
      let error = await #expect(throws: OstiaryError.self) { try await store.save(new, for: key, replacing: .anything) }
      #expect(error?.code == .storeUnavailable)
      // Once the other has noticed too, there is a new one.
      #expect(await other.load(key) == .absent)
      try await store.save(new, for: key, replacing: .nothing)
      #expect(await other.load(key) == .present(new))
    }
  }
#endif
