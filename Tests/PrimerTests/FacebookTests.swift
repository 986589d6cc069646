import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryFacebook
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: Facebook", .timeLimit(.minutes(20)))
struct FacebookTests {
  let graph = GraphStub()
  let delegate = RecordingDelegate()

  func makeApp(_ delegate: (any PMRExperienceDelegate)? = nil) async throws -> App {
    graph.add(.init(id: "42", fields: ["name": "Ann", "email": "ann@example.com"], declined: ["email"]))
    let app = try await App(transport: graph.transport)
    let token = graph.grant("42")
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID),
      tokens: .handedOver { _ in FacebookToken(token, userID: "42") })
    app.use {
      Primer.setExperienceDelegate(delegate ?? self.delegate)
      Primer.setFacebookLogin(login)
    }
    return app
  }

  func events(of app: App) -> Locked<[UserEvent]> {
    let events = Locked<[UserEvent]>([])
    app.service.onEvent { event in events.withLock { $0.append(event) } }
    return events
  }

  @Test("Primer-P10, P11: the whole of it, for a user who is new and for one who is not", arguments: [true, false])
  func success(_ isSignup: Bool) async throws {
    let app = try await makeApp()
    delegate.userID = "u2"
    delegate.isSignup = isSignup
    let events = events(of: app)
    let runner = try #require(await app.present())
    runner.perform("facebook")
    _ = try await runner.outcome()
    let picture = "https://pictures.example/800x800/42.jpg"
    #expect(
      delegate.fields["facebook"] as? [String: String] == ["id": "42", "name": "Ann", "profile_pic": picture])
    #expect(app.user.userID == "u2")
    #expect(app.user.properties as? [String: String] == ["id": "42", "name": "Ann", "profile_pic": picture])
    #expect(!delegate.calls.contains("willClose"))
    let names = events.withLock { $0.map(\.name) }
    #expect(names.suffix(3) == ["action_tapped", isSignup ? "sign_up" : "provider_login", "flow_completed"])
    #expect(names.contains(isSignup ? PMREvent.signup : PMREvent.facebookLogin))
    // The app's own picture takes the place of Facebook's.
    app.use { Primer.appendUserProperties(["profile_pic": "https://x.example/mine.jpg"]) }
    #expect(app.user.properties["profile_pic"] as? String == "https://x.example/mine.jpg")
  }

  @Test("Primer-P10: an app that refuses the user gets nothing appended, and its message is shown")
  func refused() async throws {
    let app = try await makeApp()
    delegate.result = {
      let result = PMRValidationResult()
      result.invalidateWithErrorMessage("Not here.")
      return result
    }
    let runner = try #require(await app.present())
    runner.perform("facebook")
    let moment = await runner.settled()
    #expect(moment.phase == .shown && moment.screen.messages == ["Not here."])
    #expect(app.user.userID == nil && app.user.properties.isEmpty == true)
  }

  @Test("A user who closes Facebook's page is left where they are, without a message")
  func cancelled() async throws {
    let app = try await makeApp()
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID),
      tokens: .handedOver { _ in throw OstiaryError(.interactionCancelled, "The page was closed.") })
    app.use { Primer.setFacebookLogin(login) }
    let runner = try #require(await app.present())
    runner.perform("facebook")
    let moment = await runner.settled()
    #expect(moment.phase == .shown && moment.screen.messages.isEmpty)
    #expect(!delegate.calls.contains("facebook"))
  }

  @Test("A token of another app never reaches the delegate")
  func otherApp() async throws {
    let app = try await makeApp()
    let token = graph.grant("42", app: "666")
    let login = FacebookLogin(
      try FacebookConfiguration(appID: GraphStub.appID), tokens: .handedOver { _ in FacebookToken(token) })
    app.use { Primer.setFacebookLogin(login) }
    let runner = try #require(await app.present())
    runner.perform("facebook")
    #expect(await runner.settled().screen.messages.count == 1)
    #expect(!delegate.calls.contains("facebook"))
  }

  @Test("Without Facebook being set up its button says so")
  func notSetUp() async throws {
    let app = try await makeApp()
    app.use { Primer.setFacebookLogin(nil) }
    let runner = try #require(await app.present())
    runner.perform("facebook")
    #expect(await runner.settled().screen.messages.first?.contains("facebook") == true)
  }

  @Test("Primer-P2: the older method is asked where the newer one is missing; with neither the user is logged in")
  func older() async throws {
    let older = OlderFacebookDelegate()
    var app = try await makeApp(older)
    var runner = try #require(await app.present())
    runner.perform("facebook")
    _ = try await runner.outcome()
    #expect(older.names == ["Ann"] && app.user.userID == "u3")
    let silent = SilentDelegate()
    app = try await makeApp(silent)
    runner = try #require(await app.present())
    runner.perform("facebook")
    _ = try await runner.outcome()
    withExtendedLifetime(silent) {}
    #expect(app.user.properties["name"] as? String == "Ann")
  }
}

@MainActor
private final class OlderFacebookDelegate: PMRExperienceDelegate {
  var names: [String] = []

  func authenticateFacebook(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    names.append(fields["name"] as? String ?? "")
    completion(nil, "u3")
  }
}
