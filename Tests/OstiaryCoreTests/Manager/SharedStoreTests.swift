import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 5: processes that share a store", .timeLimit(.minutes(20)))
struct SharedStoreTests {
  @Test("A session past its date that another process signed out of is not renewed back to life")
  func expired() async throws {
    let world = CookieWorld(lifetime: 600)
    let here = world.manager()
    try await here.signIn(with: ManagerFixture.ann)
    world.transport.inject(.refuseConnection, into: .post("/sign-out"))
    await world.manager().signOut()
    world.clock.advance(by: .seconds(700))
    let error = await failure { try await AuthenticatedTransport(here).send(ManagerFixture.request()) }
    #expect(error?.code == .signedOut)
    #expect(here.status.cause == .anotherProcess)
    #expect(world.transport.count(.post, "/renew") == 0)
    #expect(try await !world.store.holdsSession(for: here.key))
  }

  @Test("A renewal that ends after this process has learned of a sign-out elsewhere brings nothing back")
  func learned() async throws {
    let world = CookieWorld(lifetime: 600)
    let here = world.manager()
    try await here.signIn(with: ManagerFixture.ann)
    world.answer(.get, "/things", with: "perf=1; Path=/")
    let late = Gate()
    world.transport.inject(.holdResponse(late), into: .get("/things"), at: .nth(1))
    let request = Task { try await AuthenticatedTransport(here).send(ManagerFixture.request()).status }
    try await late.waitForArrivals(1)
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .post("/renew"))
    world.clock.advance(by: .seconds(595))
    let renewal = Task { await failure { try await here.session() }?.code }
    try await gate.waitForArrivals(1)
    await world.manager().signOut()
    // Writing a cookie shows that there is nothing to write it to.
    late.open()
    _ = try await request.value
    try await here.flush()
    #expect(here.status.cause == .anotherProcess)
    gate.open()
    #expect(await renewal.value == .signedOut)
    #expect(here.current == nil)
    #expect(try await !world.store.holdsSession(for: here.key))
  }

  @Test("A cookie that another process writes while this one renews does not cost the renewed session")
  func cookieElsewhere() async throws {
    let world = CookieWorld(lifetime: 600)
    let here = world.manager()
    let there = world.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .post("/renew"))
    world.transport.inject(.status(.unauthorized), into: .get("/things"), at: .nth(1))
    let request = Task { try await AuthenticatedTransport(here).send(ManagerFixture.request()).status }
    try await gate.waitForArrivals(1)
    world.answer(.get, "/cookie", with: "perf=1; Path=/")
    _ = try await AuthenticatedTransport(there).send(ManagerFixture.request("/cookie"))
    try await there.flush()
    gate.open()
    #expect(try await request.value == .ok)
    #expect(CookieWorld.cookie("sid", of: here.current) == "renewed")
    #expect(world.transport.count(.post, "/sign-out") == 0)
    #expect(await world.stored() == here.current)
  }

  @Test("A cookie that this process writes while it renews does not cost the renewed session, nor is it lost")
  func cookieHere() async throws {
    let world = CookieWorld(lifetime: 600)
    let here = world.manager()
    try await here.signIn(with: ManagerFixture.ann)
    world.answer(.get, "/things", with: "perf=1; Path=/")
    let late = Gate()
    world.transport.inject(.holdResponse(late), into: .get("/things"), at: .nth(1))
    let request = Task { try await AuthenticatedTransport(here).send(ManagerFixture.request()).status }
    try await late.waitForArrivals(1)
    world.clock.advance(by: .seconds(595))
    let renewing = Gate()
    world.transport.inject(.holdResponse(renewing), into: .post("/renew"))
    let renewal = Task { try await here.session() }
    try await renewing.waitForArrivals(1)
    late.open()
    #expect(try await request.value == .ok)
    // A flush waits for the renewal, too; the cookie is written at once.
    let flush = Task { try await here.flush() }
    try await world.store.waitFor(.save, count: 3)
    renewing.open()
    let renewed = try await renewal.value
    try await flush.value
    #expect(CookieWorld.cookie("sid", of: renewed) == "renewed")
    #expect(CookieWorld.cookie("perf", of: renewed) == "1")
    #expect(world.transport.count(.post, "/sign-out") == 0)
    #expect(await world.stored() == renewed)
  }

  @Test("A cookie that arrives while a renewed session is being written joins it")
  func cookieBeforeWrite() async throws {
    let world = CookieWorld(lifetime: 600)
    let here = world.manager()
    try await here.signIn(with: ManagerFixture.ann)
    world.answer(.get, "/things", with: "perf=1; Path=/")
    let late = Gate()
    world.transport.inject(.holdResponse(late), into: .get("/things"), at: .nth(1))
    let request = Task { try await AuthenticatedTransport(here).send(ManagerFixture.request()).status }
    try await late.waitForArrivals(1)
    world.clock.advance(by: .seconds(595))
    // The first write of a renewal tries the store, the second is the new proof.
    let save = Gate()
    world.store.inject(.hold(save), into: .save, at: .nth(2))
    let renewal = Task { try await here.session() }
    try await save.waitForArrivals(1)
    late.open()
    save.open()
    #expect(CookieWorld.cookie("sid", of: try await renewal.value) == "renewed")
    #expect(try await request.value == .ok)
    try await here.flush()
    #expect(CookieWorld.cookie("sid", of: here.current) == "renewed")
    #expect(CookieWorld.cookie("perf", of: here.current) == "1")
    #expect(await world.stored() == here.current)
  }

  @Test("Whoever signs in after a sign-out of a locked store stays, whatever becomes of what was stored")
  func removedLate() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    store.inject(.unavailable, into: .end)
    await manager.signOut()
    store.isFull = true
    try await manager.signIn(with: ManagerFixture.ben)
    store.heal()
    try await manager.flush()
    #expect(manager.current?.user.id == "ben")
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.user.id == "ben")
  }

  @Test("A session that was ended here is not adopted again because another process still writes it")
  func buried() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let here = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    _ = await there.restore()
    fixture.transport.inject(.refuseConnection, into: .post("/sign-out"))
    store.inject(.unavailable, into: .end)
    await here.signOut()
    store.isFull = true
    try await here.signIn(with: ManagerFixture.ben)
    store.isFull = false
    fixture.server.expireAccessTokens()
    _ = try await AuthenticatedTransport(there).send(ManagerFixture.request())
    #expect(there.current?.user.id == "ann")
    store.heal()
    try await here.flush()
    #expect(here.current?.user.id == "ben")
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.user.id == "ben")
  }

  @Test("A store whose answers never agree does not keep anybody busy")
  func endlessConflict() async throws {
    let world = CookieWorld()
    let manager = world.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    world.answer(.get, "/things", with: "perf=1; Path=/")
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    world.store.inject(.conflict, into: .save, at: .first(50))
    #expect(await failure { try await manager.flush() }?.code == .storeConflict)
    #expect(world.store.count(.save) < 20)
    world.store.heal()
    try await manager.flush()
    #expect(await world.stored() == manager.current)
  }

  @Test("Invariant 15: who loses the session to another process's sign-in is told so")
  func replaced() async throws {
    let fixture = ManagerFixture()
    let here = fixture.manager()
    let there = fixture.manager()
    try await here.signIn(with: ManagerFixture.ann)
    await there.signOut()
    try await there.signIn(with: ManagerFixture.ben)
    #expect(await failure { try await AuthenticatedTransport(here).send(ManagerFixture.request()) }?.code == .signedOut)
    #expect(here.current?.user.id == "ben")
    #expect(here.lastSignOut?.user == "ann")
    #expect(here.lastSignOut?.cause == .anotherProcess)
  }
}
