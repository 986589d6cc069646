import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: users and events", .timeLimit(.minutes(20)))
struct UserTests {
  static let server = URL(string: "https://primer.example")

  /// A server that takes events.
  func makeServer() -> (ScriptedTransport, Locked<[JSONValue]>) {
    let events = Locked<[JSONValue]>([])
    let transport = ScriptedTransport()
    transport.on(.post, "/v1/events") { request in
      let batch = JSONValue(json: request.body ?? Data())?["batch"]?.array ?? []
      events.withLock { $0 += batch }
      return .status(.accepted)
    }
    return (transport, events)
  }

  @Test(
    "Primer-P15: when an experience is presented by itself",
    arguments: [
      // requiresLogin, never seen, seen, logged in, logged out
      (true, [true, true, false, true]), (false, [true, false, false, false]),
    ])
  func automatic(_ requiresLogin: Bool, _ expected: [Bool]) async throws {
    let app = try await App()
    app.use { Primer.setRequiresLogin(requiresLogin) }
    var presented: [Bool] = []
    for step in 0..<4 {
      if step == 2 { app.use { Primer.logInUser(withID: "u1") } }
      if step == 3 { app.use { Primer.logOutUser() } }
      presented.append(await app.answer { done in app.use { Primer.presentExperience(completion: done) } })
      _ = await app.answer { done in app.use { Primer.dismissExperience(completion: done) } }
    }
    #expect(presented == expected)
  }

  @Test("Primer-P15: explicit types don't look at who is logged in", arguments: [PMRExperienceType.newUser, .login])
  func explicit(_ type: PMRExperienceType) async throws {
    let app = try await App()
    app.use { Primer.logInUser(withID: "u1") }
    #expect(await app.present(type) != nil)
  }

  @Test("Primer-P15: a store that can't be read yet is waited for, and nobody is taken for logged out")
  func lockedStore() async throws {
    let store = FaultyStore()
    let first = try await App(store: store)
    first.use { Primer.logInUser(withID: "u1") }
    try await first.service.persist()
    store.lock()
    let app = try await App(store: store)
    let answer = Task { await app.answer { done in app.use { Primer.presentExperience(completion: done) } } }
    let clock = try #require(app.service.clock as? ManualClock)
    // The user's record and the events are both asked for again.
    try await clock.waitForSleepers(2)
    store.unlock()
    clock.advance(by: .seconds(5))
    #expect(await answer.value == false)
    #expect(app.user.userID == "u1")
  }

  @Test("Primer-P19: the sample's way out: log out, and present again; the next user sees nothing of the previous one")
  func logOut() async throws {
    let app = try await App()
    app.use {
      Primer.signUpUser(withID: "u1")
      Primer.appendUserProperties(["email": "ann@example.com"])
    }
    app.user.name = "Ann"
    #expect(app.user.userID == "u1" && app.user.name == "Ann")
    app.use { Primer.logOutUser() }
    #expect(app.user.userID == nil && app.user.name == nil && app.user.properties.isEmpty == true)
    #expect(await app.answer { done in app.use { Primer.presentExperience(completion: done) } })
    #expect(app.use { Primer.currentRunner }?.snapshot.screen.fields.first?.value == nil)
  }

  @Test("Properties of every type come back as what they were; what is none is left out")
  func properties() async throws {
    let app = try await App()
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let url = try #require(URL(string: "https://x.example/a"))
    app.use {
      Primer.appendUserProperties([
        "text": "a", "int": 5, "double": 1.5, "yes": true, "date": date, "url": url, "list": ["a", 1],
        "number": NSNumber(value: 7), "boolean": NSNumber(value: true), "object": ["a": 1], "nothing": NSNull(),
      ])
    }
    let properties = app.user.properties
    #expect(
      properties.keys.sorted() == ["boolean", "date", "double", "int", "list", "number", "text", "url", "yes"])
    #expect(properties["int"] as? Int == 5 && properties["double"] as? Double == 1.5)
    #expect(properties["number"] as? Int == 7 && properties["boolean"] as? Bool == true)
    #expect(properties["date"] as? Date == date && properties["url"] as? String == "https://x.example/a")
    #expect((properties["list"] as? [Any])?.first as? String == "a")
    #expect(properties["yes"] as? Bool == true && properties["text"] as? String == "a")
  }

  @Test("Bug-D15 Primer: numbers beyond 2^53 keep every digit, in properties, events and lists; what can't is left out")
  func largeNumbers() async throws {
    let (transport, events) = makeServer()
    let app = try await App(transport: transport, server: Self.server)
    let large: Int64 = 9_007_199_254_740_993
    let values: [String: Any] = [
      "int": Int(large), "number": NSNumber(value: large), "least": NSNumber(value: Int64.min),
      "most": NSNumber(value: Int64.max), "unsigned": NSNumber(value: UInt64(Int64.max)), "swift": UInt64(large),
      "decimal": Decimal(string: "9007199254740993") ?? 0, "half": NSNumber(value: 0.5),
      "list": [NSNumber(value: large)],
      "beyond": NSNumber(value: UInt64.max), "beyondToo": UInt64.max,
      "beyondDecimal": Decimal(string: "18446744073709551617") ?? 0,
    ]
    app.use {
      Primer.appendUserProperties(values)
      Primer.trackEvent(withName: "counted", parameters: values)
    }
    let exact: [String: Int64] = [
      "int": large, "number": large, "least": .min, "most": .max, "unsigned": .max, "swift": large, "decimal": large,
    ]
    let properties = app.user.properties
    for (name, value) in exact { #expect((properties[name] as? NSNumber)?.int64Value == value, "\(name)") }
    #expect((properties["list"] as? [Any])?.first as? Int == Int(large) && properties["half"] as? Double == 0.5)
    #expect(properties.keys.sorted() == (exact.keys + ["half", "list"]).sorted())
    try await app.service.flush()
    let sent = try #require(events.withLock { $0.last }?["params"]?.object)
    for (name, value) in exact { #expect(sent[name] == .integer(value), "\(name)") }
    #expect(sent["list"] == .array([.integer(large)]) && sent["beyond"] == nil && sent["beyondToo"] == nil)
    // They are the same after another start, and what comes out can go in again.
    try await app.service.persist()
    let next = try await App(store: app.store)
    try await next.service.persist()
    #expect((next.user.properties["number"] as? NSNumber)?.int64Value == large)
    next.use { Primer.appendUserProperties(next.user.properties) }
    #expect((next.user.properties["most"] as? NSNumber)?.int64Value == .max)
  }

  @Test("Bug-D15 Primer: a number field of more than 2^53 reaches the delegate and the properties as it was typed")
  func largeField() async throws {
    let app = try await App()
    let delegate = RecordingDelegate()
    app.use { Primer.setExperienceDelegate(delegate) }
    let runner = try #require(await app.present())
    await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "next")
    await runner.submit(["age": "-9007199254740993", "news": "true"], with: "done")
    _ = try await runner.outcome()
    #expect((delegate.fields["signUp"]?["age"] as? NSNumber)?.int64Value == -9_007_199_254_740_993)
    #expect((app.user.properties["age"] as? NSNumber)?.int64Value == -9_007_199_254_740_993)
  }

  @Test(
    "Bug-D15 Primer: the variation that a user has seen does not survive the log-out, nor another user's log-in",
    arguments: 0..<3)
  func variations(_ way: Int) async throws {
    let app = try await App()
    #expect(app.user.lastViewedVariation == nil && app.user.activeABNTests.isEmpty)
    let runner = try #require(await app.present())
    #expect(app.user.lastViewedVariation == "B")
    runner.dismiss()
    _ = try await runner.outcome()
    app.use { Primer.logInUser(withID: "u1") }
    // What was seen before the log-in is the same person's.
    #expect(app.user.lastViewedVariation == "B" && app.user.activeABNTests.map(\.name) == ["cta"])
    app.use {
      switch way {
      case 0: Primer.logOutUser()
      case 1: Primer.logInUser(withID: "u2")
      default: Primer.signUpUser(withID: "u2")
      }
    }
    #expect(app.user.lastViewedVariation == nil && app.user.activeABNTests.isEmpty)
    // The next experience is the next user's.
    #expect(await app.present() != nil)
    #expect(app.user.lastViewedVariation == "B")
  }

  @Test("Bug-D06 Primer: the current user is there before a session has begun, and always shows what is known now")
  func currentUser() async throws {
    let service = PrimerService(
      environment: PrimerEnvironment(transport: ScriptedTransport(), store: { FaultyStore() }, clock: ManualClock()))
    let user: PMRUser = PrimerService.$current.withValue(service) { Primer.currentUser() }
    #expect(user.userID == nil && user.properties.isEmpty)
    PrimerService.$current.withValue(service) { Primer.logInUser(withID: "u1") }
    #expect(user.userID == "u1")
  }

  @Test("Bug-D06 Primer: the constants are the names of the events that are fired")
  func constants() async throws {
    let app = try await App()
    let found = Locked<[String]>([])
    app.service.onEvent { event in found.withLock { $0.append(event.name) } }
    try await app.service.persist()
    let runner = try #require(await app.present(.login))
    await runner.submit(["email": "ann@example.com", "password": "x"], with: "go")
    _ = try await runner.outcome()
    app.use {
      Primer.logOutUser()
      Primer.signUpUser(withID: "u2")
    }
    let skipped = try #require(await app.present())
    skipped.perform("skip")
    _ = try await skipped.outcome()
    #expect(
      // The beginning of the session may have been told before.
      found.withLock { $0.filter { $0 != PMRSessionStartedEvent } } == [
        PMRFlowStartedEvent, PMRScreenDisplayedEvent, PMRActionTappedEvent, PMRLoginEvent, PMRFlowCompletedEvent,
        PMRLogoutEvent, PMRSignupEvent, PMRFlowStartedEvent, PMRScreenDisplayedEvent,
        PMRActionTappedEvent, PMRFlowSkippedEvent,
      ])
  }

  @Test("Primer-P24: events go to the server with the app's token, those of an experience among them")
  func events() async throws {
    let (transport, events) = makeServer()
    let app = try await App(transport: transport, server: Self.server)
    app.use {
      Primer.trackEvent(withName: "Invited a friend", parameters: ["count": 2])
      Primer.appendUserProperties(["plan": "trial"])
    }
    let runner = try #require(await app.present(.login))
    await runner.submit(["email": "ann@example.com", "password": "opensesame"], with: "go")
    _ = try await runner.outcome()
    app.use { Primer.logOutUser() }
    try await app.service.flush()
    let names = events.withLock { $0.compactMap { $0["name"]?.string } }
    #expect(
      names == [
        "session_started", "Invited a friend", "flow_started", "screen_displayed", "action_tapped", "login",
        "flow_completed", "logout",
      ])
    let recorded = events.withLock { $0 }
    #expect(recorded[1]["params"] == .object(["count": 2]) && recorded[1]["type"] == "custom")
    // Primer-P23
    #expect(recorded[2]["user"]?["props"] == .object(["plan": "trial"]))
    #expect(recorded[5]["user"]?["props"] == .object(["plan": "trial", "email": "ann@example.com"]))
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    #expect(transport.requests.allSatisfy { $0.head.headerFields[token] == "key" })
    #expect(!transport.requests.contains { String(decoding: $0.body ?? Data(), as: UTF8.self).contains("opensesame") })
  }

  @Test("Primer-P22: on request nothing in an event tells who a person is")
  func sanitized() async throws {
    let (transport, events) = makeServer()
    let app = try await App(transport: transport, server: Self.server)
    app.use {
      Primer.setSanitizeEnabled(true)
      Primer.appendUserProperties(["email": "ann@example.com", "plan": "trial"])
      Primer.trackEvent(withName: "Shared", parameters: ["with": "bob@example.org", "count": 2])
    }
    try await app.service.flush()
    let event = try #require(events.withLock { $0.last })
    #expect(event["params"] == .object(["count": 2]))
    #expect(event["user"]?["props"] == .object(["plan": "trial"]))
    #expect(app.user.properties["email"] as? String == "ann@example.com")
  }

  @Test("Events are told to the rest of the app, each with an identifier")
  func notifications() async throws {
    let app = try await App()
    try await app.service.persist()
    let name = "notified-\(UUID().uuidString)"
    let found = Locked<[String]>([])
    let observer = NotificationCenter.default.addObserver(forName: .PMREventFired, object: nil, queue: nil) { note in
      guard note.userInfo?[PMREventNotificationNameKey] as? String == name,
        note.userInfo?[PMREventNotificationTypeKey] as? String == "custom",
        let parameters = note.userInfo?[PMREventNotificationParametersKey] as? [String: Any],
        let id = parameters["pmr_event_id"] as? String, parameters["count"] as? Int == 2
      else { return }
      found.withLock { $0.append(id) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    app.use { Primer.trackEvent(withName: name, parameters: ["count": 2]) }
    try await waitUntil { found.withLock { !$0.isEmpty } }
    #expect(found.withLock { $0.count } == 1)
  }

  @Test("Before a session has begun nothing is presented; a delayed one begins when it is told to")
  func starting() async throws {
    let store = FaultyStore()
    let service = PrimerService(
      environment: PrimerEnvironment(transport: ScriptedTransport(), store: { store }, clock: ManualClock()))
    try await PrimerService.$current.withValue(service) {
      #expect(!Primer.isInitialized())
      try Primer.setExperience(Onboarding.document, for: .newUser)
      Primer.setDelayedLaunchEnabled(true)
      Primer.start(withToken: "key")
      #expect(!Primer.isInitialized())
      let early = await withCheckedContinuation { continuation in
        Primer.presentExperience { continuation.resume(returning: $0) }
      }
      #expect(!early)
      Primer.delayedLaunch(withOptions: nil)
      #expect(Primer.isInitialized())
      let late = await withCheckedContinuation { continuation in
        Primer.presentExperience { continuation.resume(returning: $0) }
      }
      #expect(late)
    }
  }

  @Test("A document with mistakes is refused with all of them")
  func badDocument() async throws {
    let app = try await App(document: nil)
    #expect(throws: InvalidExperience.self) {
      try app.use { try Primer.setExperience(Data(#"{"id": 1}"#.utf8), for: .newUser) }
    }
    #expect(await app.present() == nil)
  }

  @Test(
    "An experience comes from the app's own server, by type and token; 204 is none", arguments: [200, 204, 401, 500])
  func download(_ status: Int) async throws {
    let transport = ScriptedTransport()
    let user = try #require(HTTPField.Name("X-Primer-User"))
    transport.on(.get, "/v1/experience") { request in
      #expect(request.head.path == "/v1/experience?type=login" && request.head.headerFields[user] == "u1")
      return TransportResponse(
        HTTPResponse(status: .init(code: status)), body: status == 200 ? Onboarding.document : Data())
    }
    let app = try await App(transport: transport, server: Self.server, document: nil)
    app.use { Primer.logInUser(withID: "u1") }
    let runner = await app.present(.login)
    #expect((runner?.snapshot.flow == "log-in") == (status == 200))
    #expect(app.use { Primer.isPresentingExperience() } == (status == 200))
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    #expect(transport.requests.first { $0.head.method == .get }?.head.headerFields[token] == "key")
  }
}
