import Foundation
import OldPrimerApp
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer
import TestSupport
import Testing

/// The app of `Examples/Migrations/Primer`, unchanged, with its Info.plist and a server over real HTTP.
@MainActor
@Suite("An old app with an Info.plist", .timeLimit(.minutes(20)))
final class OldAppTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Examples/Migrations/Primer")

  /// What the server has seen: paths and tokens.
  let seen = Locked<[String]>([])
  let server: LoopbackServer
  let service: PrimerService
  let app: OldPrimerApp.AppDelegate

  init() throws {
    let seen = seen
    let document = try String(contentsOf: Self.folder.appendingPathComponent("welcome.json"), encoding: .utf8)
    server = try LoopbackServer { request in
      let token = request.fields.first { $0.name.rawName.lowercased() == "x-app" }?.value ?? "none"
      seen.withLock { $0.append("\(request.method) \(request.path) \(token)") }
      if request.path == "/api/welcome" {
        return [.response(200, [("Content-Type", "application/json")], body: document)]
      }
      return [.response(request.path == "/api/happened" ? 202 : 404)]
    }
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("Info.plist"))
    var information = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] ?? [:]
    information["PrimerServer"] = server.url().absoluteString
    let settings = PrimerSettings(information: information) { Self.folder.appendingPathComponent($0) }
    service = PrimerService(
      environment: PrimerEnvironment(
        transport: SocketTransport(), store: { [store = FaultyStore()] in store }, settings: settings))
    #expect(settings.problems.isEmpty)
    app = OldPrimerApp.AppDelegate(userManager: OldPrimerApp.UserManager(accounts: ["ann@example.com": "open sesame"]))
  }

  deinit { server.stop() }

  private func use<Result>(_ body: () -> Result) -> Result {
    PrimerService.$current.withValue(service) { body() }
  }

  private func answer(_ call: (@escaping (Bool) -> Void) -> Void) async -> Bool {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
  }

  @Test("Bug-D06 Primer: an old app signs up, logs out and sees nothing of the former user, by its Info.plist alone")
  func signUp() async throws {
    use { app.didFinishLaunching(options: nil) }
    #expect(await answer { done in use { app.didBecomeActive(completion: done) } })
    let runner = try #require(use { Primer.currentRunner })
    #expect(use { Primer.currentExperience() }?.runner === runner)
    await runner.submit(["email": "ann@example.com", "password": "open sesame 123"], with: "join")
    #expect(runner.snapshot.screen.fields.first?.message == "There is an account with this address.")
    // A member's number of more than 2^53 arrives as it was typed.
    await runner.submit(
      ["email": "ben@example.com", "password": "open sesame 123", "member": "9007199254740993"], with: "join")
    _ = try await runner.outcome()
    #expect(use { app.greeting } == "Hello id-of-ben@example.com, you see B.")
    #expect(use { Primer.currentUser() }.properties["member"] as? Int == 9_007_199_254_740_993)
    #expect(await answer { done in use { app.logOut(completion: done) } })
    #expect(use { app.greeting } == "You are not logged in.")
    try await waitUntil { app.userManager.seenScreens == ["account", "account"] }
    try await service.flush()
    #expect(seen.withLock { $0 }.contains("POST /api/happened the-app-s-token"))
    try await waitUntil { app.events.contains("left") }
    #expect(app.events.contains("entered") && app.events.contains(PMRFlowStartedEvent))
  }

  @Test(
    "Bug-D06 Primer: what the bundle does not have comes from the server, at the path and with the field of the Info.plist"
  )
  func download() async throws {
    use { app.didFinishLaunching(options: nil) }
    let settings = PMRExperienceSettings()
    settings.experienceType = .login
    #expect(await answer { done in use { Primer.presentExperience(with: settings, andCompletion: done) } })
    #expect(seen.withLock { $0 }.contains("GET /api/welcome the-app-s-token"))
    let runner = try #require(use { Primer.currentRunner })
    await runner.submit(["email": "ann@example.com", "password": "wrong"], with: "enter")
    #expect(runner.snapshot.screen.messages == ["Wrong e-mail address or password."])
    await runner.submit(["password": "open sesame"], with: "enter")
    _ = try await runner.outcome()
    #expect(use { Primer.currentUser() }.userID == "id-of-ann@example.com")
  }
}
