internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryExperiences
internal import OstiaryServer

/// Onboarding in an app with Primer's SDK: the server's experience, its messages, a new account and a recovered password.
struct PrimerDemo: DemoChapter {
  let title = PrimerStory.title

  private static let (known, new) = ("bob@example.com", "carol@example.com")

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    guard let door = stage.running.doors.lazy.compactMap({ $0 as? PrimerDoor }).first else {
      throw DemoStory.Unexpected(PrimerStory.expectsDoor)
    }
    let server = try OnboardingServer(
      door.address, token: door.token, insecureHTTP: false, transport: stage.cable)
    let experience = try await story.step(PrimerStory.fetched) {
      guard let experience = try await server.experience(.automatic) else {
        throw DemoStory.Unexpected(PrimerStory.expectsExperience)
      }
      return experience
    }
    try await signUp(story, stage, Onboarding(experience, server, .signUp))
    try await recover(story, stage, Onboarding(experience, server, .recoverPassword))
  }

  private func signUp(_ story: DemoStory, _ stage: DemoStage, _ onboarding: Onboarding) async throws {
    let password = DemoStage.password()
    try await story.step(PrimerStory.addressTaken) {
      try await stage.application.identity.addUser(name: Self.known, email: Self.known, password: password)
      let moment = await onboarding.enter(["email": Self.known, "password": password.reveal()])
      try story.expect(moment.messages.keys.elementsEqual(["email"]), PrimerStory.expectsOnlyAddress)
    }
    try await story.step(PrimerStory.shortPassword) {
      let moment = await onboarding.enter(["email": Self.new, "password": "abc"])
      try story.expect(moment.messages.keys.elementsEqual(["password"]), PrimerStory.expectsOnlyPassword)
    }
    try await story.step(PrimerStory.networkLost) {
      stage.cable.pull()
      defer { stage.cable.plugIn() }
      let moment = await onboarding.enter(["password": password.reveal()])
      try story.expect(moment.outcome == nil && !moment.screen.messages.isEmpty, PrimerStory.expectsScreenMessage)
      let address = moment.screen.fields.first { $0.key == "email" }?.value
      try story.expect(address == Self.new, PrimerStory.expectsAddressKept)
    }
    try await story.step(PrimerStory.signedUp(address: Self.new)) {
      _ = await onboarding.enter([:])
      let moment = await onboarding.enter(["name": "Carol"])
      guard case .signedIn(let user) = moment.outcome, user.isNew, user.id != nil else {
        throw DemoStory.Unexpected(PrimerStory.expectsSignUp)
      }
      try story.expect(user.properties["email"] == .string(Self.new), PrimerStory.expectsAddressKnown)
      try story.expect(user.properties["password"] == nil, PrimerStory.expectsPasswordKept)
    }
  }

  private func recover(_ story: DemoStory, _ stage: DemoStage, _ onboarding: Onboarding) async throws {
    let password = DemoStage.password()
    let code = try await story.step(PrimerStory.forgotPassword) {
      _ = await onboarding.enter(["email": Self.new])
      return try await Self.code(stage)
    }
    try await story.step(PrimerStory.codeEntered) {
      let wrong = code == "00000000" ? "11111111" : "00000000"
      let refused = await onboarding.enter(["code": wrong, "password": password.reveal()])
      try story.expect(refused.messages.keys.elementsEqual(["code"]), PrimerStory.expectsOnlyCode)
      let moment = await onboarding.enter(["code": code, "password": password.reveal()])
      try story.expect(moment.flowKind == .login && moment.messages.isEmpty, PrimerStory.expectsLogIn)
    }
    try await story.step(PrimerStory.loggedIn) {
      let moment = await onboarding.enter(["email": Self.new, "password": password.reveal()])
      guard case .signedIn(let user) = moment.outcome, !user.isNew else {
        throw DemoStory.Unexpected(PrimerStory.expectsUser)
      }
    }
  }

  /// The code in the mail to the new user. The mail may arrive after the server's answer.
  private static func code(_ stage: DemoStage) async throws -> String {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      let mails = stage.application.insecureDevelopmentMailbox?.messages(to: new) ?? []
      // In groups, as people read it.
      if let code = mails.last?.text.firstMatch(of: /The code is ([0-9A-Z ]+)/) { return code.1.filter { $0 != " " } }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw DemoStory.Unexpected(PrimerStory.expectsMail)
  }
}

/// A person at an experience, screen by screen.
private struct Onboarding: Sendable {
  private let runner: ExperienceRunner

  init(_ experience: Experience, _ server: OnboardingServer, _ kind: Experience.Flow.Kind) {
    let app = OnboardingApp(server) { _ in }
    runner = ExperienceRunner(experience, flow: experience.flows.first { $0.kind == kind }?.id, delegate: app)
    app.follow(runner)
    runner.present()
  }

  /// Fills in fields of the screen and continues.
  func enter(_ entries: [String: String]) async -> ExperienceSnapshot {
    let action = runner.snapshot.screen.actions.first { $0.submits }?.id ?? ""
    return await runner.submit(entries, with: action)
  }
}

extension ExperienceSnapshot {
  /// The problems of fields, by their keys.
  fileprivate var messages: [String: String] {
    var messages: [String: String] = [:]
    for field in screen.fields { messages[field.key] = field.message }
    return messages
  }
}
