import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

/// A sign-in that takes the place of another user's session.
@Suite("Sessions that another user's replace", .timeLimit(.minutes(5)))
struct ReplacedSessionTests {
  /// Ann's session is over by its date; this user signs in over it and is given this cookie.
  private func signIn(_ user: String, sid: String, _ world: CookieWorld) async throws -> SessionManager {
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.clock.advance(by: .seconds(200))
    world.answer(.post, "/sign-in", with: "sid=\(sid); Path=/; Secure; Domain=scripted.example")
    try await manager.signIn(with: user == "ann" ? ManagerFixture.ann : ManagerFixture.ben)
    try await manager.flush()
    #expect(manager.current?.user.id == user)
    return manager
  }

  @Test("The earlier user's session is ended at the server")
  func ended() async throws {
    let world = CookieWorld(lifetime: 100)
    _ = try await signIn("ben", sid: "two", world)
    #expect(world.requests("/sign-out").count == 1)
    #expect(world.recorder.count(.endNotConfirmed) == 0)
  }

  @Test("The same user's earlier session is left")
  func sameUser() async throws {
    let world = CookieWorld(lifetime: 100)
    _ = try await signIn("ann", sid: "two", world)
    #expect(world.requests("/sign-out").isEmpty)
  }

  @Test("Where the new session shows the same cookie, ending the earlier one would end it; that is told instead")
  func sharedCookie() async throws {
    let world = CookieWorld(lifetime: 100)
    _ = try await signIn("ben", sid: "one", world)
    #expect(world.requests("/sign-out").isEmpty)
    #expect(world.recorder.events.filter { $0.kind == .endNotConfirmed }.map(\.user) == ["ann"])
  }

  @Test("A session that the server has refused for good is not ended there again")
  func refused() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.onRequest { _ in ManagerFixture.ben })
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.dropSessions()
    // The request was made for Ann; the answer to the question is Ben's.
    _ = try? await AuthenticatedTransport(manager).send(ManagerFixture.request())
    try await manager.flush()
    #expect(manager.current?.user.id == "ben")
    #expect(fixture.transport.count(.post, "/sign-out") == 0)
  }

  @Test("A session that could not be stored before another process stored another user's is ended at the server")
  func neverStored() async throws {
    let world = CookieWorld()
    let here = world.manager()
    world.store.inject(.unavailable, into: .save)
    try await here.signIn(with: ManagerFixture.ann)
    world.store.heal()
    world.answer(.post, "/sign-in", with: "sid=two; Path=/; Secure; Domain=scripted.example")
    try await world.manager().signIn(with: ManagerFixture.ben)
    try await here.flush()
    #expect(here.current?.user.id == "ben")
    #expect(world.requests("/sign-out").count == 1)
  }
}
