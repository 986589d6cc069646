import Foundation
import NewzuluCore
import OstiaryCore
import OstiaryTesting
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

  @Test("Newzulu-N5: identifiers that make the same file name share nothing; equal ones share all")
  func identifiers() async throws {
    let name = UUID().uuidString
    let stores = ["\(name) a", "\(name)-a", "\(name)/a", "\(name) A"].map { KeychainStore(identifier: $0) }
    defer {
      for store in stores {
        guard let files = store.storage as? FileStore else { continue }
        try? FileManager.default.removeItem(at: files.folder.deletingLastPathComponent())
      }
    }
    try await stores[0].savePassword("secret", forEmail: "ann@example.com")
    #expect(try await KeychainStore(identifier: stores[0].identifier).password(forEmail: "ann@example.com") == "secret")
    for store in stores.dropFirst() { #expect(try await store.password(forEmail: "ann@example.com") == nil) }
  }

  @Test("An ephemeral store shares nothing with another")
  func ephemeral() async throws {
    let (first, second) = (EphemeralSessionStore(), EphemeralSessionStore())
    try await first.storage.save(Data([1]), for: SessionKey("x"), replacing: .nothing)
    #expect(await second.storage.load(SessionKey("x")) == .absent)
  }
}
