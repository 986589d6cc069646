internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiarySalesforce
internal import OstiaryServer

/// A service of a Salesforce org: it asks the app for tokens at the first call that needs them, and again when they have ended.
struct SalesforceDemo: DemoChapter {
  let title = SalesforceStory.title

  /// The number of calls that need a user at once.
  private static let crowd = 20
  /// A little longer than an org's session lasts without a request, in seconds.
  private static let rest: TimeInterval = 2 * 3600 + 60

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    let clock = DemoClock()
    var configuration = DemoStage.configuration
    configuration.development?.clock = clock
    configuration.doors.closeAll()
    var door = SalesforceDoorConfiguration()
    door.insecureFlows = [.usernamePassword]
    configuration.salesforce = door
    let server = try OstiaryApplication(configuration, logger: stage.logger)
    do {
      let running = try await story.step(SalesforceStory.serverWithOrg) { try await server.start() }
      try await server.identity.addUser(name: stage.username, password: stage.password)
      try await tell(story, stage, Org(server: server, running: running, clock: clock))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// The org in this chapter.
  private struct Org: Sendable {
    let server: OstiaryApplication
    let running: OstiaryApplication.Running
    let clock: DemoClock

    /// The number of calls that the org has answered with this status.
    func count(_ method: String, _ status: Int) -> Int {
      (server.journal?.entries ?? []).count {
        $0.method == method && $0.path.hasSuffix("/sobjects/Case") && $0.status == status
      }
    }
  }

  /// The app: logs its user in, answers the questions of the service, and counts them.
  private final class App: Sendable {
    struct Questions: Sendable {
      var settings = 0
      var failures = 0
      var wantsToGoOn = true
    }

    let questions = Locked(Questions())
    private let accounts: SalesforceAccounts
    private let credential: Credential

    init(_ stage: DemoStage, _ org: Org) throws {
      guard let door = org.running.doors.lazy.compactMap({ $0 as? SalesforceDoor }).first,
        let host = SalesforceLoginHost(door.address), let clientID = door.consumerKey
      else { throw DemoStory.Unexpected(DemoExpectation.door("salesforce")) }
      accounts = SalesforceAccounts(clientID: clientID, loginHost: host, transport: stage.cable, logger: stage.logger)
      credential = .password(username: stage.username, password: stage.password)
    }

    /// Settings with new tokens.
    func settings() async throws -> SalesforceSettings? {
      let account = try await accounts.signIn(
        with: credential, passwords: .insecureUsernamePassword(securityToken: nil))
      return account.tokens.map { SalesforceSettings($0) }
    }

    var handlers: SalesforceServiceHandlers {
      SalesforceServiceHandlers(
        shouldAuthenticate: { _, reply in
          self.questions.withLock { $0.settings += 1 }
          reply(try? await self.settings())
          return true
        },
        authenticationFailed: { _, _ in
          self.questions.withLock { questions in
            questions.failures += 1
            return questions.wantsToGoOn
          }
        })
    }
  }

  private func tell(_ story: DemoStory, _ stage: DemoStage, _ org: Org) async throws {
    let app = try App(stage, org)
    let service = SalesforceService(
      .cases, transport: stage.cable, handlers: app.handlers, logger: stage.logger)
    try await story.step(SalesforceStory.crowd(Self.crowd)) {
      try await Self.callAtOnce(service, story)
      let asked = app.questions.withLock { $0.settings }
      try story.expect(asked == 1, SalesforceStory.expectsOneQuestion(not: asked))
    }
    try await story.step(SalesforceStory.twoHoursPassed) {
      org.clock.advance(by: Self.rest)
      try await Self.callAtOnce(service, story)
      let questions = app.questions.withLock { $0 }
      try story.expect(questions.failures == 1, SalesforceStory.expectsOneFailure(not: questions.failures))
      try story.expect(questions.settings == 2, SalesforceStory.expectsOneMoreQuestion(not: questions.settings - 1))
      try story.expect(org.count("GET", 401) > 0, SalesforceStory.expectsOldSessionRefused)
    }
    try await story.step(SalesforceStory.caseOpened) {
      org.clock.advance(by: Self.rest)
      // data: the subject of a case
      let call = try SalesforceCall.post(Self.cases, json: .object(["Subject": "My doorbell is silent"]))
      let response = try await service.send(call)
      try story.expect(response.status == .created, DemoExpectation.status("201", not: "\(response.status)"))
      try story.expect(org.count("POST", 401) == 1 && org.count("POST", 201) == 1, SalesforceStory.expectsOneRefusal)
    }
    try await story.step(SalesforceStory.wentOnAsGuest) {
      org.clock.advance(by: Self.rest)
      app.questions.withLock { $0.wantsToGoOn = false }
      do {
        _ = try await service.send(.get(Self.cases))
        throw DemoStory.Unexpected(SalesforceStory.expectsFailure)
      } catch let error as OstiaryError {
        try story.expect(
          error.code == .salesforceSessionInvalid,
          DemoExpectation.code("salesforce_session_invalid", not: "\(error.code)"))
      }
      try story.expect(service.settings == nil, SalesforceStory.expectsNoUser)
    }
    try await story.step(SalesforceStory.settingsSet) {
      let before = app.questions.withLock { $0.settings }
      try await service.set(try await app.settings())
      try await Self.callAtOnce(service, story)
      try story.expect(app.questions.withLock { $0.settings } == before, SalesforceStory.expectsNoQuestion)
    }
  }

  private static let cases = "/services/data/v58.0/sobjects/Case"

  private static func callAtOnce(_ service: SalesforceService, _ story: DemoStory) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<crowd {
        group.addTask {
          let response = try await service.send(.get(cases))
          try story.expect(
            response.status == .ok, DemoExpectation.status("200", not: "\(response.status)"))
        }
      }
      try await group.waitForAll()
    }
  }
}
