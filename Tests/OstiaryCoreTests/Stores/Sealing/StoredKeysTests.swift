import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryTesting
import Testing

/// Keys that another store keeps.
@Suite(.timeLimit(.minutes(20))) struct StoredKeysTests {
  private let session = SessionKey("ann")

  @Test("Bug-A21: keys that a person has written by hand are rotated")
  func byHand() async throws {
    let (secrets, inner) = (EphemeralStore(), EphemeralStore())
    let first = SealingKey.random()
    let text = Data("\n# made by openssl\n  \(first.reveal().base64EncodedString())  \n\n".utf8)
    try await secrets.save(text, for: SessionKey("ostiary sealing keys"), replacing: .nothing)
    let keys = StoredKeys(in: secrets)
    let store = SealedStore(inner, keys: keys)
    try await store.save(Data("a".utf8), for: session, replacing: .nothing)
    try await store.rotateKey()
    let rotated = try #require(try await keys.keys())
    #expect(rotated.current != first)
    #expect(rotated.older == [first])
    #expect(await store.load(session) == .present(Data("a".utf8)))
  }

  @Test("Bug-A21: a rotation that made no new key says so")
  func nothingRotated() async throws {
    struct Stuck: SealingKeySource {
      let fixed = SealingKeys(current: .random())
      func keys() async throws -> SealingKeys? { fixed }
      func makeKey(after known: SealingKeys?) async throws -> SealingKeys { fixed }
    }
    await #expect(throws: OstiaryError(.storeConflict, "")) {
      try await SealedStore(EphemeralStore(), keys: Stuck()).rotateKey()
    }
    // A store that never lets the keys be replaced.
    let secrets = FaultyStore()
    try await secrets.save(SealingKeys(current: .random()).revealText(), for: SessionKey("k"), replacing: .nothing)
    secrets.inject(.conflict, into: .save)
    let keys = StoredKeys(in: secrets, as: SessionKey("k"))
    let known = try await keys.keys()
    await #expect(throws: OstiaryError(.storeConflict, "")) { _ = try await keys.makeKey(after: known) }
  }
}
