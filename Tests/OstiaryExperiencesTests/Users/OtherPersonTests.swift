import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("One person's data is theirs", .timeLimit(.minutes(20)))
struct OtherPersonTests: UserSuite {
  let store = FaultyStore()
  let clock = ManualClock()

  /// What another person may come after.
  enum Way: CaseIterable, Sendable {
    case logOut, otherUser, unnamedUser, emptyName, afterUnnamed, inExperience, forget
  }

  /// Has Ada there, and then another person.
  private func pass(_ way: Way, _ user: ExperienceUser) async throws {
    if way == .afterUnnamed { user.logIn() }
    user.append(["city": "London", "email": "ada@example.com"])
    user.setName("Ada")
    switch way {
    case .logOut: user.logOut()
    case .otherUser: user.logIn(as: "ben")
    case .unnamedUser: user.logIn()
    case .emptyName: user.signUp(as: "")
    case .afterUnnamed: user.logIn(as: "ben")
    case .inExperience: user.admit(SignedInUser(id: nil, isNew: false, properties: [:]))
    case .forget: try await user.forget()
    }
  }

  @Test("Bug-G05: who may be another person inherits nothing, here and where it rests", arguments: Way.allCases)
  func inherits(_ way: Way) async throws {
    let user = makeUser()
    user.logIn(as: "ada")
    let before = user.profile.anonymousID
    try await pass(way, user)
    #expect(user.profile.properties.isEmpty && user.profile.name == nil && user.profile.anonymousID != before)
    #expect(user.profile.userID == ([.otherUser, .afterUnnamed].contains(way) ? "ben" : nil))
    try await user.persist()
    let saved = String(decoding: try #require(store.saved.last), as: UTF8.self)
    #expect(
      !saved.contains("London") && !saved.contains("ada@") && !saved.contains("\"ada\"") && !saved.contains("Ada"))
  }

  @Test("Bug-G28: what was cleared in an experience is no property any more, here and where it rests")
  func cleared() async throws {
    let user = makeUser()
    user.logIn(as: "ada", properties: ["city": "London", "plan": "trial"])
    user.admit(SignedInUser(id: "ada", isNew: false, properties: ["age": 36], cleared: ["city"]))
    #expect(user.profile.properties.values == ["plan": "trial", "age": 36])
    try await user.persist()
    #expect(!String(decoding: try #require(store.saved.last), as: UTF8.self).contains("London"))
  }

  @Test("Bug-G05: who was anonymous till now, and who signs in again under the same identifier, keep what is known")
  func keeps() {
    let user = makeUser()
    user.append(["plan": "trial"])
    let anonymousID = user.profile.anonymousID
    user.logIn(as: "ada")
    user.logIn(as: "ada", properties: ["city": "London"])
    #expect(user.profile.properties.values == ["plan": "trial", "city": "London"])
    #expect(user.profile.anonymousID == anonymousID)
    user.logOut()
    user.append(["plan": "none"])
    user.signUp()
    #expect(user.profile.properties.values == ["plan": "none"], "anonymous after the log-out")
  }

  @Test("Bug-G05: another user's log-in before the store was read leaves nothing of whom it held")
  func early() async throws {
    var user = makeUser()
    user.logIn(as: "ada", properties: ["city": "London"])
    try await user.persist()
    store.lock()
    user = makeUser()
    user.logIn(as: "ben", properties: ["plan": "trial"])
    try await clock.waitForSleepers()
    store.unlock()
    clock.advance(by: .seconds(1))
    try await user.restore()
    #expect(user.profile.userID == "ben" && user.profile.properties.values == ["plan": "trial"])
  }

  @Test("Bug-G04: an experience that is open forgets the former person with what was entered", arguments: Way.allCases)
  func open(_ way: Way) async throws {
    let user = makeUser()
    try await user.restore()
    user.logIn(as: "ada")
    let experience = try Fixtures.starter()
    let shown = ExperienceRunner(experience, flow: "log-in", delegate: RecordingApp())
    let loaded = ExperienceRunner(experience, flow: "log-in", delegate: RecordingApp())
    user.attach(shown)
    user.attach(loaded)
    shown.present()
    shown.enter("secret", in: "password")
    try await pass(way, user)
    user.append(["email": "ben@example.com"])
    loaded.present()
    #expect(shown.snapshot.screen.fields.map(\.isFilled) == [false, false], "\(way)")
    #expect(loaded.snapshot.screen.fields.map(\.value) == ["ben@example.com", nil])
    shown.enter("ben@example.com", in: "email")
    await shown.submit(["password": "other"], with: "log-in")
    guard case .signedIn(let ben) = try await shown.outcome() else { return #expect(Bool(false), "not signed in") }
    #expect(ben.properties == ["email": "ben@example.com"])
  }

  @Test(
    "An experience that is open keeps the entries of a person who signs in by other means, and hears what becomes known"
  )
  func same() async throws {
    let user = makeUser()
    try await user.restore()
    user.append(["first_name": "Ada"])
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback", delegate: RecordingApp())
    user.attach(runner)
    runner.present()
    runner.enter("fine", in: "opinion")
    user.logIn(as: "ada")
    user.append(["first_name": "Ada L."])
    #expect(runner.snapshot.screen.text == "Hello Ada L., what do you think?")
    #expect(runner.snapshot.screen.fields.first { $0.key == "opinion" }?.value == "fine")
  }

  @Test("An experience that is open when the store is read hears who is there, and keeps what was entered")
  func restored() async throws {
    var user = makeUser()
    user.logIn(as: "ada", properties: ["first_name": "Ada"])
    try await user.persist()
    store.lock()
    user = makeUser()
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback", delegate: RecordingApp())
    user.attach(runner)
    runner.present()
    runner.enter("fine", in: "opinion")
    try await clock.waitForSleepers()
    store.unlock()
    clock.advance(by: .seconds(1))
    try await user.restore()
    try await waitUntil { runner.snapshot.screen.text == "Hello Ada, what do you think?" }
    #expect(runner.snapshot.screen.fields.first { $0.key == "opinion" }?.value == "fine")
  }

  @Test("Bug-G04: an experience that is open when the store is read keeps nothing of whom another has followed")
  func openEarly() async throws {
    var user = makeUser()
    user.logIn(as: "ada")
    try await user.persist()
    store.lock()
    user = makeUser()
    let runner = ExperienceRunner(try Fixtures.starter(), flow: "feedback", delegate: RecordingApp())
    user.attach(runner)
    runner.present()
    // Ada is there, as the store is about to tell.
    user.append(["first_name": "Ada"])
    user.logIn(as: "ben")
    try await clock.waitForSleepers()
    store.unlock()
    clock.advance(by: .seconds(1))
    try await user.restore()
    #expect(user.profile.userID == "ben" && user.profile.properties.isEmpty)
    try await waitUntil { runner.snapshot.screen.text?.contains("Ada") == false }
  }

  @Test("Bug-G13: what is forgotten before the store was read does not come back, nor what happened before")
  func forgetEarly() async throws {
    for _ in 0..<20 {
      let store = FaultyStore()
      let first = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
      let former = ExperienceUser(store: store, events: first)
      former.logIn(as: "ada", properties: ["email": "ada@example.com"])
      try await former.persist()
      let gate = Gate()
      store.inject(.hold(gate), into: .load)
      let tracker = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store)
      let user = ExperienceUser(store: store, events: tracker)
      user.append(["email": "ada@example.com"])
      user.track("before", ["with": "ada@example.com"])
      let forgetting = Task { try await user.forget() }
      try await waitUntil { user.profile.properties.isEmpty }
      gate.open()
      try await forgetting.value
      user.track("after")
      try await user.persist()
      #expect(tracker.pending == 1 && user.profile.userID == nil && user.profile.properties.isEmpty)
      for key in try await store.accounts() {
        guard case .present(let data) = await store.load(key) else { continue }
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("ada@") && !text.contains("\"ada\""))
      }
    }
  }

  @Test("Bug-G13: an event of another thread comes before forgetting, or is of the next person")
  func forgetMeanwhile() async throws {
    for _ in 0..<50 {
      let tracker = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: EphemeralStore())
      let user = ExperienceUser(store: EphemeralStore(), events: tracker)
      try await user.restore()
      user.logIn(as: "ada", properties: ["email": "ada@example.com"])
      let other = Task.detached { for _ in 0..<20 { user.track("seen") } }
      try await user.forget()
      await other.value
      try await tracker.persist()
      #expect(tracker.queue.value.items.allSatisfy { $0.event.subject.userID == nil })
      #expect(tracker.queue.value.items.allSatisfy { $0.event.subject.properties.isEmpty })
    }
  }
}
