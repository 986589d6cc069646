import Crypto
import Foundation
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore
@testable import OstiarySealing

/// What the conformance suite can't say about ended entries.
@Suite(.timeLimit(.minutes(20))) struct EndedEntryTests {
  private let key = SessionKey("app@example.org")
  private let a = Data("a".utf8)
  private let b = Data("b".utf8)
  private let entry = Data(#"{"ended":{}}"#.utf8)

  @Test("Bug-A38: a full store removes what it can't write an ended entry over, and a conflict stays one")
  func full() async throws {
    let store = FaultyStore()
    try await store.save(a, for: key, replacing: .nothing)
    store.isFull = true
    await #expect(throws: OstiaryError(.storeConflict, "")) {
      try await store.end(key, with: entry, ifHolding: .exactly(b))
    }
    #expect(await store.load(key) == .present(a))
    try await store.end(key, with: entry, ifHolding: .exactly(a))
    #expect(await store.load(key) == .absent)
  }

  @Test("A sealed ended entry whose key is gone counts as nothing, and is no reason not to sign in again")
  func lostKey() async throws {
    let inner = EphemeralStore()
    let before = SealedStore(inner, keys: .given(.random()))
    try await before.save(a, for: key, replacing: .nothing)
    try await before.end(key, with: entry, ifHolding: .exactly(a))
    #expect(await before.load(key) == .present(entry))
    let after = SealedStore(inner, keys: .given(.random()))
    #expect(await after.load(key) == .absent)
    try await after.save(b, for: key, replacing: .nothing)
    #expect(await after.load(key) == .present(b))
    // A session with a key that is gone stays.
    guard case .unavailable = await before.load(key) else {
      Issue.record("A session whose key is gone must be unavailable.")
      return
    }
    // One that is said to have ended does not open as anything else.
    var record = try SealedRecord.seal(a, for: key, with: .random(), isEnded: false)
    let keys = SealingKeys(current: .random())
    record = try SealedRecord.seal(a, for: key, with: keys.current)
    record[9] = 2
    #expect(throws: SealingError.tampered) { try SealedRecord.open(record, for: key, with: keys) }
  }

  @Test("The list of sessions passes over entries that are no sessions, whatever the store lists")
  func directory() async throws {
    let store = EphemeralStore()
    let ended = EndedEntry(lineage: UUID(), cause: .requestedByApp, date: Date(timeIntervalSince1970: 1_800_000_000))
    try await store.save(SessionCodec.encode(StoredEntry(ended: ended)), for: key, replacing: .nothing)
    try await store.save(a, for: SessionKey("damaged"), replacing: .nothing)
    #expect(try await store.sessions().map(\.key) == [SessionKey("damaged")])
  }

  @Test("An ended entry in a file says so in its record, and a file with a large entry is listed right")
  func file() async throws {
    let folder = try TemporaryFolder()
    let store = FileStore(folder: folder.store)
    try await store.save(Data(count: 300_000), for: key, replacing: .nothing)
    #expect(try await store.accounts() == [key])
    try await store.end(key, with: entry, ifHolding: .anything)
    #expect(try await store.accounts() == [])
    #expect(try await FileStore(folder: folder.store).accounts() == [])
    let made = SessionFile.made(of: entry, key: key, isEnded: true)
    #expect(SessionFile.isEnded(in: made) == true)
    #expect(SessionFile.isEnded(in: SessionFile.made(of: entry, key: key)) == false)
    guard case .whole(let contents) = SessionFile.open(made, key: key) else {
      Issue.record("The file is not whole.")
      return
    }
    #expect(contents.isEnded && contents.payload == entry)
  }
}
