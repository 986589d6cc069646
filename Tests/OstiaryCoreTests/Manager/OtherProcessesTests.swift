import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariants 1 and 5: what another process stores counts before the next request", .timeLimit(.minutes(10)))
struct OtherProcessesTests {
  @Test("Store-T5: its sign-out is seen before the proof is used again", arguments: Kind.allCases)
  func signOut(kind: Kind) async throws {
    try await kind.withStores { here, there in
      let fixture = ManagerFixture(store: here)
      let manager = fixture.manager()
      try await manager.signIn(with: ManagerFixture.ann)
      let other = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: there, clock: fixture.clock)
      #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
      fixture.transport.inject(.refuseConnection, into: .post("/sign-out"))
      await other.signOut()
      let before = fixture.transport.count(.get, "/things")
      #expect(
        await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }?.code == .signedOut)
      #expect(fixture.transport.count(.get, "/things") == before, "nothing was sent")
      #expect(manager.lastSignOut?.cause == .anotherProcess)
      #expect(
        await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }?.code
          == .interactionRequired)
    }
  }

  @Test("The synchronous attachment sees it, too, once the store has been looked at", arguments: Kind.allCases)
  func attach(kind: Kind) async throws {
    try await kind.withStores { here, there in
      let fixture = ManagerFixture(store: here)
      let manager = fixture.manager()
      try await manager.signIn(with: ManagerFixture.ann)
      var request = ManagerFixture.request().head
      guard case .attached = manager.attach(to: &request) else { throw Unattached() }
      let other = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: there, clock: fixture.clock)
      _ = try await manager.session()
      await other.signOut()
      #expect(manager.attach(to: &request) == .noSession)
      #expect(await failure { try await manager.session() }?.code == .signedOut)
    }
  }

  @Test("Its renewal is taken over without a refused request", arguments: Kind.allCases)
  func renewal(kind: Kind) async throws {
    try await kind.withStores { here, there in
      let fixture = ManagerFixture(store: here)
      let manager = fixture.manager()
      try await manager.signIn(with: ManagerFixture.ann)
      let other = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: there, clock: fixture.clock)
      fixture.server.expireAccessTokens()
      #expect(try await AuthenticatedTransport(other).send(ManagerFixture.request()).status == .ok)
      let before = fixture.transport.count(.get, "/things")
      #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
      #expect(fixture.transport.count(.get, "/things") == before + 1)
      #expect(fixture.server.counts.renewals == 1)
      #expect(fixture.recorder.kinds == [.signedIn, .adopted])
    }
  }

  @Test("A store that becomes unavailable costs no request whose proof is known")
  func locked() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    store.inject(.unavailable, into: .load)
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    store.lock()
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  @Test("A store that has not changed is not read again")
  func unchanged() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    let before = store.count(.load)
    for _ in 0..<20 { _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(store.count(.load) == before)
  }

  private struct Unattached: Error {}

  /// Stores that can tell that they have changed.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String { rawValue }

    /// Two handles on one store, as two processes have them.
    func withStores(_ body: (any SessionStore, any SessionStore) async throws -> Void) async throws {
      switch self {
      case .memory:
        let store = EphemeralStore()
        try await body(store, store)
      case .file:
        let folder = try TemporaryFolder()
        try await body(FileStore(folder: folder.url), FileStore(folder: folder.url))
      }
    }
  }
}
