internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryPega
internal import OstiaryServer

/// Signing in to a Pega server and staying signed in.
struct PegaDemo: DemoChapter {
  let title = PegaStory.title

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

    let session = try await story.step(PegaStory.signedIn(user: stage.username)) {
      try await manager.signIn(with: .password(username: stage.username, password: stage.password))
    }
    try await story.step(PegaStory.called(path: cases.path())) {
      try await Self.call(cases, through: client, story)
    }
    try await story.step(PegaStory.dropped) {
      let count = try await stage.application.dropSessions(ofUserNamed: stage.username)
      try story.expect(count > 0, DemoExpectation.sessionToDrop)
    }
    try await story.step(PegaStory.crowd(Self.crowd)) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.crowd { group.addTask { try await Self.call(cases, through: client, story) } }
        try await group.waitForAll()
      }
      let asked = questions.withLock { $0 }
      try story.expect(asked == 1, PegaStory.expectsOneQuestion(not: asked))
      try story.expect(manager.current?.version.lineage != session.version.lineage, PegaStory.expectsNewSession)
    }
    try await wrongPassword(story, stage, authenticator)
    try await lostNetwork(story, stage, manager, client, cases)
    try await signOut(story, stage, manager, authenticator)
  }

  private func wrongPassword(_ story: DemoStory, _ stage: DemoStage, _ authenticator: PegaAuthenticator) async throws {
    try await story.step(PegaStory.wrongPassword) {
      let other = SessionManager(
        authenticator: authenticator, transport: stage.cable, configuration: Self.impatient, logger: stage.logger)
      do {
        // data: a password
        try await other.signIn(with: .password(username: stage.username, password: "not the password"))
      } catch let error as OstiaryError {
        return try story.expect(
          error.code == .invalidCredentials, DemoExpectation.code("invalid_credentials", not: "\(error.code)"))
      }
      throw DemoStory.Unexpected(PegaStory.expectsRefusal)
    }
  }

  private func lostNetwork(
    _ story: DemoStory, _ stage: DemoStage, _ manager: SessionManager, _ client: AuthenticatedTransport, _ url: URL
  ) async throws {
    let before = manager.current?.version
    stage.cable.pull()
    defer { stage.cable.plugIn() }
    try await story.step(PegaStory.networkLost) {
      do {
        _ = try await client.get(url)
      } catch let error as OstiaryError {
        try story.expect(error.isTransient, DemoExpectation.transientError(not: "\(error.code)"))
        return try story.expect(before != nil && manager.current?.version == before, PegaStory.expectsSessionKept)
      }
      throw DemoStory.Unexpected(DemoExpectation.failureWithoutNetwork)
    }
    stage.cable.plugIn()
    try await story.step(PegaStory.networkBack) {
      try await Self.call(url, through: client, story)
      try story.expect(manager.current?.version.lineage == before?.lineage, DemoExpectation.sameSession)
    }
  }

  private func signOut(
    _ story: DemoStory, _ stage: DemoStage, _ manager: SessionManager, _ authenticator: PegaAuthenticator
  ) async throws {
    try await story.step(PegaStory.signedOut) {
      let session = manager.current
      let report = await manager.signOut()
      try story.expect(report.isComplete, PegaStory.expectsEndConfirmed)
      try story.expect(manager.current == nil, PegaStory.expectsNoUser)
      guard let session else { throw DemoStory.Unexpected(PegaStory.expectsSession) }
      let context = AuthenticationContext(transport: stage.cable, logger: stage.logger)
      guard case .invalid = try await authenticator.verify(session, in: context) else {
        throw DemoStory.Unexpected(PegaStory.expectsSessionForgotten)
      }
    }
  }

  private static func call(_ url: URL, through client: AuthenticatedTransport, _ story: DemoStory) async throws {
    let response = try await client.get(url)
    try story.expect(
      response.status == .ok, DemoExpectation.status("200", not: "\(response.status)"))
  }

  /// A demonstration does not wait for a network that it has interrupted itself.
  private static var impatient: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return configuration
  }
}
