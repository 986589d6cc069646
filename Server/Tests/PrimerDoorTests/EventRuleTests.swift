import Foundation
import HTTPTypes
import NetworkTestSupport
import Ostiary
import OstiaryCore
import OstiaryExperiences
import OstiaryServer
import OstiaryTesting
import Testing

/// What the tracker keeps and what the door takes, compared over real HTTP.
@Suite("Events: the tracker's rules and the door's", .timeLimit(.minutes(20)))
struct EventRuleTests {
  private static let names = [
    "a", "", " ", String(repeating: "x", count: 200), String(repeating: "x", count: 201),
    String(repeating: "é", count: 100), String(repeating: "é", count: 101), "می\u{200C}خواهم", "क्\u{200D}ष",
    "👩\u{200D}👩\u{200D}👧 opened", "\u{200F}שלום", "\u{2067}x\u{2069}", "a\nb", "a\u{0}b", "a\u{7F}", "a\u{85}",
    "a\u{2028}", "a\u{2029}", "\u{FEFF}a", "\u{E000}", "e\u{301}", "\u{10FFFF}", "\\\"/", "ada@example.com",
  ]

  private func tracker(_ server: PrimerServer, _ change: (inout EventConfiguration) -> Void = { _ in }) throws
    -> EventTracker
  {
    var configuration = EventConfiguration(
      address: try server.url.appending(path: "v1/events"), headerFields: PrimerServer.fields)
    configuration.interval = .milliseconds(1)
    change(&configuration)
    return EventTracker(configuration, transport: PlatformTransport(), store: EphemeralStore())
  }

  /// Whether the door takes an event as it is.
  private func takes(_ event: UserEvent, _ server: PrimerServer) async throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    var request = try TransportRequest.post(
      server.url.appending(path: "v1/events"), body: encoder.encode(JSONValue.object(["batch": .array([event.json])])),
      contentType: "application/json")
    request.head.headerFields.append(contentsOf: PrimerServer.fields)
    let status = try await PlatformTransport().send(request).status.code
    #expect(status == 202 || status == 422)
    return status == 202
  }

  private func event(
    id: String = UUID().uuidString, _ name: String = "x", user: String? = nil, anonymous: String = "a1",
    properties: [String: PropertyValue] = [:], text: String = ""
  ) -> UserEvent {
    var event = UserEvent(
      id: id, name, date: Date(), parameters: ["text": .string(text)],
      subject: .init(UserProfile(anonymousID: anonymous)))
    event.subject.userID = user
    event.subject.properties = UserProperties(properties)
    return event
  }

  @Test("Bug-G16: the door takes every name that the tracker keeps, and refuses every other; none is lost on the way")
  func names() async throws {
    try await PrimerServer.run { server in
      let tracker = try tracker(server)
      var kept: [String] = []
      for (number, name) in Self.names.enumerated() {
        for event in [
          event(name), event(id: name, "id \(number)"), event(anonymous: name), event("user \(number)", user: name),
        ] {
          let problems = tracker.track(event)
          let isKept = !problems.contains { $0.reason == .eventName || $0.reason == .eventSize }
          if isKept { kept.append(event.id) }
          // The tracker keeps an event without an identifier that is none; as it is the door takes it only if it is empty.
          let expected = isKept && !problems.contains { $0.reason == .userID }
          #expect(try await takes(event, server) == expected, "\(name.debugDescription)")
        }
      }
      try await tracker.flush()
      #expect(tracker.lost == 0 && tracker.pending == 0)
      let taken = Set(try await server.events().map(\.id))
      #expect(kept.allSatisfy(taken.contains))
    }
  }

  @Test("Bug-G16: the largest event that the tracker keeps is taken, and one byte more is refused by both")
  func sizes() async throws {
    try await PrimerServer.run { server in
      let tracker = try tracker(server) {
        $0.limits.textLength = 1 << 20
        $0.capacitySize = 10 << 20
      }
      let overhead = EventRules.size(of: event("large", text: "").json)
      for (letter, bytes) in [("x", 1), ("é", 2), ("/", 1), ("\\", 2), ("😀", 4)] {
        for more in [0, 1] {
          let count = (EventRules.mostBytes - overhead) / bytes + more
          let event = event("large", text: String(repeating: letter, count: count))
          let isKept = tracker.track(event) == []
          #expect(isKept == (more == 0), "\(letter)")
          #expect(try await takes(event, server) == isKept, "\(letter)")
        }
      }
      try await tracker.flush()
      #expect(tracker.lost == 0)
    }
  }

  @Test("Bug-G30: events whose answers are lost, and that come again with a new token, count once")
  func newToken() async throws {
    try await PrimerServer.run { door in
      door.apps[0].formerTokens = ["former-token"]
    } body: { server in
      let field = try #require(HTTPField.Name("X-Primer-Token"))
      let tracker = try tracker(server) {
        $0.headerFields = [field: "former-token"]
        $0.retry = RetryPolicy(base: .seconds(3600))
        $0.interval = .seconds(3600)
      }
      server.proxy.loseAnswers(1, to: "POST /primer/v1/events")
      for number in 0..<5 { tracker.track(event("\(number)", user: "u1")) }
      try? await tracker.flush()
      #expect(server.proxy.answersLost == 1 && tracker.pending == 5)
      tracker.configuration.headerFields = PrimerServer.fields
      try await tracker.flush()
      #expect(tracker.pending == 0 && tracker.lost == 0)
      #expect(try await server.events().map(\.name) == (0..<5).map { "\($0)" })
    }
  }
}
