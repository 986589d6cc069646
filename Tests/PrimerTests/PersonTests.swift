import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: one person's data is theirs", .timeLimit(.minutes(20)))
struct PrimerPersonTests {
  static let server = URL(string: "https://primer.example")

  /// What another person may come after.
  enum Way: CaseIterable, Sendable {
    case logOut, otherUser, unnamedUser
  }

  private func pass(_ way: Way, _ app: App) {
    app.use {
      switch way {
      case .logOut: Primer.logOutUser()
      case .otherUser: Primer.logInUser(withID: "ben")
      case .unnamedUser: Primer.signUpUser()
      }
    }
  }

  /// Has Ada fill in what she can of an experience.
  private func begin(_ runner: ExperienceRunner, _ app: App) {
    app.use { Primer.appendUserProperties(["first_name": "Ada", "email": "ada@example.com", "city": "London"]) }
    runner.enter("secret", in: "password")
  }

  @Test(
    "Bug-G04: an experience that is shown forgets who logs out, and the next user signs up as themselves",
    arguments: Way.allCases)
  func shown(_ way: Way) async throws {
    let app = try await App()
    app.use { Primer.logInUser(withID: "ada") }
    let runner = try #require(await app.present())
    begin(runner, app)
    #expect(runner.snapshot.screen.title == "Hello Ada")
    pass(way, app)
    #expect(runner.snapshot.screen.title?.contains("Ada") != true)
    #expect(runner.snapshot.screen.fields.allSatisfy { !$0.isFilled })
    await runner.submit(["email": "ben@example.com", "password": "open sesame 123"], with: "next")
    await runner.submit([:], with: "done")
    _ = try await runner.outcome()
    #expect(app.user.properties["email"] as? String == "ben@example.com" && app.user.properties["city"] == nil)
    #expect(app.user.properties["first_name"] == nil && app.user.name == nil)
  }

  @Test("Bug-G04: an experience that the app has loaded and not shown yet forgets them, too", arguments: Way.allCases)
  func loaded(_ way: Way) async throws {
    let app = try await App()
    app.use {
      Primer.logInUser(withID: "ada")
      Primer.appendUserProperties(["email": "ada@example.com"])
    }
    let controller: PMRExperienceController? = await withCheckedContinuation { continuation in
      app.use { Primer.load(.login, withCompletion: { continuation.resume(returning: $0) }) }
    }
    let runner = try #require(controller?.runner)
    pass(way, app)
    runner.present()
    #expect(runner.snapshot.screen.fields.allSatisfy { !$0.isFilled })
  }

  @Test("Bug-G05: a log-in in an experience that the app answers without an identifier inherits nothing")
  func unnamed() async throws {
    let app = try await App()
    let delegate = RecordingDelegate()
    delegate.userID = nil
    app.use {
      Primer.setExperienceDelegate(delegate)
      Primer.logInUser(withID: "ada")
      Primer.appendUserProperties(["city": "London"])
    }
    let runner = try #require(await app.present(.login))
    await runner.submit(["email": "ben@example.com", "password": "x"], with: "go")
    _ = try await runner.outcome()
    #expect(app.user.userID == nil && app.user.properties as? [String: String] == ["email": "ben@example.com"])
    withExtendedLifetime(delegate) {}
  }

  @Test(
    "Bug-G06: without a delegate, or with one that is gone, no password logs in; the screen says so",
    arguments: [true, false])
  func noDelegate(_ isGone: Bool) async throws {
    let app = try await App()
    var delegate: RecordingDelegate? = isGone ? RecordingDelegate() : nil
    app.use { Primer.setExperienceDelegate(delegate) }
    let runner = try #require(await app.present(.login))
    weak var released: RecordingDelegate?
    released = delegate
    delegate = nil
    #expect(released == nil)
    let moment = await runner.submit(["email": "ann@example.com", "password": "x"], with: "go")
    #expect(moment.phase == .shown)
    #expect(
      moment.screen.messages == ["The app does not answer, so nothing was accepted. Close it and open it again."])
    #expect(app.user.userID == nil && app.user.properties.isEmpty)
    // One that comes is asked.
    app.use { Primer.setExperienceDelegate(app.delegate) }
    await runner.submit([:], with: "go")
    #expect(runner.snapshot.outcome != nil)
  }

  // MARK: Requests

  /// A server whose documents are one person's, as their title says.
  private func makeServer(_ transport: ScriptedTransport, cacheControl: String? = nil) throws {
    let field = try #require(HTTPField.Name("X-Primer-User"))
    transport.on(.get, "/v1/experience") { request in
      let user = request.head.headerFields[field] ?? "nobody"
      let document = String(decoding: Onboarding.document, as: UTF8.self).replacing(
        "Hello {{first_name}}", with: "Of \(user)")
      var fields = HTTPFields()
      fields[.cacheControl] = cacheControl
      return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: Data(document.utf8))
    }
    transport.on(.post, "/v1/events") { _ in TransportResponse(HTTPResponse(status: .accepted)) }
  }

  @Test(
    "Bug-G14: no request has a person in its address; the user goes in a field, or not at all",
    arguments: [true, false])
  func addresses(_ sanitizes: Bool) async throws {
    let transport = ScriptedTransport()
    try makeServer(transport)
    let app = try await App(transport: transport, server: Self.server, document: nil)
    app.use { Primer.setSanitizeEnabled(sanitizes) }
    let field = try #require(HTTPField.Name("X-Primer-User"))
    var sent: [String?] = []
    for id in ["ada@example.com", "+44 20 7946 0000", "u-17", "Ünï", String(repeating: "u", count: 201)] {
      app.use { Primer.logInUser(withID: id) }
      let runner = try #require(await app.present(.login))
      _ = await app.answer { done in app.use { Primer.dismissExperience(completion: done) } }
      _ = try await runner.outcome()
      sent.append(transport.requests.last { $0.head.method == .get }?.head.headerFields[field])
    }
    #expect(transport.requests.allSatisfy { $0.head.path == "/v1/experience?type=login" || $0.head.method == .post })
    #expect(sent[0] == "ada%40example.com" || sanitizes && UUID(uuidString: sent[0] ?? "") != nil)
    #expect((sent[1] == "%2B44%2020%207946%200000") == !sanitizes && sent[2] == "u-17" && sent[3] == "%C3%9Cn%C3%AF")
    #expect(UUID(uuidString: sent[4] ?? "") != nil)
  }

  @Test("Bug-G14: without a network the next user does not get the former one's document", arguments: [true, false])
  func offline(_ isPublic: Bool) async throws {
    let transport = ScriptedTransport()
    try makeServer(transport, cacheControl: isPublic ? "public, no-cache" : nil)
    let app = try await App(transport: transport, server: Self.server, document: nil)
    app.use { Primer.logInUser(withID: "ada") }
    func look() async throws -> String? {
      guard let runner = await app.present() else { return nil }
      runner.dismiss()
      _ = try await runner.outcome()
      return runner.snapshot.screen.title
    }
    #expect(try await look() == "Of ada")
    transport.inject(.refuseConnection, into: .any)
    #expect(try await look() == "Of ada", "it is hers")
    app.use { Primer.logOutUser() }
    // What a server says is every user's is there for each.
    #expect(try await look() == (isPublic ? "Of ada" : nil))
  }

  @Test("Bug-G14: what was fetched for one user is not shown to the one who is there when it comes")
  func late() async throws {
    let transport = ScriptedTransport()
    try makeServer(transport)
    let gate = Gate()
    transport.inject(.holdResponse(gate), into: .path("/v1/experience"), at: .nth(1))
    let app = try await App(transport: transport, server: Self.server, document: nil)
    app.use { Primer.logInUser(withID: "ada") }
    let presenting = Task { await app.present() }
    try await gate.waitForWaiting(1)
    app.use { Primer.logOutUser() }
    gate.open()
    #expect(await presenting.value == nil)
    #expect(await app.present()?.snapshot.screen.title?.hasPrefix("Of ada") == false)
  }

  @Test("Bug-G30: a second start with another token: events and experiences go with the new one")
  func newToken() async throws {
    let transport = ScriptedTransport()
    try makeServer(transport)
    let app = try await App(transport: transport, server: Self.server, document: nil)
    app.use { Primer.start(withToken: "new") }
    try await app.service.flush()
    #expect(await app.present() != nil)
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    #expect(transport.requests.last { $0.head.method == .get }?.head.headerFields[token] == "new")
    #expect(transport.requests.last { $0.head.method == .post }?.head.headerFields[token] == "new")
    // It is one session.
    app.use { Primer.trackEvent(withName: "x", parameters: nil) }
    try await app.service.flush()
    let bodies = transport.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }.joined()
    #expect(bodies.components(separatedBy: "session_started").count == 2)
  }

  @Test("Bug-G30: events go with the new token of a second start, too, where the launch was delayed")
  func newTokenAfterDelay() async throws {
    let transport = ScriptedTransport()
    try makeServer(transport)
    let store = FaultyStore()
    let service = PrimerService(
      environment: PrimerEnvironment(
        transport: transport, store: { store }, clock: ManualClock(),
        settings: PrimerSettings(token: "key", server: Self.server)))
    try await PrimerService.$current.withValue(service) {
      Primer.setDelayedLaunchEnabled(true)
      Primer.start(withToken: "first")
      #expect(!Primer.isInitialized())
      Primer.delayedLaunch(withOptions: nil)
      Primer.start(withToken: "second")
      try await service.flush()
    }
    let token = try #require(HTTPField.Name("X-Primer-Token"))
    #expect(transport.requests.last?.head.headerFields[token] == "second")
  }
}
