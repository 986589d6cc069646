internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryPega
internal import OstiaryServer

/// Signing in to a Pega server and staying signed in.
struct PegaDemo: DemoChapter {
  let title = "Pega: sign in and stay signed in"

  /// The number of requests that use the ended session at once.
  private static let crowd = 20

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    let server = try stage.address(ofDoor: "pega")
    let authenticator = try PegaAuthenticator(server: server)
    let questions = Locked(0)
    let manager = SessionManager(
      authenticator: authenticator, transport: stage.cable,
      credentials: .onRequest { _ in
        questions.withLock { $0 += 1 }
        return .password(username: stage.username, password: stage.password)
      },
      configuration: Self.impatient, logger: stage.logger)
    story.watch(manager)
    let client = AuthenticatedTransport(manager)
    let cases = server.appending(path: "api/v1/cases")

    let session = try await story.step("Signed in as \(stage.username)") {
      try await manager.signIn(with: .password(username: stage.username, password: stage.password))
    }
    try await story.step("Called \(cases.path()): the server knows who we are") {
      try await Self.call(cases, through: client, story)
    }
    try await story.step("The server dropped the session, without a word to us") {
      let count = try await stage.application.dropSessions(ofUserNamed: stage.username)
      try story.expect(count > 0, "a session to drop")
    }
    try await story.step("\(Self.crowd) calls at once met that: all answered, after one new sign-in") {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.crowd { group.addTask { try await Self.call(cases, through: client, story) } }
        try await group.waitForAll()
      }
      let asked = questions.withLock { $0 }
      try story.expect(asked == 1, "the password to be asked for once, not \(asked) times")
      try story.expect(manager.current?.version.lineage != session.version.lineage, "a new session")
    }
    try await wrongPassword(story, stage, authenticator)
    try await lostNetwork(story, stage, manager, client, cases)
    try await signOut(story, stage, manager, authenticator)
  }

  private func wrongPassword(_ story: DemoStory, _ stage: DemoStage, _ authenticator: PegaAuthenticator) async throws {
    try await story.step("A wrong password was refused, and said so") {
      let other = SessionManager(
        authenticator: authenticator, transport: stage.cable, configuration: Self.impatient, logger: stage.logger)
      do {
        try await other.signIn(with: .password(username: stage.username, password: "not the password"))
      } catch let error as OstiaryError {
        return try story.expect(error.code == .invalidCredentials, "“invalid_credentials”, not “\(error.code)”")
      }
      throw DemoStory.Unexpected(message: "expected the wrong password to be refused")
    }
  }

  private func lostNetwork(
    _ story: DemoStory, _ stage: DemoStage, _ manager: SessionManager, _ client: AuthenticatedTransport, _ url: URL
  ) async throws {
    let before = manager.current?.version
    stage.cable.pull()
    defer { stage.cable.plugIn() }
    try await story.step("The network went away: a call fails, nobody is signed out") {
      do {
        _ = try await client.get(url)
      } catch let error as OstiaryError {
        try story.expect(error.isTransient, "an error that may pass, not “\(error.code)”")
        return try story.expect(before != nil && manager.current?.version == before, "the session to be kept")
      }
      throw DemoStory.Unexpected(message: "expected the call to fail without a network")
    }
    stage.cable.plugIn()
    try await story.step("The network came back: the same session goes on") {
      try await Self.call(url, through: client, story)
      try story.expect(manager.current?.version.lineage == before?.lineage, "the same session")
    }
  }

  private func signOut(
    _ story: DemoStory, _ stage: DemoStage, _ manager: SessionManager, _ authenticator: PegaAuthenticator
  ) async throws {
    try await story.step("Signed out, here and at the server") {
      let session = manager.current
      let report = await manager.signOut()
      try story.expect(report.isComplete, "the server to confirm the end of the session")
      try story.expect(manager.current == nil, "nobody to be signed in")
      guard let session else { throw DemoStory.Unexpected(message: "expected a session to end") }
      let context = AuthenticationContext(transport: stage.cable, logger: stage.logger)
      guard case .invalid = try await authenticator.verify(session, in: context) else {
        throw DemoStory.Unexpected(message: "expected the server to have forgotten the session")
      }
    }
  }

  private static func call(_ url: URL, through client: AuthenticatedTransport, _ story: DemoStory) async throws {
    let response = try await client.get(url)
    try story.expect(response.status == .ok, "200, not \(response.status)")
  }

  /// A demonstration does not wait for a network that it has interrupted itself.
  private static var impatient: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return configuration
  }
}
