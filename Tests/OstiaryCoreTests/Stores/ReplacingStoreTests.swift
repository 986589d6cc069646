import Foundation
@testable import OstiaryCore
import OstiaryTesting
import Testing

@Suite("A store that hides what it holds until something new is saved") struct ReplacingStoreTests {
  private let key = SessionKey("ann")
  private let clock = ManualClock()
  private let inner = EphemeralStore()

  /// The entry of a sign-in that is made now.
  private func entry() throws -> Data {
    let session = Session(
      kind: AuthenticatorKind("test"), server: try #require(URL(string: "https://ann.example")),
      version: ProofVersion(),
      grant: SessionGrant(user: Session.User(id: "ann"), proof: Proof(tokens: ["access_token": "secret"])),
      issuedAt: clock.now)
    return try SessionCodec.encode(StoredEntry(session: session, begun: clock.moment))
  }

  @Test("The first write takes the place of what was there, in one step")
  func replaces() async throws {
    try await inner.save(entry(), for: key, replacing: .nothing)
    clock.advance(by: .seconds(1))
    let store = ReplacingStore(inner, clock: clock)
    #expect(await store.load(key) == .absent)
    let new = try entry()
    try await store.save(new, for: key, replacing: .nothing)
    #expect(await inner.load(key) == .present(new))
    #expect(await store.load(key) == .present(new))
  }

  @Test("Bug-F28: a write that comes late leaves a sign-in that was made after the store, and shows it")
  func late() async throws {
    let store = ReplacingStore(inner, clock: clock)
    let late = try entry()
    clock.advance(by: .seconds(1))
    let new = try entry()
    try await inner.save(new, for: key, replacing: .nothing)
    await #expect(throws: OstiaryError.storeConflict) { try await store.save(late, for: key, replacing: .nothing) }
    #expect(await inner.load(key) == .present(new))
    #expect(await store.load(key) == .present(new))
  }

  @Test("What changes while it is replaced is replaced, too")
  func contested() async throws {
    let faulty = FaultyStore()
    try await faulty.save(entry(), for: key, replacing: .nothing)
    clock.advance(by: .seconds(1))
    let store = ReplacingStore(faulty, clock: clock)
    faulty.inject(.conflict, into: .save, at: .nth(1))
    let new = try entry()
    try await store.save(new, for: key, replacing: .nothing)
    #expect(await store.load(key) == .present(new))
  }
}
