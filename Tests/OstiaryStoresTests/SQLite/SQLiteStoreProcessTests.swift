#if SQLite
  import Foundation
  import OstiaryCore
  import OstiaryStores
  import OstiaryTesting
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What holds between processes: each exit test is a process of its own.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct SQLiteStoreProcessTests {
    private static let key = SessionKey("app")
    private static let old = Data("the old session".utf8)
    private static let new = Data("the new session".utf8)

    private let temporary: TemporaryFolder
    private let url: URL
    private let store: SQLiteStore

    init() throws {
      temporary = try TemporaryFolder()
      url = temporary.file("db/sessions.sqlite")
      store = SQLiteStore(at: url)
    }

    @Test(
      "Invariant 1, Store-T6: processes and tasks that count under exclusive access lose no count, though one is killed inside"
    )
    func counting() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask { [url] in
            await #expect(processExitsWith: .success) { [path = url.path as String] in
              try await SharedCount.raiseInTwoTasks(SQLiteStoreProcessTests.key) {
                SQLiteStore(at: URL(filePath: path))
              }
            }
          }
        }
        group.addTask { [url] in
          await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
            let store = SQLiteStore(at: URL(filePath: path))
            try await SharedCount.raise(SQLiteStoreProcessTests.key, by: 5, in: store)
            try await store.withExclusiveAccess(to: SQLiteStoreProcessTests.key, patience: .seconds(120)) {
              _ = kill(getpid(), SIGKILL)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(await store.load(Self.key) == .present(Data("125".utf8)))
      try await store.withExclusiveAccess(to: Self.key, patience: .zero) {}
    }

    @Test("Invariant 4, Store-T3: kill -9 right after a save that returned loses nothing")
    func killedAfterSaving() async throws {
      try await store.save(Self.old, for: Self.key, replacing: .nothing)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
        let store = SQLiteStore(at: URL(filePath: path))
        try await store.save(
          SQLiteStoreProcessTests.new, for: SQLiteStoreProcessTests.key,
          replacing: .exactly(SQLiteStoreProcessTests.old))
        _ = kill(getpid(), SIGKILL)
      }
      #expect(await store.load(Self.key) == .present(Self.new))
      #expect(await SQLiteStore(at: url).load(Self.key) == .present(Self.new))
    }

    #if os(Linux)
      @Test(
        "Bug-A31: who has exclusive access has the room for the next record, though the disk becomes full meanwhile")
      func fullDuringAccess() async throws {
        let disk = try mountDisk("4m")
        let url = disk.url.appending(path: "db/sessions.sqlite")
        let (store, other) = (SQLiteStore(at: url), SQLiteStore(at: url))
        let (old, new) = (Data(repeating: 1, count: 20_000), Data(repeating: 2, count: 30_000))
        @Sendable func fill() throws -> Int {
          let filler = open(disk.url.appending(path: "filler").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
          defer { close(filler) }
          let (page, byte) = (Data(count: 4096), Data(count: 1))
          var count = 0
          for part in [page, byte] {
            while part.withUnsafeBytes({ write(filler, $0.baseAddress, $0.count) }) == part.count {
              count += part.count
            }
          }
          try #require(errno == ENOSPC)
          return count
        }
        for _ in 0..<3 {
          try await store.save(old, for: Self.key, replacing: .anything)
          // A handle that doesn't know yet how large the session is.
          let fresh = SQLiteStore(at: url)
          try await fresh.withExclusiveAccess(to: Self.key, patience: .zero) {
            #expect(await fresh.load(Self.key) == .present(old))
            let filled = try fill()
            #expect(filled > 0)
            // It is full indeed.
            await #expect(throws: OstiaryError(.storeUnavailable, "")) {
              try await other.save(Data(count: 300_000), for: SessionKey("other"), replacing: .anything)
            }
            try await fresh.save(new, for: Self.key, replacing: .exactly(old))
          }
          #expect(await other.load(Self.key) == .present(new))
          #expect(await SQLiteStore(at: url).load(Self.key) == .present(new))
          // Nothing is begun now that could not be saved.
          _ = try fill()
          let error = await #expect(throws: OstiaryError.self) {
            try await store.withExclusiveAccess(to: Self.key, patience: .zero) { Issue.record("The body ran.") }
          }
          #expect(error?.code == .storeUnavailable && error?.message.contains("full") == true, "\(error as Any)")
          try FileManager.default.removeItem(at: disk.url.appending(path: "filler"))
        }
      }

      /// A small disk of its own.
      private func mountDisk(_ size: String = "512k") throws -> SmallDisk {
        guard let disk = try SmallDisk(at: temporary.file("disk"), size: size) else {
          try Test.cancel("A disk can't be mounted here.")
        }
        return disk
      }

      @Test("Invariant 7: a full disk leaves the old session, whole, and says why")
      func fullDisk() async throws {
        let disk = try mountDisk()
        let store = SQLiteStore(at: disk.url.appending(path: "db/sessions.sqlite"))
        try await store.save(Self.old, for: Self.key, replacing: .nothing)
        let error = await #expect(throws: OstiaryError.self) {
          try await store.save(Data(count: 1_000_000), for: Self.key, replacing: .exactly(Self.old))
        }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.isTransient == true)
        #expect(error?.message.contains("full") == true, "\(String(describing: error))")
        #expect(await store.load(Self.key) == .present(Self.old))
        try await store.save(Self.new, for: Self.key, replacing: .exactly(Self.old))
        #expect(await store.load(Self.key) == .present(Self.new))
      }

      @Test("Invariant 7: on a read-only disk everything says why, and nothing is taken for absent")
      func readOnlyDisk() async throws {
        let disk = try mountDisk()
        let file = disk.url.appending(path: "db/sessions.sqlite")
        try await SQLiteStore(at: file).save(Self.old, for: Self.key, replacing: .nothing)
        #expect(disk.makeReadOnly())
        let store = SQLiteStore(at: file)
        let reading = await store.load(Self.key)
        #expect(reading == .unavailable(OstiaryError(.storeUnavailable, "")), "\(reading)")
        for change in [
          { try await store.save(Self.new, for: Self.key, replacing: .anything) },
          { try await store.remove(Self.key, ifHolding: .anything) },
          { try await store.withExclusiveAccess(to: Self.key, patience: .zero) {} },
        ] {
          let error = await #expect(throws: OstiaryError.self) { try await change() }
          #expect(error?.code == .storeUnavailable)
          #expect(error?.message.contains("read-only") == true)
        }
      }
    #endif

    @Test("Invariant 7, Store-T2: a folder that can't be read or written is unavailable, never absent")
    func noPermission() async throws {
      try await store.save(Self.old, for: Self.key, replacing: .nothing)
      await #expect(processExitsWith: .success) { [path = url.path as String] in
        let folder = (path as NSString).deletingLastPathComponent
        try OrdinaryUser.become(owning: folder)
        for rights: mode_t in [0, 0o400, 0o500] {
          try #require(chmod(path, rights == 0o500 ? 0 : 0o600) == 0)
          try #require(chmod(folder, rights) == 0)
          let store = SQLiteStore(at: URL(filePath: path))
          let reading = await store.load(SQLiteStoreProcessTests.key)
          #expect(reading == .unavailable(OstiaryError(.storeUnavailable, "")), "\(rights) \(reading)")
          await #expect(throws: OstiaryError(.storeUnavailable, "")) {
            try await store.save(SQLiteStoreProcessTests.new, for: SQLiteStoreProcessTests.key, replacing: .anything)
          }
          try #require(chmod(folder, 0o700) == 0 && chmod(path, 0o600) == 0)
        }
        #expect(
          await SQLiteStore(at: URL(filePath: path)).load(SQLiteStoreProcessTests.key)
            == .present(SQLiteStoreProcessTests.old))
      }
    }
  }
#endif
