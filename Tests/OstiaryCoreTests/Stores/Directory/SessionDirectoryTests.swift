import Foundation
@testable import OstiaryCore
@testable import OstiarySealing
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct SessionDirectoryTests {
  private let issuedAt = Date(timeIntervalSince1970: 1_800_000_000)

  private func session(_ user: String) throws -> Session {
    Session(
      kind: AuthenticatorKind("test"), server: try #require(URL(string: "https://\(user).example")),
      version: ProofVersion(),
      grant: SessionGrant(
        user: Session.User(id: user, displayName: user.uppercased()),
        proof: Proof(tokens: ["access_token": "secret-token"]), expiresAt: issuedAt + 3600),
      issuedAt: issuedAt)
  }

  @Test("The directory says who, where, since when and when last, read from the sessions themselves")
  func listing() async throws {
    let store = SealedStore(EphemeralStore(), keys: .given(.random()))
    #expect(try await store.sessions().isEmpty)
    let ann = try session("ann")
    let (annsKey, bobsKey) = (SessionKey("ann@example"), SessionKey("bob@example"))
    try await store.save(SessionCodec.encode(try session("bob")), for: bobsKey, replacing: .nothing)
    try await store.save(
      SessionCodec.encode(ann, lastUsedAt: issuedAt + 60), for: annsKey, replacing: .nothing)
    let sessions = try await store.sessions()
    #expect(sessions.map(\.key) == [annsKey, bobsKey])
    guard case .session(let first) = sessions[0].content, case .session(let second) = sessions[1].content else {
      Issue.record("\(sessions)")
      return
    }
    #expect(first == SessionSummary(ann, lastUsedAt: issuedAt + 60))
    #expect(first.user == Session.User(id: "ann", displayName: "ANN"))
    #expect(first.server == URL(string: "https://ann.example"))
    #expect(first.issuedAt == issuedAt && first.expiresAt == issuedAt + 3600)
    #expect(second.lastUsedAt == nil)
    var text = "\(sessions)"
    dump(sessions, to: &text)
    #expect(!text.contains("secret-token"))
  }

  @Test("What can't be read is listed as such, with the reason; what is removed meanwhile is not")
  func unreadable() async throws {
    let inner = EphemeralStore()
    let store = SealedStore(inner, keys: .given(.random()))
    let keys = ["a", "b", "c", "d"].map { SessionKey($0) }
    for key in keys { try await store.save(SessionCodec.encode(try session(key.name)), for: key, replacing: .nothing) }
    try await store.save(Data(#"{"format": 99}"#.utf8), for: keys[1], replacing: .anything)
    let stranger = try SealedRecord.seal(Data("x".utf8), for: keys[2], with: .random())
    try await inner.save(stranger, for: keys[2], replacing: .anything)
    let sessions = try await store.sessions()
    #expect(sessions.map(\.key) == keys)
    #expect(sessions[1].content == .unreadable(OstiaryError(.storeCorrupt, "")))
    #expect(sessions[2].content == .unreadable(OstiaryError(.storeUnavailable, "")))
    for index in [0, 3] {
      guard case .session(let summary) = sessions[index].content else {
        Issue.record("\(sessions[index])")
        continue
      }
      #expect(summary.user.id == keys[index].name)
    }
  }

  @Test("Invariant 7: a locked store has no directory, rather than an empty one")
  func locked() async throws {
    let store = FaultyStore()
    try await store.save(SessionCodec.encode(try session("ann")), for: SessionKey("ann"), replacing: .nothing)
    store.lock()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await store.sessions() }
    store.unlock()
    store.inject(.unavailable, into: .load)
    #expect(try await store.sessions().map(\.content) == [.unreadable(OstiaryError(.storeUnavailable, ""))])
  }

  @Test("Sessions that were written before anybody knew of last use are read, and the other way round")
  func optionalUse() throws {
    let session = try session("ann")
    let old = try SessionCodec.encode(session)
    #expect(!String(decoding: old, as: UTF8.self).contains("lastUsedAt"))
    #expect(try SessionCodec.decodeWithUse(old).lastUsedAt == nil)
    let new = try SessionCodec.encode(session, lastUsedAt: issuedAt)
    #expect(try SessionCodec.decode(new) == session)
    #expect(try SessionCodec.decodeWithUse(new).lastUsedAt == issuedAt)
  }
}
