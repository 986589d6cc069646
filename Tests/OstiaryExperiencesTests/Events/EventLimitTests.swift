import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryExperiences

/// What an event may be, and the limits that drop one that was reported as stored: those alone.
@Suite("Events: the limits", .timeLimit(.minutes(20)))
struct EventLimitTests {
  let store = FaultyStore()
  let clock = ManualClock()
  let server = EventIntake()

  func makeTracker(_ change: (inout EventConfiguration) -> Void = { _ in }) -> EventTracker {
    var configuration = EventConfiguration(address: URL(string: "https://events.example/v1/events"))
    change(&configuration)
    return EventTracker(configuration, transport: server.transport, store: store, clock: clock)
  }

  func event(
    _ name: String, id: String = UUID().uuidString, user: String? = nil, text: Int = 0,
    properties: [String: PropertyValue] = [:]
  ) -> UserEvent {
    var profile = UserProfile(anonymousID: "anon-1")
    profile.signIn(as: user)
    profile.properties.merge(properties)
    return UserEvent(
      id: id, name, date: clock.now,
      parameters: text > 0 ? ["text": .string(String(repeating: "x", count: text))] : [:], subject: .init(profile))
  }

  // MARK: The queue's limits

  @Test("Bug-G03: of the stored events the oldest give way when there are more than the capacity")
  func capacity() async throws {
    let tracker = makeTracker {
      $0.address = nil
      $0.capacity = 3
    }
    for number in 0..<5 {
      tracker.track(event("\(number)"))
      try await tracker.persist()
    }
    #expect(tracker.lost == 2)
    tracker.configuration.address = URL(string: "https://events.example/v1/events")
    try await tracker.flush()
    #expect(server.names == ["2", "3", "4"])
  }

  @Test("A queue may be as long as a number can say")
  func unlimited() async throws {
    let tracker = makeTracker {
      $0.address = nil
      $0.capacity = .max
      $0.batchCount = .max
    }
    tracker.track(event("0"))
    try await tracker.persist()
    #expect(tracker.lost == 0)
    tracker.configuration.address = URL(string: "https://events.example/v1/events")
    try await tracker.flush()
    #expect(server.names == ["0"])
  }

  @Test("Bug-G03: of the stored events the oldest give way when all together have more bytes than they may")
  func capacitySize() async throws {
    let tracker = makeTracker {
      $0.address = nil
      $0.capacitySize = 2_000
    }
    for number in 0..<5 { tracker.track(event("\(number)", text: 700)) }
    try await tracker.persist()
    #expect(tracker.lost == 3)
    tracker.configuration.address = URL(string: "https://events.example/v1/events")
    try await tracker.flush()
    #expect(server.names == ["3", "4"])
  }

  @Test("Bug-G03: a stored event that the server refuses for what it is is dropped, and no other")
  func refused() async throws {
    let tracker = makeTracker()
    server.refuse("bad", 422)
    for name in ["a", "bad", "b"] { tracker.track(event(name)) }
    try await tracker.persist()
    try await tracker.flush()
    #expect(server.names == ["a", "b"] && tracker.lost == 1)
  }

  @Test("While the store can't be written, as many events wait for it as the queue has room for")
  func unwritten() async throws {
    let tracker = makeTracker {
      $0.address = nil
      $0.capacity = 10
    }
    tracker.track(event("first"))
    try await tracker.persist()
    store.isFull = true
    for number in 0..<1_000 { tracker.track(event("\(number)")) }
    try? await tracker.persist()
    store.isFull = false
    // Another process was faster, so that what was done here is done again.
    store.inject(.conflict, into: .save, at: .nth(1))
    try await tracker.persist()
    #expect(tracker.queue.value.items.map(\.event.name) == (990..<1_000).map { "\($0)" })
  }

  @Test("Invariant 14: numbers of a stored queue that can't be are not believed", arguments: [Int.max, .min, -1, 0])
  func storedNumbers(_ number: Int) async throws {
    var tracker: EventTracker? = makeTracker { $0.address = nil }
    tracker?.track(event("a"))
    tracker?.track(event("b"))
    try await tracker?.persist()
    tracker = nil
    let text = String(decoding: try #require(store.saved.last), as: UTF8.self)
      .replacing(/"(size|lost)":[0-9]+/) { "\"\($0.output.1)\":\(number)" }
    try await store.save(Data(text.utf8), for: SessionKey("experience-events"), replacing: .anything)
    let next = makeTracker {
      $0.address = nil
      $0.capacity = 2
      $0.capacitySize = 2_000
    }
    next.track(event("c"))
    try await next.persist()
    #expect(next.queue.value.items.map(\.event.name) == ["b", "c"])
    #expect(next.queue.value.items.allSatisfy { $0.size == EventRules.size(of: $0.event.json) } && next.lost > 0)
  }

  // MARK: What an event may be

  @Test("Bug-G16: names with joiners, emoji and marks of direction are names; so are 200 bytes")
  func names() async throws {
    let names = [
      "می‌خواهم", "क्‍ष", "👩‍👩‍👧 opened", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{200F}שלום\u{200E}",
      String(repeating: "x", count: 200), String(repeating: "é", count: 100), " ",
    ]
    let tracker = makeTracker()
    for name in names { #expect(tracker.track(event(name, user: name)) == [], "\(name)") }
    try await tracker.flush()
    #expect(server.names == names && server.events.map { $0["user"]?["id"]?.string } == names)
  }

  @Test("Bug-G16: an event that servers don't take is not kept, and the caller is told")
  func refusedNames() async throws {
    let tracker = makeTracker()
    for bad in [
      "", String(repeating: "x", count: 201), String(repeating: "é", count: 101), "a\nb", "a\u{0}", "a\u{2028}b",
    ] {
      #expect(tracker.track(event(bad)).map(\.reason) == [.eventName], "\(bad.debugDescription)")
      #expect(tracker.track(event("a", id: bad)).map(\.reason) == [.eventName])
    }
    var nameless = event("a")
    nameless.subject.anonymousID = ""
    #expect(tracker.track(nameless).map(\.reason) == [.eventName] && tracker.pending == 0)
  }

  @Test(
    "Bug-G16: a user's identifier that is none is left out, and the event is kept", arguments: ["", "a\nb", "long"])
  func userID(_ id: String) async throws {
    let id = id == "long" ? String(repeating: "u", count: 201) : id
    let tracker = makeTracker()
    // An app says so when it does not know who the user is.
    #expect(tracker.track(event("a", user: id)).map(\.reason) == (id.isEmpty ? [] : [.userID]))
    try await tracker.flush()
    #expect(server.names == ["a"] && server.events[0]["user"]?["id"] == nil)
  }

  @Test("Bug-G16: an event that would be too large goes without the user's properties, or is not kept")
  func sizes() async throws {
    var limits = PropertyLimits()
    limits.textLength = 1 << 20
    let tracker = makeTracker {
      $0.limits = limits
      $0.capacitySize = 10 << 20
    }
    var properties: [String: PropertyValue] = [:]
    for number in 0..<80 { properties["p\(number)"] = .string(String(repeating: "x", count: 4_000)) }
    #expect(tracker.track(event("a", properties: properties)).map(\.reason) == [.userProperties])
    #expect(tracker.track(event("b", text: 300_000)).map(\.reason) == [.eventSize])
    #expect(tracker.track(event("c", text: 250_000)) == [])
    try await tracker.flush()
    #expect(server.names == ["a", "c"] && server.events[0]["user"]?["props"] == .object([:]))
    #expect(server.events.allSatisfy { EventRules.size(of: $0) <= EventRules.mostBytes })
  }
}
