import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 13: time is injected, and a wrong clock signs nobody out")
struct TimeTests {
  @Test("A session is renewed shortly before its date, not at it")
  func margin() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let http = AuthenticatedTransport(manager)
    fixture.clock.advance(by: .seconds(589))
    _ = try await http.send(ManagerFixture.request())
    #expect(fixture.server.counts.renewals == 0)
    fixture.clock.advance(by: .seconds(2))
    _ = try await http.send(ManagerFixture.request())
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.recorder.events.last?.cause == .expired)
  }

  @Test("A session that can't be renewed before its date for a reason that may pass is used to its date, and no longer")
  func usedToItsEnd() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(2)) }
    try await manager.signIn(with: ManagerFixture.ann)
    let http = AuthenticatedTransport(manager)
    fixture.transport.inject(.refuseConnection, into: .post("/renew"))
    fixture.clock.advance(by: .seconds(591))
    for _ in 0..<10 { #expect(try await http.send(ManagerFixture.request()).status == .ok) }
    #expect(fixture.transport.count(.post, "/renew") == 1, "the next attempt is due after a pause")
    fixture.clock.advance(by: .seconds(3))
    #expect(try await http.send(ManagerFixture.request()).status == .ok)
    #expect(fixture.transport.count(.post, "/renew") == 2)
    fixture.clock.advance(by: .seconds(7))
    #expect(await failure { try await http.send(ManagerFixture.request()) }?.code == .cannotConnect)
    #expect(manager.status.isSignedIn)
  }

  @Test("A session shorter than the margin is still used")
  func short() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(5))
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.clock.advance(by: .seconds(4))
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    #expect(fixture.server.counts.renewals == 0)
  }

  @Test("The device's clock jumps, the server's does not: nobody is signed out", arguments: [-86_400.0, 86_400.0])
  func jump(seconds: Double) async throws {
    let fixture = ManagerFixture(lifetime: .seconds(3_600), renews: false)
    let device = ManualClock(now: fixture.clock.now)
    let manager = fixture.manager(clock: device)
    try await manager.signIn(with: ManagerFixture.ann)
    device.set(to: device.now.addingTimeInterval(seconds))
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(manager.status.isSignedIn)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("The server's clock is measured and kept with the session")
  func skew() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(3_600), clockOffset: 7_200)
    let manager = fixture.manager()
    let session = try await manager.signIn(with: ManagerFixture.ann)
    #expect(session.clockSkew == 7_200)
    #expect(session.expiresAt == fixture.clock.now.addingTimeInterval(3_600), "dates are by this device's clock")
  }

  @Test("A device clock that is set back does not lengthen a pause")
  func pause() async throws {
    let fixture = ManagerFixture()
    let device = ManualClock(now: fixture.clock.now)
    let manager = fixture.manager(.upFront(ManagerFixture.ann), clock: device) {
      $0.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    }
    fixture.transport.inject(.refuseConnection, into: .post("/sign-in"), at: .nth(1))
    #expect(await failure { try await manager.session() }?.code == .cannotConnect)
    device.set(to: device.now.addingTimeInterval(-86_400))
    #expect(try await manager.session().user.id == "ann")
  }

  @Test("Invariant 9: a server that asks to wait is not asked again before, also not with a password just typed")
  func askedToWait() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    fixture.transport.inject(
      .status(.tooManyRequests, headerFields: [.retryAfter: "60"]), into: .post("/sign-in"), at: .nth(1))
    _ = await failure { try await manager.signIn(with: ManagerFixture.ann) }
    fixture.clock.advance(by: .seconds(20))
    let error = await failure { try await manager.signIn(with: ManagerFixture.ann) }
    #expect(error?.retryAfter == .seconds(40))
    #expect(fixture.transport.count(.post, "/sign-in") == 1)
    fixture.clock.advance(by: .seconds(41))
    #expect(try await manager.signIn(with: ManagerFixture.ann).user.id == "ann")
  }

  @Test("Our own back-off keeps nobody from signing in")
  func ownBackOff() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(60)) }
    fixture.transport.inject(.refuseConnection, into: .post("/sign-in"), at: .nth(1))
    #expect(await failure { try await manager.signIn(with: ManagerFixture.ann) }?.code == .cannotConnect)
    #expect(try await manager.signIn(with: ManagerFixture.ann).user.id == "ann")
  }
}
