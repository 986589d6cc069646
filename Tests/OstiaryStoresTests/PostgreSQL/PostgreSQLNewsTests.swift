#if PostgreSQL
  import Foundation
  import HTTPTypes
  import OstiaryCore
  import OstiarySealing
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

  /// What stores on several machines hear of each other, against a real server, one for each test.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct PostgreSQLNewsTests {
    /// The lock that those who listen hold.
    private static let held = "locktype = 'advisory' AND mode = 'ShareLock'"
    private let key = SessionKey("ann@example.org")
    private let old = Data("the old session".utf8)
    private let new = Data("the new session".utf8)

    /// Waits until the store's stamps stay the same, because it listens.
    private func listening(_ store: any SessionStore, _ key: SessionKey) async throws -> StoreStamp {
      var found: StoreStamp?
      try await waitUntil("stamps that stay") {
        guard let stamp = store.stamp(of: key), store.stamp(of: key) == stamp else { return false }
        found = stamp
        return true
      }
      return try #require(found)
    }

    /// The statements that the server has been sent, once every lock has been given back: that comes after the answer.
    private func statements(_ server: PostgreSQLServer) async throws -> [Substring] {
      var sent: [Substring] = []
      try await waitUntil("every unlock") {
        sent = try server.statements()
        let locks = sent.count { $0.contains("pg_try_advisory_lock") }
        return sent.count { $0.contains("pg_advisory_unlock") } == locks
      }
      return sent
    }

    @Test(
      """
      A session manager's renewal takes four round trips, sealed or not, and none before or after: the lock with a reading, \
      the claim, the new proof, the unlock
      """,
      arguments: [false, true])
    func roundTrips(isSealed: Bool) async throws {
      let server = try await PostgreSQLServer.start()
      let folder = try TemporaryFolder()
      let plain = PostgreSQLStore(server.connection("options='-c log_statement=all'"))
      let store: any SessionStore = isSealed ? SealedStore(plain, keys: .keyFile(folder.file("key"))) : plain
      let scripted = ScriptedServer()
      let manager = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: scripted.transport(), store: store, key: key)
      try await manager.signIn(with: .password(username: "ann", password: "apple"))
      let http = AuthenticatedTransport(manager)
      let request = try TransportRequest.get(ScriptedAuthenticator.defaultServer.appending(path: "things"))
      #expect(try await http.send(request).status == .ok)
      _ = try await listening(store, key)
      #expect(try await http.send(request).status == .ok)

      var fewest = Int.max
      for _ in 0..<3 {
        scripted.expireAccessTokens()
        let before = try await statements(server)
        for _ in 0..<5 { #expect(try await http.send(request).status == .ok) }
        let sent = try await statements(server).dropFirst(before.count)
        #expect(sent.count { $0.contains("UPDATE") } == 2, "\(sent.joined(separator: "\n"))")
        #expect(sent.count { $0.contains("pg_advisory_unlock") } == 1, "\(sent.joined(separator: "\n"))")
        fewest = min(fewest, sent.count)
      }
      // On a machine under load the news of a write may come after the write's end: then the store is read again.
      #expect(fewest == 4)
      #expect(scripted.counts.renewals == 3)
    }

    @Test("Invariants 1 and 5: a renewal elsewhere is taken over without a refused request")
    func renewal() async throws {
      let server = try await PostgreSQLServer.start()
      let (here, there) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      let scripted = ScriptedServer()
      let transport = scripted.transport()
      let managers = [here, there].map {
        SessionManager(authenticator: ScriptedAuthenticator(), transport: transport, store: $0, key: key)
      }
      try await managers[0].signIn(with: .password(username: "ann", password: "apple"))
      let request = try TransportRequest.get(ScriptedAuthenticator.defaultServer.appending(path: "things"))
      for manager in managers { #expect(try await AuthenticatedTransport(manager).send(request).status == .ok) }
      let before = try await listening(here, key)
      scripted.expireAccessTokens()
      #expect(try await AuthenticatedTransport(managers[1]).send(request).status == .ok)
      try await waitUntil("news of the renewal") { here.stamp(of: key) != before }
      let sent = transport.count(.get, "/things")
      #expect(try await AuthenticatedTransport(managers[0]).send(request).status == .ok)
      #expect(transport.count(.get, "/things") == sent + 1)
      #expect(scripted.counts.renewals == 1)
    }

    @Test("A removal that has returned shows in every stamp, again and again, with removers at once")
    func removals() async throws {
      let server = try await PostgreSQLServer.start()
      let stores = (0..<4).map { _ in PostgreSQLStore(server.connection(), connections: 3) }
      for store in stores { _ = try await listening(store, key) }
      for round in 0..<Storm.size(5, full: 20) {
        let keys = stores.indices.map { SessionKey("\(round) \($0)") }
        for (store, key) in zip(stores, keys) { try await store.save(old, for: key, replacing: .nothing) }
        var stamps: [[StoreStamp]] = []
        for store in stores {
          var own: [StoreStamp] = []
          for key in keys { own.append(try await listening(store, key)) }
          stamps.append(own)
        }
        let before = stamps
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (number, remover) in stores.enumerated() {
            group.addTask {
              try await remover.remove(keys[number], ifHolding: .anything)
              for (other, store) in stores.enumerated() {
                #expect(store.stamp(of: keys[number]) != before[other][number], "round \(round)")
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }

    @Test("What was read before the news of it came is seen to go, though nothing was there before it either")
    func readBeforeTheNews() async throws {
      let server = try await PostgreSQLServer.start()
      let (here, there) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      _ = try await listening(here, key)
      for round in 0..<Storm.size(25, full: 100) {
        try await there.save(new, for: key, replacing: .nothing)
        let stamp = here.stamp(of: key)
        #expect(await here.load(key) == .present(new))
        try await there.remove(key, ifHolding: .exactly(new))
        #expect(here.stamp(of: key) != stamp, "round \(round)")
      }
    }

    @Test("A connection that is lost makes no stamp that says “unchanged”; another one takes its place")
    func lost() async throws {
      let server = try await PostgreSQLServer.start()
      let (here, there) = (PostgreSQLStore(server.connection()), PostgreSQLStore(server.connection()))
      try await there.save(old, for: key, replacing: .nothing)
      var known: Set<StoreStamp> = []
      for _ in 0..<Storm.size(2, full: 5) {
        known.insert(try await listening(here, key))
        #expect(
          try await server.sql("SELECT bool_and(pg_terminate_backend(pid, 5000)) FROM pg_locks WHERE \(Self.held)")
            == "t")
        #expect(here.stamp(of: key).map { !known.contains($0) } ?? true)
        try await there.save(new, for: key, replacing: .anything)
        for _ in 0..<100 { #expect(here.stamp(of: key).map { !known.contains($0) } ?? true) }
      }
      _ = try await listening(here, key)
    }

    @Test("Invariant 7: without a server there is no stamp, and known sessions go on; when it is back, so are stamps")
    func restart() async throws {
      let server = try await PostgreSQLServer.start()
      let store = PostgreSQLStore(server.connection())
      let scripted = ScriptedServer()
      let manager = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: scripted.transport(), store: store, key: key)
      try await manager.signIn(with: .password(username: "ann", password: "apple"))
      let before = try await listening(store, key)
      try await server.stop()
      #expect(store.stamp(of: key) != before)
      let request = try TransportRequest.get(ScriptedAuthenticator.defaultServer.appending(path: "things"))
      for _ in 0..<10 { #expect(try await AuthenticatedTransport(manager).send(request).status == .ok) }
      try await waitUntil("no stamp") { store.stamp(of: key) == nil }
      try await server.start()
      #expect(try await listening(store, key) != before)
      #expect(try await AuthenticatedTransport(manager).send(request).status == .ok)
      #expect(manager.history.map(\.kind) == [.signedIn])
    }

    @Test("A listener whose server does not answer any more has no stamp that says “unchanged” for long")
    func silent() async throws {
      let server = try await PostgreSQLServer.start()
      let here = PostgreSQLStore(server.connection(), timeout: .seconds(2), pulse: .milliseconds(200))
      let before = try await listening(here, key)
      let pid = try #require(pid_t(try await server.sql("SELECT pid FROM pg_locks WHERE \(Self.held)")))
      kill(pid, SIGSTOP)
      defer { kill(pid, SIGCONT) }
      // It has not been lost; it is only silent.
      try await waitUntil("another stamp") { here.stamp(of: key) != before }
      #expect(try await listening(here, key) != before, "another connection has taken its place")
    }

    @Test("A store that is gone leaves no connection behind, and a machine that is stopped holds nobody up for long")
    func ended() async throws {
      let server = try await PostgreSQLServer.start()
      do {
        let store = PostgreSQLStore(server.connection())
        _ = try await listening(store, key)
        try await store.save(old, for: key, replacing: .nothing)
      }
      let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ostiary'"
      try await waitUntil("the end of its connections") { try await server.sql(count) == "0" }
    }
  }
#endif
