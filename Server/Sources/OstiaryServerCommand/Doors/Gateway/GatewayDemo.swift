internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryGateway
internal import OstiaryPega
internal import OstiaryServer

/// Two sessions, one behind the other: a gateway with a login form, and a Pega server behind it.
struct GatewayDemo: DemoChapter {
  let title = GatewayStory.title
  let needs = ["pega"]

  /// The number of calls that get the gateway's form at once.
  private static let crowd = 20

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    var configuration = DemoStage.configuration
    configuration.doors.closeAll()
    var door = GatewayDoorConfiguration()
    // The gateway that most clients can't handle: a page with a form and status 200, for every request.
    door.challenge = .form
    door.junctions = [GatewayJunction(path: "/app", upstream: try Self.url(stage.running.origin.description))]
    configuration.gateway = door
    let gateway = try OstiaryApplication(configuration, logger: stage.logger)
    do {
      let running = try await story.step(GatewayStory.secondServer) { try await gateway.start() }
      try await tell(story, stage, Gateway(application: gateway, origin: running.origin.description))
      await gateway.stop()
    } catch {
      await gateway.stop()
      throw error
    }
  }

  /// The server in front.
  private struct Gateway: Sendable {
    let application: OstiaryApplication
    let origin: String
    let password = DemoStage.password()

    /// The number of login forms that it has received.
    var forms: Int {
      (application.journal?.entries ?? []).count { $0.method == "POST" && $0.path == "/gateway/login" }
    }
  }

  private func tell(_ story: DemoStory, _ stage: DemoStage, _ gateway: Gateway) async throws {
    try await gateway.application.identity.addUser(name: stage.username, password: gateway.password)
    let address = try Self.url(gateway.origin + "/app" + stage.address(ofDoor: "pega").path(percentEncoded: true))
    let pega = try PegaAuthenticator(server: address)
    let questions = Locked(0)
    let stack = try stack(stage, gateway, pega, questions)
    story.watch(stack.layers[0])
    let cases = address.appending(path: "api/v1/cases")

    try await story.step(GatewayStory.crowd(Self.crowd)) {
      try await Self.callAtOnce(cases, through: stack.transport, story)
      try story.expect(gateway.forms == 1, GatewayStory.expectsOneForm(not: gateway.forms))
      let asked = questions.withLock { $0 }
      try story.expect(asked == 2, GatewayStory.expectsTwoQuestions(not: asked))
    }
    try await story.step(GatewayStory.gatewayEnded) {
      let before = stack.layers[1].current?.version
      let count = try await gateway.application.dropSessions(ofUserNamed: stage.username)
      try story.expect(count > 0, DemoExpectation.sessionToDrop)
      try await Self.callAtOnce(cases, through: stack.transport, story)
      try story.expect(gateway.forms == 2, GatewayStory.expectsOneMoreForm(not: gateway.forms - 1))
      try story.expect(
        before != nil && stack.layers[1].current?.version.lineage == before?.lineage, DemoExpectation.sameSession)
    }
    try await story.step(GatewayStory.pegaEnded) {
      let before = stack.layers[0].current?.version
      let count = try await stage.application.dropSessions(ofUserNamed: stage.username)
      try story.expect(count > 0, DemoExpectation.sessionToDrop)
      try await Self.callAtOnce(cases, through: stack.transport, story)
      try story.expect(gateway.forms == 2, GatewayStory.expectsNoForm)
      try story.expect(stack.layers[0].current?.version.lineage == before?.lineage, DemoExpectation.sameSession)
    }
    try await story.step(GatewayStory.signedOut) {
      let reports = await stack.signOut()
      try story.expect(reports.allSatisfy(\.isComplete), GatewayStory.expectsBothConfirmed)
      let left =
        try await gateway.application.dropSessions(ofUserNamed: stage.username)
        + stage.application.dropSessions(ofUserNamed: stage.username)
      try story.expect(left == 0, GatewayStory.expectsNoSessionLeft)
    }
  }

  private func stack(
    _ stage: DemoStage, _ gateway: Gateway, _ pega: PegaAuthenticator, _ questions: Locked<Int>
  ) throws -> GatewayStack {
    let address = try Self.url(gateway.origin + "/app/")
    var login = try FormLogin("gateway", at: address)
    login.allowingInsecureHTTPForPasswords = true
    var authenticator = try GatewayAuthenticator(server: address, handlers: [login])
    authenticator.logout = .submitForm(at: try Self.url(gateway.origin + "/gateway/logout"))
    func manager(_ authenticator: any Authenticator, _ transport: any Transport, _ password: Secret) -> SessionManager {
      SessionManager(
        authenticator: authenticator, transport: transport,
        credentials: .onRequest { _ in
          questions.withLock { $0 += 1 }
          return .password(username: stage.username, password: password)
        }, logger: stage.logger)
    }
    let outer = authenticator
    return try GatewayStack(
      over: stage.cable,
      [{ manager(outer, $0, gateway.password) }, { manager(pega, $0, stage.password) }])
  }

  private static func callAtOnce(_ url: URL, through client: any Transport, _ story: DemoStory) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<crowd {
        group.addTask {
          let response = try await client.send(.get(url))
          try story.expect(
            response.status == .ok, DemoExpectation.status("200", not: "\(response.status)"))
        }
      }
      try await group.waitForAll()
    }
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw DemoStory.Unexpected(DemoExpectation.url(text)) }
    return url
  }
}
