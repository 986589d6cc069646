import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Events: addresses and tokens that change", .timeLimit(.minutes(20)))
struct EventAddressTests {
  let clock = ManualClock()
  let server = EventIntake()
  let address = URL(string: "https://events.example/v1/events")

  func makeTracker(_ change: (inout EventConfiguration) -> Void = { _ in }) -> EventTracker {
    var configuration = EventConfiguration(address: address)
    change(&configuration)
    return EventTracker(configuration, transport: server.transport, store: EphemeralStore(), clock: clock)
  }

  func event(_ name: String) -> UserEvent {
    UserEvent(name, date: clock.now, subject: .init(UserProfile(anonymousID: "anon-1")))
  }

  /// Flushes, and says what came of it.
  private func flush(_ tracker: EventTracker) -> Locked<OstiaryError.Code?> {
    let outcome = Locked<OstiaryError.Code?>(nil)
    Task {
      do {
        try await tracker.flush()
        outcome.withLock { $0 = OstiaryError.Code(rawValue: "none") }
      } catch {
        outcome.withLock { $0 = (error as? OstiaryError)?.code }
      }
    }
    return outcome
  }

  @Test("Bug-G03: where the address goes away while a full batch waits, the delivery ends and who waits is told")
  func addressGoesAway() async throws {
    let gate = Gate()
    server.transport.inject(.hold(gate), at: .nth(1))
    let tracker = makeTracker { $0.batchCount = 2 }
    for number in 0..<6 { tracker.track(event("\(number)")) }
    try await gate.waitForWaiting(1)
    let outcome = flush(tracker)
    try await waitUntil { tracker.state.withLock { !$0.waiters.isEmpty } }
    tracker.configuration.address = nil
    gate.open()
    try await waitUntil { outcome.withLock { $0 != nil } }
    #expect(outcome.withLock { $0 } == .invalidRequest)
    try await waitUntil { tracker.state.withLock { !$0.isDelivering } }
    #expect(tracker.pending == 4 && tracker.lost == 0, "what was on its way has arrived")
    // It comes back.
    tracker.configuration.address = address
    try await tracker.flush()
    #expect(server.names == (0..<6).map { "\($0)" } && tracker.pending == 0)
  }

  @Test(
    "Bug-G03: an address that goes away between two attempts ends the delivery, which begins again with the next one")
  func addressGoesAwayWaiting() async throws {
    server.transport.inject(.refuseConnection, at: .nth(1))
    let tracker = makeTracker { $0.batchCount = 1 }
    tracker.track(event("a"))
    try await waitUntil { tracker.lastError != nil }
    try await clock.waitForSleepers()
    tracker.configuration.address = nil
    try await waitUntil { tracker.state.withLock { !$0.isDelivering } }
    tracker.track(event("b"))
    #expect(clock.sleepers == 0)
    tracker.configuration.address = address
    try await waitUntil { tracker.pending == 0 }
    #expect(server.names == ["a", "b"])
  }

  @Test("Bug-G30: what waits after a refused token goes at once with a new one")
  func newToken() async throws {
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    server.transport.inject(.respond(.status(.unauthorized, headerFields: [.retryAfter: "86400"])), at: .nth(1))
    let tracker = makeTracker { $0.headerFields = [token: "old"] }
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.serverUnavailable, "")) { try await tracker.flush() }
    try await clock.waitForSleepers()
    // The same token changes nothing.
    tracker.configuration.headerFields = [token: "old"]
    #expect(clock.sleepers == 1)
    tracker.configuration.headerFields = [token: "new"]
    try await waitUntil { tracker.pending == 0 }
    #expect(server.transport.requests.map { $0.head.headerFields[token] } == ["old", "new"])
    #expect(server.names == ["a"])
  }

  @Test(
    "Bug-G30: an answer to the former token is no word about the new one, and drops nothing", arguments: [401, 422])
  func lateAnswer(_ status: Int) async throws {
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    let gate = Gate()
    server.transport.inject(.hold(gate), at: .nth(1))
    server.transport.inject(.respond(.status(.init(code: status))), at: .nth(1))
    let tracker = makeTracker { $0.headerFields = [token: "old"] }
    tracker.track(event("a"))
    let outcome = flush(tracker)
    try await gate.waitForWaiting(1)
    tracker.configuration.headerFields = [token: "new"]
    gate.open()
    try await waitUntil { outcome.withLock { $0 != nil } }
    #expect(outcome.withLock { $0?.rawValue } == "none" && tracker.lost == 0)
    #expect(server.names == ["a"] && server.transport.requests.last?.head.headerFields[token] == "new")
  }

  @Test("A clock that jumps changes no wait, and a time to wait that a server gives is measured by the server's clock")
  func clockJumps() async throws {
    server.transport.inject(
      .respond(
        .status(
          .serviceUnavailable,
          headerFields: [.date: "Fri, 01 Jan 2010 00:00:00 GMT", .retryAfter: "Fri, 01 Jan 2010 00:00:30 GMT"])),
      at: .nth(1))
    let tracker = makeTracker()
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.serverUnavailable, "")) { try await tracker.flush() }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(29))
    #expect(server.transport.count == 1)
    clock.advance(by: .seconds(2))
    try await waitUntil { tracker.pending == 0 }
    #expect(server.names == ["a"])
  }
}
