import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A server that takes a renewal token once ends a session whose renewal's answer was lost. The process that is told so is another one.
@Suite("What is known of a lost renewal in the next process", .timeLimit(.minutes(20)))
struct LostRenewalTests {
  private func signedIn(_ fixture: ManagerFixture) async throws -> SessionManager {
    let manager = Self.manager(fixture)
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    return manager
  }

  private static func manager(_ fixture: ManagerFixture) -> SessionManager {
    fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .zero) }
  }

  /// What another process is told, and its errors and events say, when it renews.
  private func refusal(_ manager: SessionManager) async throws -> String {
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .interactionRequired)
    let end = try #require(manager.lastSignOut)
    #expect(end.cause == .rejectedByServer)
    let detail = end.detail ?? ""
    #expect(error?.message.contains(detail) == true)
    return detail
  }

  /// A store that holds what the other does now, as if its process had ended.
  private func copy(_ store: any SessionStore, _ key: SessionKey) async throws -> EphemeralStore {
    guard case .present(let data) = await store.load(key) else { throw OstiaryError(.storeCorrupt, "Nothing.") }
    let copy = EphemeralStore()
    try await copy.save(data, for: key, replacing: .nothing)
    return copy
  }

  private func manager(on store: any SessionStore, _ fixture: ManagerFixture) -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .zero)
    return SessionManager(
      authenticator: ScriptedAuthenticator(), transport: fixture.transport, store: store, configuration: configuration,
      clock: fixture.clock)
  }

  @Test("LOST-4: an answer that was lost is told of by the process that is refused afterwards")
  func lost() async throws {
    let fixture = ManagerFixture()
    let first = try await signedIn(fixture)
    fixture.transport.inject(.dropAfterServerActed, into: .post("/renew"), at: .nth(1))
    #expect(
      await failure { try await AuthenticatedTransport(first).send(ManagerFixture.request()) }?.code == .connectionLost)
    let detail = try await refusal(Self.manager(fixture))
    #expect(detail.contains("was lost before") && detail.contains("RFC 9700"), "\(detail)")
  }

  @Test(
    "LOST-4: so is a renewal whose process ended before it wrote anything more, also after another one that was offline"
  )
  func killed() async throws {
    let fixture = ManagerFixture()
    let first = try await signedIn(fixture)
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/renew"), at: .nth(1))
    let renewal = Task { try? await AuthenticatedTransport(first).send(ManagerFixture.request()) }
    try await gate.waitForArrivals()
    let store = try await copy(fixture.store, first.key)
    fixture.transport.inject(.refuseConnection, into: .post("/renew"), at: .nth(1))
    let offline = manager(on: store, fixture)
    #expect(
      await failure { try await AuthenticatedTransport(offline).send(ManagerFixture.request()) }?.code == .cannotConnect
    )
    let detail = try await refusal(manager(on: store, fixture))
    #expect(detail.contains("wrote nothing more") && !detail.contains("was lost before"), "\(detail)")
    gate.open()
    _ = await renewal.value
  }

  @Test("LOST-4: a renewal that the server can't have seen, or has answered, says nothing of a later refusal")
  func known() async throws {
    let fixture = ManagerFixture()
    let first = try await signedIn(fixture)
    for fault in [Fault.refuseConnection, .status(.serviceUnavailable), .status(.notFound)] {
      fixture.transport.inject(fault, into: .post("/renew"), at: .nth(1))
      #expect(
        await failure { try await AuthenticatedTransport(first).send(ManagerFixture.request()) }?.isTransient == true)
    }
    fixture.server.dropSessions()
    let detail = try await refusal(Self.manager(fixture))
    #expect(!detail.contains("before"), "\(detail)")
  }

  @Test("LOST-4: newer proof has nothing of it any more")
  func newer() async throws {
    let fixture = ManagerFixture()
    let first = try await signedIn(fixture)
    // The request itself is lost, so that the token is good once more.
    fixture.transport.inject(.dropBeforeServerActs, into: .post("/renew"), at: .nth(1))
    _ = await failure { try await AuthenticatedTransport(first).send(ManagerFixture.request()) }
    let second = Self.manager(fixture)
    #expect(try await AuthenticatedTransport(second).send(ManagerFixture.request()).status == .ok)
    guard case .present(let data) = await fixture.store.load(first.key) else {
      Issue.record("nothing is stored")
      return
    }
    #expect(!String(decoding: data, as: UTF8.self).contains("trail"))
    fixture.server.dropSessions()
    let detail = try await refusal(Self.manager(fixture))
    #expect(!detail.contains("before"), "\(detail)")
  }

  @Test("LOST-4: a renewal that goes well costs two writes, as ever, and one that fails one more")
  func writes() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = try await signedIn(fixture)
    var before = store.count(.save)
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(store.count(.save) == before + 2)
    fixture.server.expireAccessTokens()
    before = store.count(.save)
    fixture.transport.inject(.refuseConnection, into: .post("/renew"), at: .nth(1))
    _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(store.count(.save) == before + 2, "before its caller is told")
  }

  @Test("LOST-4: a store that can't be written does not keep callers waiting")
  func unwritable() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = try await signedIn(fixture)
    store.inject(.unavailable, into: .save, at: .nth(2))
    fixture.transport.inject(.dropAfterServerActed, into: .post("/renew"), at: .nth(1))
    #expect(
      await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }?.code
        == .connectionLost)
    #expect(fixture.recorder.count(.writeDelayed) == 0, "no proof waits to be written")
    try await manager.flush()
    let detail = try await refusal(Self.manager(fixture))
    #expect(detail.contains("was lost before"), "\(detail)")
  }
}
