import Foundation
import HTTPTypes
import NetworkTestSupport
import Ostiary
import OstiaryCore
import OstiaryExperiences
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("OstiaryExperiences against the Primer door", .timeLimit(.minutes(20)))
struct ExperienceClientTests {
  @Test("A library fetches the starter, asks with its tag, and has it when the server is gone")
  func library() async throws {
    try await PrimerServer.run { server in
      let library = ExperienceLibrary(transport: PlatformTransport())
      func fetch(_ type: String, _ fields: HTTPFields = PrimerServer.fields) async throws -> ExperienceLibrary.Delivery
      {
        let address = try server.url.appending(path: "v1/experience")
          .appending(queryItems: [URLQueryItem(name: "type", value: type)])
        return try await library.experience(at: address, headerFields: fields)
      }
      let starter = try Experience(json: StarterExperience.document)
      let first = try await fetch("new_user")
      #expect(first.source == .fetched && first.experience == starter && first.failure == nil)
      #expect(try await fetch("new_user").source == .unchanged)
      #expect(try await fetch("custom").experience == nil)
      await #expect(throws: OstiaryError(.invalidCredentials, "")) { try await fetch("login", HTTPFields()) }
      await server.application.stop()
      let kept = try await fetch("new_user")
      #expect(kept.source == .stale && kept.experience == starter && kept.failure != nil)
    }
  }

  @Test("Primer-P23, Primer-P24: events whose answers are lost count once, and say what was known of the user")
  func events() async throws {
    try await PrimerServer.run { server in
      var configuration = EventConfiguration(
        address: try server.url.appending(path: "v1/events"), headerFields: PrimerServer.fields)
      configuration.retry = RetryPolicy(base: .milliseconds(10))
      configuration.interval = .milliseconds(10)
      let tracker = EventTracker(configuration, transport: PlatformTransport(), store: EphemeralStore())
      let user = ExperienceUser(store: EphemeralStore(), events: tracker)
      try await user.restore()
      server.proxy.loseAnswers(2, to: "POST /primer/v1/events")
      user.append(["plan": "trial"])
      user.signUp(as: "u1", properties: ["email": "new@example.com"])
      for number in 0..<30 { user.track("custom-\(number)") }
      // A flush ends with the first attempt that fails, of which there are two at most.
      for _ in 0..<3 where tracker.pending > 0 { try? await tracker.flush() }
      #expect(tracker.pending == 0 && tracker.lost == 0 && server.proxy.answersLost == 2)
      let events = try await server.application.door(PrimerDoor.self)?.events() ?? []
      #expect(events.count == 31 && Set(events.compactMap { $0["id"]?.string }).count == 31)
      let last = events.last { $0["name"] == "custom-29" }
      #expect(last?["user"]?["id"] == "u1" && last?["user"]?["props"]?["plan"] == "trial")
      let standing = try await server.application.door(PrimerDoor.self)?.standing(of: user.profile.anonymousID)
      #expect(standing?.isLoggedIn == true)
    }
  }

  @Test("Primer-P22: without personal data, nothing personal reaches the door")
  func sanitized() async throws {
    try await PrimerServer.run { server in
      let configuration = EventConfiguration(
        address: try server.url.appending(path: "v1/events"), headerFields: PrimerServer.fields)
      let tracker = EventTracker(configuration, transport: PlatformTransport(), store: EphemeralStore())
      tracker.sanitizes = true
      let user = ExperienceUser(store: EphemeralStore(), events: tracker)
      try await user.restore()
      user.signUp(as: "jane@example.com", properties: ["email": "jane@example.com", "plan": "trial"])
      try await tracker.flush()
      let events = try await server.application.door(PrimerDoor.self)?.events() ?? []
      #expect(events.count == 1 && events[0]["user"]?["props"] == .object(["plan": "trial"]))
      #expect(!"\(events)".contains("jane@example.com"))
    }
  }
}
