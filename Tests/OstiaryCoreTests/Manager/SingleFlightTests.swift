import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariant 1: one flight")
struct SingleFlightTests {
  static let callers = 10_000
  static let repetitions = Storm.size(2, full: 20)

  /// Sends `callers` requests at once and counts what came of them.
  private func storm(
    _ manager: SessionManager, callers: Int = callers, cancellingEvery step: Int? = nil
  ) async -> (ok: Int, cancelled: Int, failed: [OstiaryError.Code: Int]) {
    let http = AuthenticatedTransport(manager)
    return await withTaskGroup(of: Result<Void, any Error>.self) { group in
      for number in 0..<callers {
        let task = Task {
          let response = try await http.send(ManagerFixture.request("/things/\(number)"))
          try #require(response.status == .ok)
        }
        if let step, number.isMultiple(of: step) { task.cancel() }
        group.addTask { await task.result }
      }
      var ok = 0
      var cancelled = 0
      var failed: [OstiaryError.Code: Int] = [:]
      for await result in group {
        switch result {
        case .success: ok += 1
        case .failure(let error as OstiaryError): failed[error.code, default: 0] += 1
        case .failure: cancelled += 1
        }
      }
      return (ok, cancelled, failed)
    }
  }

  @Test("10,000 requests without a session cause one sign-in", arguments: 0..<repetitions)
  func noSession(_: Int) async {
    let fixture = ManagerFixture()
    let outcome = await storm(fixture.manager(.upFront(ManagerFixture.ann)))
    #expect(outcome.ok == Self.callers)
    #expect(fixture.server.counts.signIns == 1)
    #expect(fixture.recorder.count(.signedIn) == 1)
  }

  @Test("10,000 requests on a session past its date cause one renewal", arguments: 0..<repetitions)
  func expired(_: Int) async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.clock.advance(by: .seconds(700))
    let outcome = await storm(manager)
    #expect(outcome.ok == Self.callers)
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("10,000 requests refused with 401 cause one sign-in", arguments: 0..<repetitions)
  func rejected(_: Int) async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.server.dropSessions()
    let outcome = await storm(manager)
    #expect(outcome.ok == Self.callers)
    #expect(fixture.server.counts.signIns == 2)
    #expect(fixture.recorder.count(.rejected) == 1)
  }

  @Test("With half of 10,000 callers cancelled the others still get one sign-in", arguments: 0..<repetitions)
  func halfCancelled(_: Int) async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.server.dropSessions()
    let outcome = await storm(manager, cancellingEvery: 2)
    #expect(outcome.ok + outcome.cancelled == Self.callers)
    #expect(outcome.ok >= Self.callers / 2)
    #expect(outcome.failed == [:])
    #expect(fixture.server.counts.signIns == 2)
  }

  @Test("401s that arrive after the renewal renew nothing", arguments: 0..<repetitions)
  func late(_: Int) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.server.expireAccessTokens()
    // A tenth of the requests are refused at once, but hear of it only when all others are long served.
    let gate = Gate()
    fixture.transport.inject(
      .holdResponse(gate), into: .where { $0.head.path?.hasPrefix("/late") ?? false }, at: .first(1_000))
    let http = AuthenticatedTransport(manager)
    let late = (0..<1_000).map { number in
      Task { try await http.send(ManagerFixture.request("/late/\(number)")).status }
    }
    try await gate.waitForArrivals(1_000)
    let outcome = await storm(manager, callers: Self.callers - 1_000)
    #expect(outcome.ok == Self.callers - 1_000)
    gate.open()
    for task in late { #expect(try await task.value == .ok) }
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("A sign-in that fails for a passing reason is tried again once, for all 10,000", arguments: 0..<repetitions)
  func transient(_: Int) async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await manager.session()
    fixture.server.dropSessions()
    fixture.transport.inject(.status(.serviceUnavailable), into: .post("/sign-in"), at: .nth(1))
    let outcome = await storm(manager)
    #expect(outcome.ok == Self.callers)
    #expect(fixture.server.counts.signIns == 2)
    #expect(fixture.transport.count(.post, "/sign-in") == 3)
  }

  @Test("A sign-in that keeps failing is not tried by every caller", arguments: 0..<repetitions)
  func persistent(_: Int) async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann)) {
      $0.retry = RetryPolicy(attempts: 0, base: .seconds(1))
    }
    fixture.transport.inject(.refuseConnection, into: .post("/sign-in"))
    let outcome = await storm(manager)
    #expect(outcome.failed == [.cannotConnect: Self.callers])
    #expect(fixture.transport.count(.post, "/sign-in") == 1)
    // When the wait is over, one more attempt is made, and it works.
    fixture.transport.setFaults()
    fixture.clock.advance(by: .seconds(2))
    let second = await storm(manager, callers: 100)
    #expect(second.ok == 100)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("Two managers on one store renew once between them")
  func twoManagers() async throws {
    let fixture = ManagerFixture()
    let first = fixture.manager(.upFront(ManagerFixture.ann))
    let second = fixture.manager(.upFront(ManagerFixture.ann))
    _ = try await first.session()
    _ = try await second.session()
    #expect(fixture.server.counts.signIns == 1)
    fixture.server.expireAccessTokens()
    async let one = storm(first, callers: 500)
    async let two = storm(second, callers: 500)
    let served = await one.ok + two.ok
    #expect(served == 1_000)
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
    #expect(fixture.recorder.count(.adopted) == 1)
  }
}
