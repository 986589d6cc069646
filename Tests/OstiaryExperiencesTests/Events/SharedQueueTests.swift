import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

/// Two objects that share a store stand for two processes: neither knows of the other but by the store.
@Suite("Events and users of several processes", .timeLimit(.minutes(20)))
struct SharedQueueTests {
  let store = FaultyStore()
  let subject = UserEvent.Subject(UserProfile(anonymousID: "anon-1"))

  func makeTracker() -> EventTracker {
    EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
  }

  func event(_ name: String) -> UserEvent { UserEvent(name, date: Date(), subject: subject) }

  func names(_ tracker: EventTracker) -> Set<String> { Set(tracker.queue.value.items.map(\.event.name)) }

  @Test(
    "Bug-G03: events of two processes rest side by side, and what one has delivered does not come back by the other")
  func sideBySide() async throws {
    let (first, second) = (makeTracker(), makeTracker())
    try await first.persist()
    try await second.persist()
    first.track(event("a"))
    try await first.persist()
    second.track(event("b"))
    try await second.persist()
    #expect(names(second) == ["a", "b"])
    first.track(event("c"))
    try await first.persist()
    #expect(names(first) == ["a", "b", "c"])
    // Delivered by the first.
    first.queue.update { $0.removeAll() }
    try await first.persist()
    second.track(event("d"))
    try await second.persist()
    #expect(names(second) == ["d"])
    let third = makeTracker()
    try await third.persist()
    #expect(names(third) == ["d"] && third.lost == 0)
  }

  @Test("Bug-G03: whatever two processes do at once, nothing that was stored is lost")
  func race() async throws {
    let trackers = [makeTracker(), makeTracker(), makeTracker()]
    await withTaskGroup(of: Void.self) { group in
      for (index, tracker) in trackers.enumerated() {
        group.addTask {
          for number in 0..<20 {
            tracker.track(event("\(index)-\(number)"))
            if number % 3 == 0 { try? await tracker.persist() }
          }
          try? await tracker.persist()
        }
      }
    }
    let last = makeTracker()
    try await last.persist()
    #expect(names(last).count == 60)
  }

  @Test("A write that failed after it was done is not done twice")
  func failsAfterwards() async throws {
    let tracker = makeTracker()
    try await tracker.persist()
    store.inject(.failsAfterwards, into: .save, at: .nth(1))
    tracker.track(event("a"))
    try? await tracker.persist()
    try await tracker.persist()
    #expect(names(tracker) == ["a"] && store.saved.count == 1)
    let next = makeTracker()
    try await next.persist()
    #expect(next.pending == 1)
  }

  @Test("A store that always finds another writer faster is left in peace for a while, and the caller is told")
  func conflicts() async throws {
    let tracker = makeTracker()
    try await tracker.persist()
    store.inject(.conflict, into: .save)
    tracker.track(event("a"))
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await tracker.persist() }
    #expect(tracker.pending == 1)
    store.heal()
    try await tracker.persist()
  }

  @Test("Bug-A28: what cleanses events stays on when another process has written")
  func cleansing() async throws {
    let (first, second) = (makeTracker(), makeTracker())
    first.sanitizes = true
    try await first.persist()
    try await second.persist()
    second.track(UserEvent("a", date: Date(), parameters: ["email": "ann@example.com"], subject: subject))
    try await second.persist()
    first.track(UserEvent("b", date: Date(), parameters: ["email": "bob@example.com"], subject: subject))
    try await first.persist()
    let saved = String(decoding: try #require(store.saved.last), as: UTF8.self)
    #expect(first.sanitizes && names(first) == ["a", "b"] && !saved.contains("@example.com"))
  }

  @Test("Bug-G04: a log-out in one process is not undone by the other, which forgets the person when it sees it")
  func logOut() async throws {
    let (first, second) = (ExperienceUser(store: store), ExperienceUser(store: store))
    first.logIn(as: "ada", properties: ["first_name": "Ada", "email": "ada@example.com"])
    try await first.persist()
    second.setName("Ada")
    try await second.persist()
    #expect(second.profile.userID == "ada" && second.profile.properties["first_name"] == "Ada")
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "log-in", delegate: RecordingApp())
    second.attach(runner)
    runner.present()
    runner.enter("secret", in: "password")
    #expect(runner.snapshot.screen.fields.map(\.isFilled) == [true, true])
    first.logOut()
    try await first.persist()
    second.noteExperienceSeen()
    try await second.persist()
    #expect(second.profile.userID == nil && second.profile.properties.isEmpty && second.profile.name == nil)
    #expect(second.profile.anonymousID == first.profile.anonymousID && second.profile.hasSeenExperience)
    #expect(runner.snapshot.screen.fields.map(\.isFilled) == [false, false])
  }

  @Test("Bug-G04: what one process learns of a person goes to no other who has come in another process")
  func otherPerson() async throws {
    let (first, second) = (ExperienceUser(store: store), ExperienceUser(store: store))
    first.logIn(as: "ada")
    try await first.persist()
    second.append(["plan": "trial"])
    try await second.persist()
    #expect(second.profile.userID == "ada")
    first.logOut()
    first.logIn(as: "ben", properties: ["city": "Bonn"])
    try await first.persist()
    // The second process knows of Ada alone, and finds another writer faster twice.
    let gate = Gate()
    store.inject(.hold(gate), into: .save)
    store.inject(.conflict, into: .save, at: .nth(2))
    second.append(["email": "ada@example.com", "city": "London"])
    second.setName("Ada")
    second.noteExperienceSeen()
    gate.open()
    try await second.persist()
    store.heal()
    #expect(second.profile.userID == "ben" && second.profile.properties.values == ["city": "Bonn"])
    #expect(second.profile.name == nil && second.profile.hasSeenExperience)
    let saved = String(decoding: try #require(store.saved.last), as: UTF8.self)
    #expect(!saved.contains("ada@") && !saved.contains("London") && !saved.contains("Ada"))
    // From now on it knows of Ben.
    second.append(["plan": "full"])
    try await second.persist()
    first.append(["seats": 5])
    try await first.persist()
    #expect(first.profile.properties.values == ["city": "Bonn", "plan": "full", "seats": 5])
  }

  @Test("What two processes learn of an unknown user of a new device, or of one who signs in, is kept")
  func samePerson() async throws {
    let (first, second) = (ExperienceUser(store: store), ExperienceUser(store: store))
    try await first.restore()
    try await second.restore()
    first.append(["plan": "trial"])
    try await first.persist()
    second.append(["city": "London"])
    second.logIn(as: "ada", properties: ["age": 36])
    second.append(["seats": 5])
    try await second.persist()
    #expect(second.profile.userID == "ada" && second.profile.anonymousID == first.profile.anonymousID)
    #expect(second.profile.properties.values == ["plan": "trial", "city": "London", "age": 36, "seats": 5])
  }
}
