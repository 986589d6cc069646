#if PostgreSQL
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

  /// Against a real server, one for each test.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct PostgreSQLStoreTests {
    private static let key = SessionKey("ann@example.org")
    private static let old = Data("the old session".utf8)
    private static let new = Data("the new session".utf8)
    private let key = Self.key
    private let old = Self.old
    private let new = Self.new

    private func expectUnavailable(
      _ sentence: String, _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
      let error = await #expect(throws: OstiaryError.self, sourceLocation: location) { try await body() }
      #expect(error?.code == .storeUnavailable, sourceLocation: location)
      #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")", sourceLocation: location)
    }

    // MARK: One store

    @Test("Sessions come back byte for byte, with their names, from another store, however the server writes bytes")
    func roundTrip() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection())
      #expect(await store.load(key) == .absent)
      #expect(try await store.accounts().isEmpty)
      let sessions: [(SessionKey, Data)] = [
        (SessionKey(""), Data()), (SessionKey("a\0b"), Data([0])), (SessionKey("é"), Data((0...255).map(UInt8.init))),
        (SessionKey(String(repeating: "x", count: 20_000)), Data(repeating: 0x5C, count: 3_000_000)),
      ]
      for (key, data) in sessions { try await store.save(data, for: key, replacing: .nothing) }
      let other = PostgreSQLStore(server.connection("options='-c bytea_output=escape'"))
      for (key, data) in sessions { #expect(await other.load(key) == .present(data)) }
      #expect(await other.load(SessionKey("e\u{301}")) == .present(sessions[2].1))
      #expect(try await Set(other.accounts()) == Set(sessions.map(\.0)))
    }

    @Test("Two stores that start at once make one table; a user who may not create one uses what is there")
    func table() async throws {
      let server = try await PostgreSQLServer.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          let store = PostgreSQLStore(server.connection(), table: "mine", connections: 3)
          group.addTask { [old] in try await store.save(old, for: SessionKey("\(number)"), replacing: .nothing) }
        }
        try await group.waitForAll()
      }
      #expect(try await server.sql("SELECT count(*) FROM mine") == "8")
      try await server.sql(
        "CREATE ROLE app LOGIN PASSWORD 'app'; REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT SELECT ON mine TO app")
      let reader = PostgreSQLStore(
        Secret("postgresql://app:app@127.0.0.1:\(server.port)/postgres"), table: "mine")
      #expect(await reader.load(SessionKey("3")) == .present(old))
      await expectUnavailable("42501") { try await reader.save(old, for: key, replacing: .anything) }
      let without = PostgreSQLStore(
        Secret("postgresql://app:app@127.0.0.1:\(server.port)/postgres"), table: "none")
      #expect(await without.load(key) == .unavailable(OstiaryError(.storeUnavailable, "")))
    }

    @Test("A renewal takes three round trips: lock and read, write, unlock")
    func roundTrips() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection("options='-c log_statement=all'"))
      try await store.save(old, for: key, replacing: .nothing)
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
      let before = try server.statements()
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await store.load(key) == .present(old))
        // What a session manager does before it renews, to learn whether the store can be written.
        try await store.save(old, for: key, replacing: .exactly(old))
        try await store.save(new, for: key, replacing: .exactly(old))
      }
      let sent = try server.statements().dropFirst(before.count)
      #expect(sent.count == 3, "\(sent)")
      #expect(await PostgreSQLStore(server.connection()).load(key) == .present(new))
    }

    @Test("What was read with the lock is used once: after that, and after a conflict, the server is asked")
    func readingWithTheLock() async throws {
      let server = try await PostgreSQLServer.start()
      let (store, other) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      try await store.save(old, for: key, replacing: .nothing)
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await store.load(key) == .present(old))
        try await other.save(new, for: key, replacing: .exactly(old))
        #expect(await store.load(key) == .present(new))
        await #expect(throws: OstiaryError(.storeConflict, "")) {
          try await store.save(old, for: key, replacing: .exactly(old))
        }
        await #expect(throws: OstiaryError(.storeConflict, "")) {
          try await store.remove(key, ifHolding: .exactly(old))
        }
        try await store.remove(key, ifHolding: .exactly(new))
        #expect(await store.load(key) == .absent)
      }
    }

    // MARK: Several

    @Test("Invariant 5: of stores that compare and save at once, one wins and the rest are told")
    func contested() async throws {
      let server = try await PostgreSQLServer.start()
      let stores = (0..<3).map { _ in PostgreSQLStore(server.connection(), connections: 2) }
      for expected in [StoreExpectation.nothing, .exactly(old)] {
        if expected != .nothing { try await stores[0].save(old, for: key, replacing: .anything) }
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<30 {
            group.addTask { [key] in
              do {
                try await stores[number % 3].save(Data("\(number)".utf8), for: key, replacing: expected)
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
    }

    /// Adds one, `times` times, in a way that loses updates unless access is exclusive.
    private static func count(_ times: Int, in store: PostgreSQLStore) async throws {
      for _ in 0..<times {
        try await store.withExclusiveAccess(to: key, patience: .seconds(120)) {
          var count = 0
          if case .present(let data) = await store.load(key) {
            count = Int(String(decoding: data, as: UTF8.self)) ?? -1
          }
          try await store.save(Data("\(count + 1)".utf8), for: key, replacing: .anything)
        }
      }
    }

    @Test(
      "Invariant 1: processes with two connections each that count under exclusive access lose no count, one killed")
    func counting() async throws {
      let server = try await PostgreSQLServer.start()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            await #expect(processExitsWith: .success) { [connection = server.connection().reveal() as String] in
              try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                  let store = PostgreSQLStore(Secret(connection), connections: 2)
                  for _ in 0..<5 { group.addTask { try await PostgreSQLStoreTests.count(4, in: store) } }
                }
                try await group.waitForAll()
              }
            }
          }
        }
        group.addTask {
          await #expect(processExitsWith: .signal(SIGKILL)) { [connection = server.connection().reveal() as String] in
            let store = PostgreSQLStore(Secret(connection), connections: 2)
            try await PostgreSQLStoreTests.count(5, in: store)
            try await store.withExclusiveAccess(to: PostgreSQLStoreTests.key, patience: .seconds(120)) {
              _ = kill(getpid(), SIGKILL)
            }
          }
        }
        try await group.waitForAll()
      }
      let store = PostgreSQLStore(server.connection())
      #expect(await store.load(key) == .present(Data("125".utf8)))
    }

    @Test("Renewals of many accounts at once need no more than two connections")
    func manyAccounts() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection(), connections: 2)
      let gate = Gate()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask { [old] in
            try await store.withExclusiveAccess(to: SessionKey("\(number)"), patience: .seconds(60)) {
              try await gate.pass()
              try await store.save(old, for: SessionKey("\(number)"), replacing: .nothing)
            }
          }
        }
        // All are inside at the same time.
        try await gate.waitForWaiting(100)
        gate.open()
        try await group.waitForAll()
      }
      #expect(try await store.accounts().count == 100)
      let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ostiary'"
      #expect(try #require(Int(try await server.sql(connections))) <= 2)
    }

    @Test(
      "Invariant 7: a holder that does not finish costs the patience, no more; who is cancelled leaves no lock behind")
    func patience() async throws {
      let server = try await PostgreSQLServer.start()
      let (store, other) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        await expectUnavailable("did not finish in time") {
          try await other.withExclusiveAccess(to: key, patience: .milliseconds(50)) {}
        }
        let waiter = Task { try await other.withExclusiveAccess(to: Self.key, patience: .seconds(60)) {} }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
      }
      try await other.withExclusiveAccess(to: key, patience: .zero) {}
      #expect(try await server.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == "0")
    }

    // MARK: Broken connections

    @Test("A connection that is ended while it holds the lock: what would replace anything fails before it is written")
    func lostLock() async throws {
      let server = try await PostgreSQLServer.start()
      let (store, other) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      try await store.save(old, for: key, replacing: .nothing)
      let holder = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_locks WHERE locktype = 'advisory'"
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        #expect(try await server.sql(holder) == "1")
        // Others get in, as they must when a holder dies …
        try await other.withExclusiveAccess(to: key, patience: .seconds(30)) {
          await expectUnavailable("exclusive access") {
            // … and so this one must not write over what it doesn't know, though a connection could be had.
            try await store.save(new, for: key, replacing: .anything)
          }
          await expectUnavailable("exclusive access") { try await store.remove(key, ifHolding: .anything) }
          #expect(await other.load(key) == .present(old))
        }
      }
      try await store.withExclusiveAccess(to: key, patience: .seconds(30)) {
        try await store.save(new, for: key, replacing: .exactly(old))
      }
      #expect(await other.load(key) == .present(new))
    }

    @Test(
      "Bug-A32: a proof is saved, and a session ended, after the holder's connection was ended, if what it replaces is there",
      arguments: [2, 4])
    func saveAnyway(connections: Int) async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection(), connections: connections)
      let other = PostgreSQLStore(server.connection())
      #expect(store.exclusiveAccessCanBeLost)
      try await store.save(old, for: key, replacing: .nothing)
      let holder = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_locks WHERE locktype = 'advisory'"
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await store.load(key) == .present(old))
        #expect(try await server.sql(holder) == "1")
        try await store.save(new, for: key, replacing: .exactly(old))
        #expect(await other.load(key) == .present(new))
        #expect(await store.load(key) == .present(new))
        // Another has been faster: no lock, no write.
        try await other.save(old, for: key, replacing: .exactly(new))
        await #expect(throws: OstiaryError(.storeConflict, "")) {
          try await store.save(new, for: key, replacing: .exactly(new))
        }
        try await store.end(key, with: new, ifHolding: .exactly(old))
        #expect(await other.load(key) == .present(new))
        #expect(try await other.accounts().isEmpty)
      }
      try await store.withExclusiveAccess(to: key, patience: .seconds(30)) {
        try await store.save(old, for: key, replacing: .exactly(new))
      }
      #expect(await other.load(key) == .present(old))
    }

    @Test("Bug-A32: a server that ends idle sessions does not end those of a store")
    func idleSessions() async throws {
      let server = try await PostgreSQLServer.start()
      guard try await server.sql("SELECT count(*) FROM pg_settings WHERE name = 'idle_session_timeout'") == "1" else {
        try Test.cancel("This PostgreSQL has no idle_session_timeout.")
      }
      let store = PostgreSQLStore(server.connection("options='-c idle_session_timeout=200'"))
      try await store.save(old, for: key, replacing: .nothing)
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        // Its clock is the one that counts.
        _ = try await server.sql("SELECT count(*) FROM (SELECT pg_sleep(1)) AS pause")
        let locks = try await server.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        #expect(locks == "1")
      }
    }

    @Test("Invariant 7: a server that is stopped is unavailable; when it is back, so is the store")
    func restart() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection())
      try await store.save(old, for: key, replacing: .nothing)
      try await server.stop()
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not unavailable")
        return
      }
      #expect(error.isTransient)
      #expect(error.message.contains("Cannot connect"), "\(error.message)")
      await expectUnavailable("Cannot connect") { try await store.save(new, for: key, replacing: .anything) }
      await expectUnavailable("Cannot connect") { try await store.withExclusiveAccess(to: key, patience: .zero) {} }
      try await server.start()
      // A connection that the restart has broken is noticed before it is used.
      #expect(await store.load(key) == .present(old))
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        try await store.save(new, for: key, replacing: .exactly(old))
      }
      try await server.stop()
      try await server.start()
      #expect(await store.load(key) == .present(new))
    }

    @Test("Invariant 7: a server that does not answer in time is unavailable, and a late answer is nobody's")
    func slow() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection(), connections: 2, timeout: .seconds(5))
      try await store.save(old, for: key, replacing: .nothing)
      let stopped = try await server.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'ostiary'")
        .split(separator: "\n").compactMap { pid_t($0) }
      #expect(!stopped.isEmpty)
      for pid in stopped { kill(pid, SIGSTOP) }
      defer { for pid in stopped { kill(pid, SIGCONT) } }
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not unavailable")
        return
      }
      #expect(error.message.contains("did not answer"), "\(error.message)")
      // The next one gets a connection that works.
      #expect(await store.load(key) == .present(old))
    }

    @Test("A statement that the server gives up is unavailable, and the connection goes on")
    func blocked() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection(), timeout: .seconds(120))
      try await store.save(old, for: key, replacing: .nothing)
      try await server.sql("ALTER TABLE ostiary_sessions RENAME TO gone")
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("a missing table is not absence")
        return
      }
      #expect(error.message.contains("42P01"), "\(error.message)")
      await expectUnavailable("42P01") { try await store.withExclusiveAccess(to: key, patience: .zero) {} }
      #expect(try await server.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == "0")
      try await server.sql("ALTER TABLE gone RENAME TO ostiary_sessions")
      #expect(await store.load(key) == .present(old))
      let readOnly = PostgreSQLStore(server.connection("options='-c default_transaction_read_only=on'"))
      #expect(await readOnly.load(key) == .present(old))
      await expectUnavailable("25006") { try await readOnly.save(new, for: key, replacing: .anything) }
      try await readOnly.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await readOnly.load(key) == .present(old))
        await expectUnavailable("25006") { try await readOnly.save(old, for: key, replacing: .exactly(old)) }
      }
    }

    // MARK: Secrets

    @Test("Invariant 12, Store-T7: no error and no description shows the connection string")
    func secrets() async throws {
      let server = try await PostgreSQLServer.start()
      let wrong = "hunter2-wrong"
      let strings = [
        "host=127.0.0.1 port=\(server.port) user=ostiary password=\(wrong) dbname=postgres",
        "postgresql://ostiary:\(wrong)@127.0.0.1:\(server.port)/postgres",
        "host=127.0.0.1 port=1 password=\(wrong)",
        "\(wrong) host", "postgresql://ostiary:\(wrong)@127.0.0.1:notaport/", "a\0\(wrong)",
      ]
      for string in strings {
        let store = PostgreSQLStore(Secret(string))
        guard case .unavailable(let error) = await store.load(key) else {
          Issue.record("not unavailable")
          continue
        }
        var dumped = ""
        dump((error, store), to: &dumped)
        for text in ["\(error)", String(reflecting: error), error.localizedDescription, dumped, "\(store)"] {
          #expect(!text.contains(wrong), "\(text)")
        }
      }
      let refused = PostgreSQLStore(Secret(strings[0]))
      guard case .unavailable(let error) = await refused.load(key) else { return }
      #expect(error.message.contains("password authentication failed for user \"ostiary\""))
    }

    @Test("A table's name that would need quotes is the program's mistake")
    func tableNames() async throws {
      for name in ["", "a b", "x;drop table y", "Upper", "1st", String(repeating: "x", count: 64), "é"] {
        let store = PostgreSQLStore("host=127.0.0.1 port=1", table: name)
        guard case .unavailable(let error) = await store.load(key) else {
          Issue.record("not unavailable")
          continue
        }
        #expect(error.disposition == .misuse, "\(name)")
      }
    }
  }
#endif
