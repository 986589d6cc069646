import Foundation
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore
@testable import OstiarySealing

/// Every format that was ever released is read forever. The files were written by another implementation of the formats'
/// descriptions, in Python, and are never changed; a new format adds its own.
@Suite struct GoldenFilesTests {
  private let key = SessionKey("https://pega.example/prweb")
  private let sealingKey: SealingKey

  init() throws {
    sealingKey = try SealingKey(bytes: Data(1...32))
  }

  private func golden(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Stores").appending(path: name))
  }

  private func expectGolden(_ session: Session, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(session.kind == AuthenticatorKind("pega"), sourceLocation: sourceLocation)
    #expect(session.server == URL(string: "https://pega.example/prweb"), sourceLocation: sourceLocation)
    #expect(session.user == Session.User(id: "ann", displayName: "Ann Ähm"), sourceLocation: sourceLocation)
    #expect(session.version.revision == 3, sourceLocation: sourceLocation)
    #expect(
      session.version.lineage == UUID(uuidString: "5F0C8E2A-9B1D-4C3E-8F7A-0123456789AB"),
      sourceLocation: sourceLocation)
    #expect(session.issuedAt == Date(timeIntervalSince1970: 1_800_000_000), sourceLocation: sourceLocation)
    #expect(session.expiresAt == Date(timeIntervalSince1970: 1_800_003_600), sourceLocation: sourceLocation)
    #expect(session.clockSkew == -1.5, sourceLocation: sourceLocation)
    #expect(
      session.proof.tokens == ["access_token": "golden-token", "refresh_token": "golden-refresh"],
      sourceLocation: sourceLocation)
    let cookies = session.proof.cookies.cookies
    #expect(cookies.map(\.name) == ["Pega-RULES", "lang"], sourceLocation: sourceLocation)
    #expect(cookies.map { $0.value.reveal() } == ["golden-cookie==", "en"], sourceLocation: sourceLocation)
    #expect(cookies.map(\.isHostOnly) == [true, false], sourceLocation: sourceLocation)
    #expect(
      session.attributes == [
        "apps": .array(["a", "b"]), "count": 7, "nested": .object(["null": .null, "pi": .number(3.25)]),
      ], sourceLocation: sourceLocation)
  }

  @Test("Sessions, format 1, with and without the date of last use")
  func sessions() throws {
    let plain = try SessionCodec.decodeWithUse(golden("session-1.json"))
    expectGolden(plain.session)
    #expect(plain.lastUsedAt == nil)
    let used = try SessionCodec.decodeWithUse(golden("session-1-used.json"))
    expectGolden(used.session)
    #expect(used.lastUsedAt == Date(timeIntervalSince1970: 1_800_001_234))
  }

  @Test("Session files, version 1")
  func files() async throws {
    let temporary = try TemporaryFolder()
    let store = FileStore(folder: temporary.store)
    try await store.save(Data(), for: key, replacing: .nothing)
    try golden("file-1.session").write(to: try #require(try sessionFile(in: temporary.store)))
    #expect(await store.load(key) == .present(try golden("session-1-used.json")))
    #expect(try await store.accounts() == [key])
    guard case .session(let summary) = try await store.sessions().first?.content else {
      Issue.record("unreadable")
      return
    }
    #expect(summary.user.id == "ann")
    try await store.save(Data("next".utf8), for: key, replacing: .exactly(try golden("session-1-used.json")))
    #expect(await store.load(key) == .present(Data("next".utf8)))
  }

  @Test("What is written today is what was written then")
  func written() throws {
    var file = SessionFile.made(of: Data("the session before".utf8), key: key)
    for (number, payload) in [(2, try golden("session-1.json")), (3, try golden("session-1-used.json"))] {
      guard case .whole(let contents) = SessionFile.open(file, key: key) else {
        Issue.record("not whole")
        return
      }
      for change in [try #require(contents.next(payload)), SessionFile.settling(UInt64(number))] {
        file.replaceSubrange(Int(change.offset)..<Int(change.offset) + change.data.count, with: change.data)
      }
    }
    let golden = try golden("file-1.session")
    let equal = file == golden
    #expect(equal)
  }

  @Test("Sealed sessions, version 1")
  func sealed() async throws {
    let inner = EphemeralStore()
    try await inner.save(try golden("sealed-1.record"), for: key, replacing: .nothing)
    let store = SealedStore(inner, keys: .given(sealingKey))
    guard case .present(let data) = await store.load(key) else {
      Issue.record("not readable")
      return
    }
    expectGolden(try SessionCodec.decode(data))
  }

  @Test("Key files: what openssl makes, and the identifier that is derived from it")
  func keys() throws {
    let keys = try SealingKeys(text: Data("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=\n".utf8))
    #expect(keys == SealingKeys(current: sealingKey))
    #expect(SealedRecord.keyID(of: try golden("sealed-1.record")) == sealingKey.id)
  }
}
