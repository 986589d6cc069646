import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariants 1 and 5: what another process stores counts before the next request", .timeLimit(.minutes(20)))
struct OtherProcessesTests {
  @Test("Store-T6: its sign-out is seen before the proof is used again", arguments: Kind.allCases)
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

  @Test(
    "A holder that does not finish costs the patience: then its session is gone on with, or callers are told",
    arguments: [true, false])
  func patience(hasWritten: Bool) async throws {
    let patience = ManualClock()
    let store = EphemeralStore(clock: patience)
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    let held = Gate()
    let holder = Task {
      try await store.withExclusiveAccess(to: manager.key, patience: .zero) { try await held.pass() }
    }
    try await held.waitForWaiting()
    let request = Task { try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status }
    try await patience.waitForSleepers()
    if hasWritten {
      // As the holder would.
      let other = SessionManager(
        authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: Unlocked(inner: store),
        clock: fixture.clock)
      #expect(try await AuthenticatedTransport(other).send(ManagerFixture.request()).status == .ok)
    }
    patience.advance(by: manager.configuration.patience)
    if hasWritten {
      #expect(try await request.value == .ok)
      #expect(fixture.recorder.kinds == [.signedIn, .rejected, .adopted])
    } else {
      #expect(await failure { try await request.value }?.code == .storeUnavailable)
      #expect(fixture.recorder.kinds == [.signedIn, .rejected])
    }
    held.open()
    try await holder.value
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(fixture.server.counts.renewals == 1)
  }

  /// What a process sees that has exclusive access already.
  private struct Unlocked: SessionStore {
    let inner: any SessionStore

    func load(_ key: SessionKey) async -> StoreReading { await inner.load(key) }
    func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
      try await inner.save(data, for: key, replacing: expected)
    }
    func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
      try await inner.remove(key, ifHolding: expected)
    }
    func accounts() async throws -> [SessionKey] { try await inner.accounts() }
    func withExclusiveAccess<Result: Sendable>(
      to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
      try await body()
    }
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
