import Foundation
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Newzulu's keychain store")
struct KeychainStoreTests {
  @Test("Newzulu-N10: passwords are kept when asked to, by address and tenant, and removed")
  func passwords() async throws {
    let store = KeychainStore(identifier: "app", storage: EphemeralStore())
    #expect(try await store.password(forEmail: "ann@example.com") == nil)
    try await store.savePassword("äpple 🔑", forEmail: "ann@example.com")
    try await store.savePassword("avocado", forEmail: "ann@example.com", userVHost: "1281")
    #expect(try await store.password(forEmail: "ann@example.com") == "äpple 🔑")
    #expect(try await store.password(forEmail: "ann@example.com", userVHost: "1281") == "avocado")
    try await store.savePassword("apricot", forEmail: "ann@example.com")
    #expect(try await store.password(forEmail: "ann@example.com") == "apricot")
    try await store.removePassword(forEmail: "ann@example.com")
    try await store.removePassword(forEmail: "ann@example.com")
    #expect(try await store.password(forEmail: "ann@example.com") == nil)
    #expect(try await store.password(forEmail: "ann@example.com", userVHost: "1281") == "avocado")
  }

  @Test("Invariant 7: a store that can't tell is not one without a password")
  func locked() async throws {
    let storage = FaultyStore()
    let store = KeychainStore(identifier: "app", storage: storage)
    storage.lock()
    let attempts: [@Sendable () async throws -> Void] = [
      { _ = try await store.password(forEmail: "a") }, { try await store.savePassword("x", forEmail: "a") },
      { try await store.removePassword(forEmail: "a") },
    ]
    for attempt in attempts {
      await #expect(throws: NewzuluError.self) { try await attempt() }
    }
    storage.unlock()
    #expect(try await store.password(forEmail: "a") == nil)
  }

  @Test("Newzulu-N10: a password is an item of its own: sessions come without it, and go without it")
  func separateItems() async throws {
    let storage = EphemeralStore()
    let store = KeychainStore(identifier: "app", storage: storage)
    let stub = NewzuluStub()
    let client = stub.platform()
    client.setAnn(store)
    _ = try #require(try await client.authenticated()?.value)
    let sessions = try await storage.accounts()
    #expect(sessions.count == 1)
    #expect(try await store.password(forEmail: "ann@example.com") == nil)
    guard case .present(let data) = await storage.load(sessions[0]) else {
      Issue.record("no session")
      return
    }
    #expect(!String(decoding: data, as: UTF8.self).contains("apple"))

    try await store.savePassword("apple", forEmail: "ann@example.com")
    #expect(try await storage.accounts().count == 2)
    #expect(await storage.load(sessions[0]) == .present(data))
    await withCheckedContinuation { continuation in client.clearCredentials { _ in continuation.resume() } }
    #expect(try await !storage.holdsSession(for: sessions[0]))
    #expect(try await store.password(forEmail: "ann@example.com") == "apple")
  }

  @Test("Newzulu-N5: identifiers that make the same file name share nothing; equal ones share all")
  func identifiers() async throws {
    try await withStores(["a b", "a-b", "a/b", "a B"]) { stores in
      try await stores[0].savePassword("secret", forEmail: "ann@example.com")
      let same = KeychainStore(identifier: stores[0].identifier)
      #expect(try await same.password(forEmail: "ann@example.com") == "secret")
      for store in stores.dropFirst() { #expect(try await store.password(forEmail: "ann@example.com") == nil) }
    }
  }

  @Test("Newzulu-N5: on the disk, a session comes back in the next launch under its identifier and no other")
  func nextLaunch() async throws {
    try await withStores(["app", "other app"]) { stores in
      let stub = NewzuluStub()
      let first = stub.platform()
      first.setAnn(KeychainStore(identifier: stores[0].identifier))
      let session = try #require(try await first.authenticated()?.value)
      let count = stub.transport.count
      let next = stub.platform()
      next.setAnn(KeychainStore(identifier: stores[0].identifier))
      try await next.waitForSession()
      #expect(next.currentSession == session)
      #expect(stub.transport.count == count)
      // Others have to sign in.
      for store: any NewzuluCore.SessionStore in [stores[1], EphemeralSessionStore()] {
        let before = stub.logins
        let other = stub.platform()
        other.setAnn(store)
        #expect(try await other.listed()?.value != nil)
        #expect(stub.logins == before + 1)
      }
    }
  }

  /// Runs `body` with stores of the platform, whose identifiers no other test has, and removes what they have kept.
  private func withStores(_ names: [String], _ body: ([KeychainStore]) async throws -> Void) async throws {
    let id = UUID().uuidString
    let stores = names.map { KeychainStore(identifier: "\(id) \($0)") }
    let result: Result<Void, any Error>
    do { result = .success(try await body(stores)) } catch { result = .failure(error) }
    for store in stores {
      try? await store.storage.removeAll()
      #if !canImport(Security)
        // Where it rests in files, these are in a folder of its own.
        let files = FileStore.default(application: KeychainStore.application(store.identifier))
        try? FileManager.default.removeItem(at: files.folder.deletingLastPathComponent())
      #endif
    }
    try result.get()
  }

  @Test("An ephemeral store shares nothing with another")
  func ephemeral() async throws {
    let (first, second) = (EphemeralSessionStore(), EphemeralSessionStore())
    try await first.storage.save(Data([1]), for: SessionKey("x"), replacing: .nothing)
    #expect(await second.storage.load(SessionKey("x")) == .absent)
  }
}
