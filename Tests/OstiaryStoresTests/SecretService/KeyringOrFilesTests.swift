#if SecretService
  import Foundation
  import OstiaryCore
  import OstiarySealing
  import OstiaryStores
  import OstiaryTesting
  import TestSupport
  import Testing

  /// Against a real GNOME Keyring, and against none.
  @Suite("The keyring, or files where there is none", .serialized, .timeLimit(.minutes(20)))
  struct KeyringOrFilesTests {
    private let folder: TemporaryFolder
    private let key = SessionKey("ann@example.org")
    private let session = Data("the session".utf8)

    init() throws {
      folder = try TemporaryFolder()
    }

    private var files: EncryptedFileStore {
      EncryptedFileStore(
        in: folder.file("state/sessions"), key: .keyFile(folder.file("state/session.key")))
    }

    /// The store of a program that is started now.
    private func store(_ keyring: Keyring? = nil) -> KeyringOrFiles {
      KeyringOrFiles(keyring: keyringStore(keyring), files: files)
    }

    private func keyringStore(_ keyring: Keyring?) -> SecretServiceStore {
      SecretServiceStore(
        application: "test", busAddress: keyring?.address ?? "unix:path=\(folder.file("none").path)",
        lockFolder: folder.file("locks"))
    }

    @Test("Where there is a keyring the session is there, and nothing of it in files")
    func keyring() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      let store = store(keyring)
      #expect(await store.load(key) == .absent)
      try await store.save(session, for: key, replacing: .nothing)
      #expect(await keyringStore(keyring).load(key) == .present(session))
      #expect(await files.load(key) == .absent)
      #expect(await self.store(keyring).load(key) == .present(session))
      #expect(try await self.store(keyring).accounts() == [key])

      // The same program over SSH: there is a session, and it can't be read here.
      let elsewhere = self.store()
      #expect(await elsewhere.load(key) == .unavailable(OstiaryError(.storeUnavailable, "")))
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await elsewhere.save(session, for: key, replacing: .nothing)
      }
      #expect(await files.load(key) == .absent)
      try await self.store(keyring).removeAll()
      #expect(await keyringStore(keyring).load(key) == .absent)
    }

    @Test("Where there is none it is in files, encrypted, and stays there when a keyring comes")
    func noKeyring() async throws {
      let store = store()
      #expect(await store.load(key) == .absent)
      try await store.save(session, for: key, replacing: .nothing)
      #expect(await store.load(key) == .present(session))
      #expect(store.stamp(of: key) != nil)
      #expect(await files.load(key) == .present(session))
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      #expect(await self.store(keyring).load(key) == .present(session))
      #expect(await keyringStore(keyring).load(key) == .absent)
      try await self.store(keyring).remove(key, ifHolding: .exactly(session))
      #expect(try await self.store(keyring).accounts().isEmpty)
    }

    @Test("Store-T2, invariant 7: a keyring that is locked is there: nothing is absent, and nothing goes into files")
    func locked() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: "secret")
      try await keyring.lock()
      let store = store(keyring)
      #expect(await store.load(key) == .unavailable(OstiaryError(.storeUnavailable, "")))
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await store.save(session, for: key, replacing: .nothing)
      }
      #expect(await files.load(key) == .absent)
    }

    @Test("A desktop without a default keyring is none")
    func noDefault() async throws {
      let keyring = try await Keyring()
      try await keyring.start(password: nil)
      try await store(keyring).save(session, for: key, replacing: .nothing)
      #expect(await files.load(key) == .present(session))
    }

    @Test("Store-T6: without a keyring it keeps the contract", arguments: StoreConformance.checks)
    func contract(check: StoreCheck) async throws {
      try await check.run { store() }
    }
  }
#endif
