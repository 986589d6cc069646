import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 9: loops are bounded")
struct BoundedLoopsTests {
  @Test("A request refused again with a new session stops with an error that says so")
  func again() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    fixture.transport.inject(.status(.unauthorized), into: .get("/things"))
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .challengedAgain)
    #expect(fixture.transport.count(.get, "/things") == 2)
  }

  @Test("The number of replays is the app's to choose", arguments: [0, 1, 4])
  func configured(replays: Int) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann)) {
      $0.maximumReplays = replays
      $0.maximumFreshRejections = 100
    }
    fixture.transport.inject(.status(.unauthorized), into: .get("/things"))
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .challengedAgain)
    #expect(fixture.transport.count(.get, "/things") == replays + 1)
  }

  @Test("A server that refuses every new session is left alone for a while")
  func freshRejections() async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann)) {
      $0.retry = RetryPolicy(attempts: 0, base: .seconds(60))
    }
    fixture.transport.inject(.status(.unauthorized), into: .get("/things"))
    let http = AuthenticatedTransport(manager)
    for _ in 0..<20 { _ = await failure { try await http.send(ManagerFixture.request()) } }
    #expect(fixture.server.counts.signIns == 3)
    let error = await failure { try await http.send(ManagerFixture.request()) }
    #expect(error?.code == .challengedAgain)
    #expect((error?.retryAfter ?? .zero) > .seconds(10))
  }

  @Test("Processes that sign in by turns to a server that refuses all their sessions leave it alone, too")
  func byTurns() async throws {
    let fixture = ManagerFixture(renews: false)
    let managers = (0..<2).map { _ in
      fixture.manager(.upFront(ManagerFixture.ann)) { $0.retry = RetryPolicy(attempts: 0, base: .seconds(60)) }
    }
    fixture.transport.inject(.status(.unauthorized), into: .get("/things"))
    for _ in 0..<20 {
      for manager in managers {
        let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
        #expect(error?.code == .challengedAgain)
      }
    }
    #expect(fixture.server.counts.signIns == 3 * managers.count)
  }

  @Test("A server whose sessions are over as they begin does not keep anybody busy")
  func stillborn() async throws {
    let fixture = ManagerFixture(lifetime: .zero, renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(fixture.server.counts.signIns <= 5)
  }

  @Test("Retry-After is honoured: nothing is sent before, and callers are told how long")
  func retryAfter() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    fixture.transport.inject(
      .status(.tooManyRequests, headerFields: [.retryAfter: "120"]), into: .post("/sign-in"), at: .nth(1))
    for _ in 0..<5 {
      let error = await failure { try await manager.session() }
      #expect(error?.code == .serverUnavailable)
      #expect(error?.retryAfter == .seconds(120))
    }
    #expect(fixture.transport.count(.post, "/sign-in") == 1)
    fixture.clock.advance(by: .seconds(119))
    #expect(await failure { try await manager.session() }?.retryAfter == .seconds(1))
    fixture.clock.advance(by: .seconds(2))
    #expect(try await manager.session().user.id == "ann")
  }

  @Test("Waits grow, have jitter, and end at the longest")
  func backOff() {
    let policy = RetryPolicy(attempts: 2, base: .seconds(1), longest: .seconds(60))
    for failures in 1...40 {
      let most = min(60, Double(1 << min(failures - 1, 20)))
      for _ in 0..<20 {
        let wait = policy.delay(afterFailures: failures)
        #expect(wait >= .seconds(most / 2) && wait <= .seconds(most))
      }
    }
    #expect(Set((0..<20).map { _ in policy.delay(afterFailures: 4) }).count > 1)
    #expect(policy.delay(afterFailures: 1, asked: .seconds(90)) == .seconds(90))
  }
}
