internal import Foundation
internal import HTTPTypes
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryDialect
internal import OstiaryServer

/// Signing in to an API of others by a dialect that comes with the SDK, and staying signed in.
struct APIDemo: DemoChapter {
  let title = APIStory.title
  let interpreter: String
  let variables: [String: String]

  /// How many requests are sent at once when the token's time is over.
  private static let crowd = 20

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    let api = try await story.step(APIStory.started) {
      try await PythonAPI(interpreter, user: stage.username, password: stage.password, variables)
    }
    defer { api.stop() }
    let clock = DemoClock()
    guard let dialect = try ShippedDialects.named("simplejwt")?.dialect() else {
      throw DemoStory.Unexpected(APIStory.signedIn(user: stage.username))
    }
    let manager = try SessionManager(
      dialect: dialect, server: api.url, transport: stage.cable, clock: clock, logger: stage.logger)
    story.watch(manager)
    let session = try await story.step(APIStory.signedIn(user: stage.username)) {
      try await manager.signIn(with: .password(username: stage.username, password: stage.password))
    }
    let orders = api.url.appending(path: "orders")
    let client = AuthenticatedTransport(manager)
    try await story.step(APIStory.called) { try await Self.call(orders, client, story, stage) }
    try await story.step(APIStory.crowd(Self.crowd)) {
      clock.advance(by: max(0, session.expiresAt?.timeIntervalSince(clock.now) ?? 0) + 1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.crowd { group.addTask { try await Self.call(orders, client, story, stage) } }
        try await group.waitForAll()
      }
      let renewals = manager.history.count(where: { $0.kind == .renewed })
      try story.expect(renewals == 1, APIStory.expectsOneRenewal(not: renewals))
    }
    try await wrongPassword(story, stage, dialect, api)
    try await story.step(APIStory.signedOut) {
      let report = await manager.signOut()
      try story.expect(report.serverError == nil, APIStory.expectsEnd)
    }
  }

  private func wrongPassword(
    _ story: DemoStory, _ stage: DemoStage, _ dialect: Dialect, _ api: PythonAPI
  ) async throws {
    try await story.step(APIStory.wrongPassword) {
      let other = try SessionManager(
        dialect: dialect, server: api.url, transport: stage.cable, logger: stage.logger)
      do {
        // data: a password
        try await other.signIn(with: .password(username: stage.username, password: "not the password"))
      } catch let error as OstiaryError {
        return try story.expect(
          error.code == .invalidCredentials, DemoExpectation.code("invalid_credentials", not: "\(error.code)"))
      }
      throw DemoStory.Unexpected(APIStory.expectsRefusal)
    }
  }

  private static func call(
    _ url: URL, _ client: AuthenticatedTransport, _ story: DemoStory, _ stage: DemoStage
  ) async throws {
    let response = try await client.send(.get(url))
    try story.expect(response.text.contains(stage.username), APIStory.expectsAnswer)
  }
}
