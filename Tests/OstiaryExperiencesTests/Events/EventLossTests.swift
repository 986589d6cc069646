import Dispatch
import Foundation
import Ostiary
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Testing

@Suite("Events: delivered once, and never with what is personal", .timeLimit(.minutes(20)))
struct EventLossTests {
  private let subject = UserEvent.Subject(UserProfile(anonymousID: "anon-1"))

  @Test(
    "Bug-A28: a batch that the server has taken is delivered, whatever becomes of the answer's body",
    arguments: [
      [.head(200, [("Content-Length", "1000000")]), .send(String(repeating: "a", count: 100_000)), .close],
      [.head(202), .repeatForever(Data(repeating: 65, count: 10_000))],
      [.head(200, [("Content-Length", "10")]), .send("12345"), .reset],
      [.head(200, [("Transfer-Encoding", "chunked")]), .send("zz\r\n"), .hold],
    ] as [[LoopbackServer.Action]])
  func oversized(answer: [LoopbackServer.Action]) async throws {
    let server = try LoopbackServer(answering: answer)
    defer { server.stop() }
    let tracker = EventTracker(
      EventConfiguration(address: server.url("/v1/events")), transport: PlatformTransport(), store: EphemeralStore(),
      clock: ManualClock())
    tracker.track(UserEvent("a", date: Date(), subject: subject))
    try await tracker.flush()
    #expect(tracker.pending == 0 && tracker.lastError == nil && tracker.lost == 0)
    #expect(server.requests.count == 1)
  }

  @Test("Bug-A28: an answer that refuses is read as one, however large its body is")
  func oversizedRefusal() async throws {
    let server = try LoopbackServer(answering: [
      .head(413), .repeatForever(Data(repeating: 65, count: 10_000)),
    ])
    defer { server.stop() }
    let tracker = EventTracker(
      EventConfiguration(address: server.url("/v1/events")), transport: PlatformTransport(), store: EphemeralStore(),
      clock: ManualClock())
    tracker.track(UserEvent("a", date: Date(), subject: subject))
    try await tracker.flush()
    #expect(tracker.pending == 0 && tracker.lost == 1)
  }

  @Test("Bug-A28: whether events are cleansed is decided where they are kept: none passes at the moment of the change")
  func sanitizing() async throws {
    for _ in 0..<100 {
      let store = EphemeralStore()
      let tracker = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
      let subject = subject
      // One thread tracks before, during and after the change that another makes.
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 1 {
          let end = ContinuousClock.now + .seconds(60)
          while tracker.pending < 3, ContinuousClock.now < end {}
          tracker.sanitizes = true
        } else {
          while !tracker.sanitizes {
            tracker.track(UserEvent("a", date: Date(), parameters: ["email": "ann@example.com"], subject: subject))
          }
        }
      }
      #expect(tracker.sanitizes)
      try await tracker.persist()
      guard case .present(let data) = await store.load(SessionKey("experience-events")) else {
        Issue.record("Nothing rests in the store.")
        return
      }
      #expect(!String(decoding: data, as: UTF8.self).contains("ann@example.com"))
    }
  }

  @Test("Bug-A28: what was set before the store was read holds for what it held, too")
  func sanitizingBeforeReading() async throws {
    let store = FaultyStore()
    let first = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
    first.track(UserEvent("a", date: Date(), parameters: ["email": "ann@example.com"], subject: subject))
    try await first.persist()
    let gate = Gate()
    store.inject(.hold(gate), into: .load)
    let tracker = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
    tracker.sanitizes = true
    tracker.track(UserEvent("b", date: Date(), parameters: ["email": "bob@example.com"], subject: subject))
    tracker.sanitizes = false
    gate.open()
    try await tracker.persist()
    let saved = String(decoding: try #require(store.saved.last), as: UTF8.self)
    #expect(tracker.pending == 2 && !tracker.sanitizes)
    #expect(!saved.contains("ann@example.com") && !saved.contains("bob@example.com"))
  }
}
