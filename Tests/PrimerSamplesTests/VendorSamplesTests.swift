import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryFacebook
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("The vendor page's samples", .timeLimit(.minutes(20)))
struct VendorSamplesTests {
  let backend = Backend()
  let graph = GraphStub()
  let service: PrimerService
  let manager: UserManager

  init() throws {
    graph.add(.init(id: "42", fields: ["name": "Ann"]))
    let token = graph.grant("42")
    let store = EphemeralStore()
    let service = PrimerService(environment: PrimerEnvironment(transport: graph.transport, store: { store }))
    let manager = UserManager(backend)
    try PrimerService.$current.withValue(service) {
      Primer.start(withToken: "token")
      for type: PMRExperienceType in [.newUser, .login, .recoverPassword] {
        try Primer.setExperience(Self.document, for: type)
      }
      Primer.setFacebookLogin(
        FacebookLogin(
          try FacebookConfiguration(appID: GraphStub.appID), tokens: .handedOver { _ in FacebookToken(token) }))
      setDelegate(manager)
    }
    self.service = service
    self.manager = manager
  }

  static let document = Data(
    """
    {"format": 1, "version": 1, "id": "sample", "flows": [
      {"id": "sign-up", "kind": "signUp", "screens": [{"id": "one", "fields": [
          {"key": "key", "kind": "text", "error": "Default message."}, {"key": "password", "kind": "newPassword"}],
        "actions": [{"id": "go", "kind": "submit"}, {"id": "share", "kind": "submitFields", "fields": ["key"]},
          {"id": "facebook", "kind": "provider", "provider": "facebook"}, {"id": "close", "kind": "dismiss"}]}]},
      {"id": "log-in", "kind": "login", "screens": [{"id": "two", "fields": [{"key": "key", "kind": "text"}],
        "actions": [{"id": "go", "kind": "submit"}]}]},
      {"id": "recover", "kind": "recoverPassword", "screens": [{"id": "three", "fields": [{"key": "key", "kind": "text"}],
        "actions": [{"id": "go", "kind": "submit"}]}]}]}
    """.utf8)

  func present(_ type: PMRExperienceType) async throws -> ExperienceRunner {
    let settings = PMRExperienceSettings.settings()
    settings.experienceType = type
    _ = await withCheckedContinuation { continuation in
      PrimerService.$current.withValue(service) {
        Primer.presentExperience(with: settings) { continuation.resume(returning: $0) }
      }
    }
    return try #require(service.runner)
  }

  @Test("Primer-P3, P4: signing up, logging in and recovering call what the page says, with the fields that it says")
  func flows() async throws {
    var runner = try await present(.newUser)
    await runner.submit(["key": "value", "password": "open sesame 123"], with: "share")
    await runner.submit([:], with: "go")
    _ = try await runner.outcome()
    try await cleared()
    runner = try await present(.login)
    await runner.submit(["key": "value"], with: "go")
    _ = try await runner.outcome()
    try await cleared()
    runner = try await present(.recoverPassword)
    await runner.submit(["key": "value"], with: "go")
    _ = try await runner.outcome()
    #expect(
      backend.calls == [
        "handleFields key", "validateFields key password", "signUp key password", "validateFields key", "logIn key",
        "validateFields key", "recoverPassword key", "willClose key",
      ])
    let user = PrimerService.$current.withValue(service) { Primer.currentUser() }
    #expect(user.userID == "user-1" && user.properties as? [String: String] == ["key": "value"])
  }

  @Test("Primer-P6, P7: the three results of the page", arguments: 0..<3)
  func results(_ way: Int) async throws {
    backend.answer(makeResult(way))
    let runner = try await present(.newUser)
    let moment = await runner.submit(["key": "value", "password": "open sesame 123"], with: "go")
    #expect(moment.phase == .shown)
    #expect(moment.screen.fields[0].message == [nil, "Default message.", "Error message."][way])
    #expect(moment.screen.messages == (way == 0 ? ["Error message."] : []))
  }

  @Test("Primer-P10: Facebook")
  func facebook() async throws {
    let runner = try await present(.newUser)
    runner.perform("facebook")
    let outcome = try await runner.outcome()
    #expect(backend.calls == ["validateFacebookUser id name profile_pic"])
    guard case .signedIn(let user) = outcome else {
      Issue.record("Nobody has signed in.")
      return
    }
    #expect(user.id == "user-3" && user.isNew)
  }

  @Test("Primer-P12: closing")
  func close() async throws {
    let runner = try await present(.newUser)
    runner.enter("value", in: "key")
    runner.perform("close")
    _ = try await runner.outcome()
    #expect(backend.calls == ["willClose key"])
  }

  /// Waits until another experience can be presented.
  private func cleared() async throws {
    try await waitUntil("the end of the experience") { service.runner == nil }
  }
}
