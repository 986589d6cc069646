import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Testing

@Suite("Events", .timeLimit(.minutes(20)))
struct EventTrackerTests {
  let store = FaultyStore()
  let clock = ManualClock()
  let server = EventIntake()

  func makeTracker(_ change: (inout EventConfiguration) -> Void = { _ in }) throws -> EventTracker {
    var configuration = EventConfiguration(address: URL(string: "https://events.example/v1/events"))
    change(&configuration)
    return EventTracker(configuration, transport: server.transport, store: store, clock: clock)
  }

  func event(_ name: String, _ parameters: [String: PropertyValue] = [:]) -> UserEvent {
    UserEvent(name, date: clock.now, parameters: parameters, subject: .init(UserProfile(anonymousID: "anon-1")))
  }

  @Test("Primer-P24: events go in one batch, with what a server has to know of each")
  func batch() async throws {
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    let tracker = try makeTracker { $0.headerFields = [token: "key"] }
    var profile = UserProfile(anonymousID: "anon-1")
    profile.signIn(as: "u1")
    let event = UserEvent(
      "screen_displayed", date: clock.now, parameters: ["screen": "login"], subject: .init(profile))
    tracker.track(event)
    tracker.track(self.event("flow_started"))
    try await tracker.flush()
    #expect(tracker.pending == 0 && tracker.lastError == nil)
    #expect(server.batches == [[event.id, server.events[1]["id"]?.string ?? ""]])
    #expect(server.transport.requests.first?.head.headerFields[token] == "key")
    #expect(
      server.events.first
        == .object([
          "id": .string(event.id), "name": "screen_displayed", "type": "standard", "ts": "2027-01-15T08:00:00.000Z",
          "params": .object(["screen": "login"]),
          "user": .object(["id": "u1", "anon": "anon-1", "props": .object([:])]),
        ]))
  }

  @Test("Primer-P24: an event waits for others for a while, and a full batch for nothing")
  func interval() async throws {
    let tracker = try makeTracker { $0.batchCount = 3 }
    tracker.track(event("a"))
    try await clock.waitForSleepers()
    tracker.track(event("b"))
    #expect(server.transport.count == 0)
    clock.advance(by: .seconds(10))
    try await server.transport.waitForRequests(1)
    try await tracker.flush()
    for name in ["c", "d", "e"] { tracker.track(event(name)) }
    try await server.transport.waitForRequests(2)
    try await tracker.flush()
    #expect(server.names == ["a", "b", "c", "d", "e"])
    #expect(server.batches.map(\.count) == [2, 3])
  }

  @Test("Primer-P24: after a failure events are sent again, with the same identifiers")
  func retry() async throws {
    server.transport.inject(.dropAfterServerActed, at: .nth(1))
    server.transport.inject(.respond(.status(.serviceUnavailable)), at: .nth(2))
    let tracker = try makeTracker()
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.connectionLost, "")) { try await tracker.flush() }
    #expect(tracker.pending == 1 && tracker.lastError?.code == .connectionLost)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await server.transport.waitForRequests(2)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    try await server.transport.waitForRequests(3)
    try await tracker.flush()
    // The first one had arrived after all.
    #expect(server.batches.count == 2 && Set(server.batches.flatMap { $0 }).count == 1)
    #expect(server.names == ["a"] && tracker.lost == 0 && tracker.lastError == nil)
  }

  @Test("A server that names a time is not asked before")
  func retryAfter() async throws {
    server.transport.inject(
      .respond(.status(.tooManyRequests, headerFields: [.retryAfter: "120"])), at: .nth(1))
    let tracker = try makeTracker()
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.serverUnavailable, "")) { try await tracker.flush() }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(119))
    #expect(server.transport.count == 1 && clock.sleepers == 1)
    // Nor does a full batch change that.
    for number in 0..<60 { tracker.track(event("\(number)")) }
    #expect(server.transport.count == 1)
    clock.advance(by: .seconds(1))
    try await server.transport.waitForRequests(2)
    try await tracker.flush()
    #expect(server.names.count == 61)
  }

  @Test(
    "Primer-P24: what was not delivered is delivered by the next process, and what was counted is not counted twice")
  func restart() async throws {
    server.transport.inject(.dropAfterServerActed, at: .nth(1))
    var tracker: EventTracker? = try makeTracker()
    tracker?.track(event("a", ["n": 1]))
    tracker?.track(event("b"))
    await #expect(throws: OstiaryError.self) { try await tracker?.flush() }
    try await tracker?.persist()
    tracker = nil
    let next = try makeTracker()
    next.track(event("c"))
    try await next.flush()
    #expect(server.names == ["a", "b", "c"])
    #expect(server.batches.map(\.count) == [2, 3])
    #expect(server.events.first?["params"] == .object(["n": 1]))
    #expect(next.pending == 0)
    try await next.persist()
    let last = try makeTracker()
    try await last.flush()
    #expect(server.batches.count == 2)
  }

  @Test("A process that ends before it has noted a delivery sends again, and the server knows the events")
  func killedBetween() async throws {
    var tracker: EventTracker? = try makeTracker()
    tracker?.track(event("a"))
    try await tracker?.persist()
    store.isFull = true
    try await tracker?.flush()
    await #expect(throws: OstiaryError.self) { try await tracker?.persist() }
    tracker = nil
    store.isFull = false
    let next = try makeTracker()
    try await next.flush()
    #expect(server.batches.count == 2 && server.names == ["a"])
  }

  @Test("Events that are tracked before the store can be read go with those that it holds")
  func locked() async throws {
    var tracker: EventTracker? = try makeTracker { $0.address = nil }
    tracker?.track(event("a"))
    try await tracker?.persist()
    tracker = nil
    store.lock()
    let next = try makeTracker()
    next.track(event("b"))
    try await clock.waitForSleepers()
    #expect(server.transport.count == 0)
    store.unlock()
    clock.advance(by: .seconds(1))
    try await next.flush()
    #expect(server.names == ["a", "b"])
  }

  @Test("The queue is bounded, in events and in bytes: the oldest give way")
  func bounded() async throws {
    let tracker = try makeTracker {
      $0.address = nil
      $0.capacity = 3
      $0.capacitySize = 2000
    }
    for number in 0..<5 { tracker.track(event("\(number)")) }
    #expect(tracker.pending == 3 && tracker.lost == 2)
    tracker.track(event("large", ["text": .string(String(repeating: "x", count: 1900))]))
    #expect(tracker.pending == 1 && tracker.lost == 5)
    try await tracker.persist()
    #expect((store.saved.last?.count ?? 0) < 3000)
  }

  @Test("A parameter that exceeds a limit is left out, and said to be")
  func limits() async throws {
    let tracker = try makeTracker()
    let problems = tracker.track(
      event("a", ["ok": 1, "long": .string(String(repeating: "x", count: 5000)), "nan": .number(.nan)]))
    #expect(problems.map(\.name) == ["long", "nan"])
    try await tracker.flush()
    #expect(server.events.first?["params"] == .object(["ok": 1]))
  }

  @Test("Batches are bounded in bytes, too")
  func batchSize() async throws {
    let tracker = try makeTracker { $0.batchSize = 1000 }
    for number in 0..<6 { tracker.track(event("\(number)", ["text": .string(String(repeating: "x", count: 300))])) }
    try await tracker.flush()
    #expect(server.names == ["0", "1", "2", "3", "4", "5"])
    #expect(server.batches.map(\.count).max() ?? 9 <= 2)
  }

  @Test("One event that a server can't take does not stop the others", arguments: [400, 413, 422])
  func poison(_ status: Int) async throws {
    server.refuse("poison", status)
    let tracker = try makeTracker()
    for number in 0..<20 { tracker.track(event(number == 7 ? "poison" : "\(number)")) }
    try await tracker.flush()
    #expect(tracker.pending == 0 && tracker.lost == 1)
    #expect(server.names == (0..<20).filter { $0 != 7 }.map { "\($0)" })
  }

  @Test("A server that refuses everything is not asked a thousand times in a row")
  func refusal() async throws {
    server.transport.inject(.respond(.status(.badRequest)))
    let tracker = try makeTracker()
    for number in 0..<40 { tracker.track(event("\(number)")) }
    await #expect(throws: OstiaryError(.unexpectedResponse, "")) { try await tracker.flush() }
    #expect(server.transport.count < 15 && tracker.lost == 4)
    try await clock.waitForSleepers()
  }

  @Test("A wrong key is no word about the events", arguments: [401, 403, 404])
  func wrongKey(_ status: Int) async throws {
    server.transport.inject(.respond(.status(.init(code: status))), at: .nth(1))
    let tracker = try makeTracker()
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.serverUnavailable, "")) { try await tracker.flush() }
    #expect(tracker.pending == 1)
    try await tracker.flush()
    #expect(server.names == ["a"])
  }

  @Test("Primer-P22: on request what tells who a person is leaves the device no more, not even what waits")
  func sanitized() async throws {
    let tracker = try makeTracker()
    var profile = UserProfile(anonymousID: "anon-1")
    profile.signIn(as: "ann@example.com")
    let user = ExperienceUser(store: EphemeralStore(), events: tracker, clock: clock)
    try await user.restore()
    user.logIn(as: "ann@example.com", properties: ["email": "ann@example.com", "plan": "trial", "firstName": "Ann"])
    tracker.sanitizes = true
    user.track("shared", ["with": "bob@example.org", "phone": "+491234567", "count": 2])
    try await tracker.persist()
    let saved = String(decoding: store.saved.last ?? Data(), as: UTF8.self)
    #expect(saved.contains("trial") && !saved.contains("example.") && !saved.contains("Ann"))
    try await tracker.flush()
    let text = server.transport.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }.joined()
    #expect(!text.contains("ann@") && !text.contains("bob@") && !text.contains("Ann") && !text.contains("491234567"))
    #expect(server.events.last?["params"] == .object(["count": 2]))
    #expect(server.events.last?["user"]?["props"] == .object(["plan": "trial"]))
    #expect(server.events.last?["user"]?["id"] == nil)
    // Here it is still known.
    #expect(user.profile.properties["email"] == "ann@example.com")
  }

  @Test("A thousand events from eight threads are each delivered once")
  func storm() async throws {
    let tracker = try makeTracker {
      $0.capacity = 20_000
      $0.capacitySize = 100 << 20
      $0.batchCount = 1000
      $0.batchSize = 10 << 20
    }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<125 { tracker.track(event("\(thread)-\(number)")) } }
      }
    }
    try await tracker.flush()
    #expect(server.names.count == 1000 && Set(server.names).count == 1000)
    #expect(tracker.lost == 0)
  }

  @Test("Bug-G03: a flush waits for the events that were there before it, and returns while others come")
  func flushAmongOthers() async throws {
    let busy = ScriptedTransport()
    let tracker = EventTracker(
      EventConfiguration(address: URL(string: "https://events.example/v1/events")), transport: busy, store: store,
      clock: clock)
    busy.on(.post, "/v1/events") { [weak busy, weak tracker] _ in
      // With each request another event comes. There is an end to it, so that the test ends.
      if let busy, busy.count < 100 { tracker?.track(event("later")) }
      return TransportResponse(HTTPResponse(status: .accepted))
    }
    tracker.track(event("first"))
    try await tracker.flush()
    #expect(busy.count == 1 && tracker.pending == 1)
    try await tracker.flush()
    #expect(busy.count == 2 && tracker.pending == 1)
  }

  @Test("Without an address events are kept, and flushing says so")
  func noAddress() async throws {
    let tracker = try makeTracker { $0.address = nil }
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.invalidRequest, "")) { try await tracker.flush() }
    #expect(tracker.pending == 1 && server.transport.count == 0)
    try await tracker.forget()
    #expect(tracker.pending == 0)
  }
}
