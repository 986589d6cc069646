#if SecretService
  import Foundation
  import OstiaryCore
  import OstiaryStores
  import OstiaryTesting
  import TestSupport
  import Testing

  /// Against a real GNOME Keyring, one for each test.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct SecretServiceStoreTests {
    private let key = SessionKey("ann@example.org")
    private let old = Data("the old session".utf8)
    private let new = Data("the new session".utf8)

    private func store(_ keyring: Keyring, application: String = "test") -> SecretServiceStore {
      SecretServiceStore(application: application, busAddress: keyring.address, lockFolder: keyring.lockFolder)
    }

    @Test("Bug-A24: the folder of the locks is the same whatever the environment says, as in a job of cron")
    func lockFolder() async {
      await #expect(processExitsWith: .success) { [expected = SecretServiceStore.lockFolder("test").path as String] in
        for variable in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"] { setenv(variable, "/elsewhere", 1) }
        try #require(SecretServiceStore.lockFolder("test").path == expected)
        for variable in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"] { unsetenv(variable) }
        try #require(SecretServiceStore.lockFolder("test").path == expected)
      }
    }

    /// Expects that nothing can be told or done, with a sentence that says why.
    private func expectUnavailable(
      _ words: String, _ store: SecretServiceStore, _ location: SourceLocation = #_sourceLocation
    ) async {
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not unavailable", sourceLocation: location)
        return
      }
      #expect(error.code == .storeUnavailable, sourceLocation: location)
      #expect(error.isTransient, sourceLocation: location)
      #expect(error.message.contains(words), "\(error.message)", sourceLocation: location)
      let unavailable = OstiaryError(.storeUnavailable, "")
      await #expect(throws: unavailable, sourceLocation: location) {
        try await store.save(new, for: key, replacing: .anything)
      }
      await #expect(throws: unavailable, sourceLocation: location) { try await store.remove(key, ifHolding: .anything) }
      await #expect(throws: unavailable, sourceLocation: location) { try await store.accounts() }
      await #expect(throws: unavailable, sourceLocation: location) { try await store.removeAll() }
    }

    @Test("Sessions come back byte for byte, with their names, and are encrypted on the disk")
    func roundTrip() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      let store = store(keyring)
      #expect(await store.load(key) == .absent)
      #expect(try await store.accounts().isEmpty)
      let sessions: [(SessionKey, Data)] = [
        (SessionKey(""), Data()), (SessionKey("a\0b"), Data([0])), (SessionKey("a%00b"), Data([0, 1, 0])),
        (SessionKey("é"), Data((0...255).map(UInt8.init))), (SessionKey(String(repeating: "x", count: 5000)), old),
      ]
      for (key, data) in sessions { try await store.save(data, for: key, replacing: .nothing) }
      let other = self.store(keyring)
      for (key, data) in sessions { #expect(await other.load(key) == .present(data)) }
      #expect(try await Set(other.accounts()) == Set(sessions.map(\.0)))
      #expect(try await self.store(keyring, application: "another").accounts().isEmpty)
      let files = try keyring.files()
      #expect(files.count > 100)
      #expect(files.range(of: old) == nil)
      try await store.save(new, for: SessionKey("é"), replacing: .exactly(sessions[3].1))
      try await store.remove(SessionKey(""), ifHolding: .exactly(Data()))
      #expect(await other.load(SessionKey("é")) == .present(new))
      #expect(await other.load(SessionKey("")) == .absent)
      try await store.removeAll()
      #expect(try await store.accounts().isEmpty)
    }

    @Test("A session of a megabyte comes back whole")
    func large() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      let large = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try await store(keyring).save(large, for: key, replacing: .nothing)
      #expect(await store(keyring).load(key) == .present(large))
      try await store(keyring).save(new, for: key, replacing: .exactly(large))
      #expect(await store(keyring).load(key) == .present(new))
    }

    @Test("Invariant 7, Store-T2: a keyring that is locked meanwhile is unavailable, never empty, and loses nothing")
    func lockedMeanwhile() async throws {
      var keyring = try await Keyring()
      try await keyring.start(password: "secret")
      let store = store(keyring)
      try await store.save(old, for: key, replacing: .nothing)
      try await keyring.lock()
      await expectUnavailable("it is locked", store)
      await expectUnavailable("it is locked", self.store(keyring))

      // The wrong password leaves it locked, no password too, and the right one opens it.
      for (password, words) in [("wrong", "it is locked"), (nil, "it is locked"), ("secret", nil)] {
        let folder = keyring.folder
        keyring.end()
        keyring = try await Keyring(in: folder)
        try await keyring.start(password: password)
        if let words {
          await expectUnavailable(words, self.store(keyring))
          await expectUnavailable(words, store)
        }
      }
      // The first store has lost its bus three times.
      #expect(await store.load(key) == .present(old))
      #expect(await self.store(keyring).load(key) == .present(old))
    }

    @Test("Invariant 7: without a bus, without a service and without a keyring nothing is absent, and it says which")
    func missing() async throws {
      let folder = try TemporaryFolder()
      await expectUnavailable(
        "there is no D-Bus session",
        SecretServiceStore(
          application: "test", busAddress: "unix:path=\(folder.file("none").path)", lockFolder: folder.file("locks")))
      let keyring = try await Keyring()
      let store = store(keyring)
      await expectUnavailable("no program offers the Secret Service", store)
      try await keyring.start(password: nil)
      await expectUnavailable("there is no default keyring", store)
    }

    @Test("Invariant 5: of stores that compare and save at once, one wins and the rest are told")
    func contested() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      let stores = (0..<3).map { _ in store(keyring) }
      try await stores[0].save(old, for: key, replacing: .nothing)
      let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<12 {
          group.addTask { [key, old] in
            do {
              try await stores[number % 3].save(Data("\(number)".utf8), for: key, replacing: .exactly(old))
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

    @Test("Invariant 1: exclusive access holds between stores of one application, whatever the keyring's state")
    func exclusion() async throws {
      let keyring = try await Keyring()
      let (store, other) = (store(keyring), store(keyring))
      try await store.withExclusiveAccess(to: key, patience: .zero) {
        _ = await #expect(throws: OstiaryError(.storeUnavailable, "")) {
          try await other.withExclusiveAccess(to: key, patience: .zero) {}
        }
      }
      try await other.withExclusiveAccess(to: key, patience: .zero) {}
    }
  }
#endif
