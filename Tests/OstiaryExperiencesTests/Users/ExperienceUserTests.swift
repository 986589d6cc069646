import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Testing

@Suite("The user", .timeLimit(.minutes(20)))
struct ExperienceUserTests: UserSuite {
  let store = FaultyStore()
  let clock = ManualClock()

  @Test("What is known of a user survives the process")
  func persistence() async throws {
    var user = makeUser()
    user.append(["plan": "trial"])
    user.logIn(as: "u1", properties: ["email": "ann@example.com"])
    user.setName("Ann")
    try await user.persist()
    let profile = user.profile
    user = makeUser()
    try await user.restore()
    #expect(user.profile == profile)
    #expect(user.profile.userID == "u1" && user.profile.standing == .loggedIn && user.profile.name == "Ann")
    #expect(user.profile.properties.values == ["plan": "trial", "email": "ann@example.com"])
  }

  @Test("What is done before the store could be read is done to what it held")
  func early() async throws {
    var user = makeUser()
    user.append(["a": 1, "b": 1])
    user.logIn(as: "u1")
    try await user.persist()
    let anonymousID = user.profile.anonymousID
    store.lock()
    user = makeUser()
    user.append(["b": 2, "c": 3])
    #expect(user.profile.properties.values == ["b": 2, "c": 3])
    try await clock.waitForSleepers()
    store.unlock()
    clock.advance(by: .seconds(1))
    try await user.restore()
    #expect(user.profile.properties.values == ["a": 1, "b": 2, "c": 3])
    #expect(user.profile.userID == "u1" && user.profile.anonymousID == anonymousID)
    try await user.persist()
    let next = makeUser()
    try await next.restore()
    #expect(next.profile == user.profile)
  }

  @Test("A store that can't be written now gets everything later")
  func full() async throws {
    let user = makeUser()
    try await user.restore()
    store.isFull = true
    user.logIn(as: "u1")
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await user.persist() }
    #expect(user.profile.userID == "u1")
    try await clock.waitForSleepers()
    store.isFull = false
    let saves = store.count(.save)
    clock.advance(by: .seconds(10))
    try await store.waitFor(.save, count: saves + 1)
    try await user.persist()
    let next = makeUser()
    try await next.restore()
    #expect(next.profile.userID == "u1")
  }

  @Test("What is damaged in the store is taken for nothing", arguments: ["", "{", "[]", #"{"format":2,"content":{}}"#])
  func damaged(_ text: String) async throws {
    try await store.save(Data(text.utf8), for: SessionKey("experience-user"), replacing: .anything)
    let user = makeUser()
    try await user.restore()
    #expect(user.profile.standing == .new && user.profile.properties.isEmpty)
  }

  @Test("Primer-P19: after a log-out the next user sees nothing of the previous one")
  func logOut() async throws {
    let recorder = Locked<[UserEvent]>([])
    let user = makeUser()
    try await user.restore()
    user.onEvent { event in recorder.withLock { $0.append(event) } }
    user.logIn(as: "u1", properties: ["email": "ann@example.com"])
    user.setName("Ann")
    user.noteExperienceSeen()
    let before = user.profile
    user.logOut()
    #expect(user.profile.userID == nil && user.profile.name == nil && user.profile.properties.isEmpty)
    #expect(user.profile.standing == .loggedOut && user.profile.hasSeenExperience)
    #expect(user.profile.anonymousID != before.anonymousID)
    user.logIn(as: "u2")
    #expect(user.profile.properties.isEmpty)
    let events = recorder.withLock { $0 }
    #expect(events.map(\.name) == ["login", "logout", "login"])
    #expect(events.map(\.subject.userID) == ["u1", "u1", "u2"])
    #expect(events[1].subject.properties["email"] == "ann@example.com")
    #expect(events[2].subject.properties.isEmpty)
    try await user.persist()
    for saved in store.saved.suffix(1) {
      #expect(!String(decoding: saved, as: UTF8.self).contains("ann@example.com"))
    }
  }

  @Test("Another user without a log-out in between inherits nothing; the same one keeps everything")
  func switching() {
    let user = makeUser()
    user.append(["plan": "trial"])
    let anonymousID = user.profile.anonymousID
    user.signUp(as: "u1")
    #expect(user.profile.anonymousID == anonymousID && user.profile.properties["plan"] == "trial")
    user.logIn(as: "u1")
    #expect(user.profile.userID == "u1" && user.profile.properties["plan"] == "trial")
    user.logIn(as: "u2")
    #expect(user.profile.userID == "u2" && user.profile.properties.isEmpty)
    #expect(user.profile.anonymousID != anonymousID)
  }

  @Test(
    "Primer-P15: when an experience is shown by itself",
    arguments: [
      // requiresLogin, never seen, seen, logged in, logged out
      (true, [true, true, false, true]),
      (false, [true, false, false, false]),
    ])
  func automatic(_ requiresLogin: Bool, _ expected: [Bool]) {
    let new = makeUser()
    let seen = makeUser()
    seen.noteExperienceSeen()
    let loggedIn = makeUser()
    loggedIn.noteExperienceSeen()
    loggedIn.logIn(as: "u1")
    let loggedOut = makeUser()
    loggedOut.noteExperienceSeen()
    loggedOut.logIn(as: "u1")
    loggedOut.logOut()
    #expect(
      [new, seen, loggedIn, loggedOut].map { $0.profile.wantsExperience(requiringLogin: requiresLogin) } == expected)
    // Logged in by the app's own means, without an experience.
    let other = makeUser()
    other.logIn()
    #expect(!other.profile.wantsExperience(requiringLogin: requiresLogin))
  }

  @Test("Primer-P11: a provider's user who is new has signed up, another has logged in", arguments: [true, false])
  func provider(_ isNew: Bool) async throws {
    let events = Locked<[UserEvent]>([])
    let user = makeUser()
    try await user.restore()
    user.onEvent { event in events.withLock { $0.append(event) } }
    user.enter(
      with: "facebook", as: "u2", isNew: isNew, properties: ["name": "Ann", "profile_pic": "https://x.example/a"])
    let event = events.withLock { $0 }.first
    #expect(event?.name == (isNew ? "sign_up" : "provider_login"))
    #expect(event?.parameters == ["provider": "facebook"])
    #expect(user.profile.properties["profile_pic"] == "https://x.example/a")
  }

  @Test("Primer-P23: user properties are attached to all later events")
  func attached() async throws {
    let events = Locked<[UserEvent]>([])
    let user = makeUser()
    try await user.restore()
    user.onEvent { event in events.withLock { $0.append(event) } }
    user.track("before")
    user.append(["plan": "trial"])
    user.track("after", ["n": 1])
    let recorded = events.withLock { $0 }
    #expect(recorded.map { $0.subject.properties.values } == [[:], ["plan": "trial"]])
    #expect(recorded.map(\.kind) == [.custom, .custom])
    #expect(Set(recorded.map(\.id)).count == 2)
  }

  @Test("What happens before the store could be read happens to whom it turns out to hold")
  func earlyEvents() async throws {
    var user = makeUser()
    user.append(["plan": "trial"])
    user.logIn(as: "u1")
    try await user.persist()
    let known = user.profile
    store.lock()
    user = makeUser()
    let events = Locked<[UserEvent]>([])
    user.onEvent { event in events.withLock { $0.append(event) } }
    user.track("first")
    user.append(["plan": "full"])
    user.track("second")
    user.logOut()
    user.track("third")
    #expect(events.withLock { $0 }.isEmpty)
    try await clock.waitForSleepers()
    store.unlock()
    clock.advance(by: .seconds(1))
    try await user.restore()
    let recorded = events.withLock { $0 }
    #expect(recorded.map(\.name) == ["first", "second", "logout", "third"])
    #expect(recorded.map(\.subject.userID) == ["u1", "u1", "u1", nil])
    #expect(recorded.map { $0.subject.properties["plan"] } == ["trial", "full", "full", nil])
    #expect(recorded.prefix(3).allSatisfy { $0.subject.anonymousID == known.anonymousID })
    #expect(recorded.last?.subject.anonymousID == user.profile.anonymousID)
  }

  @Test("An observer may ask the user, and leaves when it wants to")
  func observers() async throws {
    let user = makeUser()
    try await user.restore()
    let seen = Locked<[String]>([])
    let end = user.onEvent { [weak user] event in
      let standing = user?.profile.standing.rawValue ?? ""
      seen.withLock { $0.append("\(event.name) \(standing)") }
    }
    user.logIn()
    end()
    user.logOut()
    #expect(seen.withLock { $0 } == ["login loggedIn"])
  }

  @Test("Forgetting leaves nothing, as after an installation")
  func forget() async throws {
    let tracker = EventTracker(EventConfiguration(), transport: ScriptedTransport(), store: store, clock: clock)
    let user = makeUser(tracker)
    user.logIn(as: "u1", properties: ["email": "ann@example.com"])
    try await user.persist()
    #expect(tracker.pending == 1)
    try await user.forget()
    #expect(tracker.pending == 0 && user.profile.standing == .new && user.profile.properties.isEmpty)
    for key in try await store.accounts() {
      guard case .present(let data) = await store.load(key) else { continue }
      #expect(!String(decoding: data, as: UTF8.self).contains("ann@example.com"))
      #expect(!String(decoding: data, as: UTF8.self).contains("u1"))
    }
  }
}
