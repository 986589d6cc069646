import Foundation
import NewzuluCore
import NewzuluPlatform
import OldNewzuluApp
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// The app of `Examples/Migrations/Newzulu`, unchanged, against a platform with other names that only a file of its bundle knows.
@MainActor
@Suite("An old app with a file", .timeLimit(.minutes(20)))
final class OldAppTests {
  let server: RenamedPlatform
  let store = EphemeralStore()

  init() throws {
    server = try RenamedPlatform()
  }

  /// The app, as its Info.plist and the file beside it make it.
  private func launch(_ change: (String) -> String = { $0 }) throws -> Platform {
    let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/Migrations/Newzulu/newzulu.json")
    let text = try String(contentsOf: example, encoding: .utf8)
      .replacingOccurrences(of: "https://media.example.com", with: server.address)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(change(text).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var environment = NewzuluEnvironment()
    environment.platform = .success(
      try NewzuluPlatformConfiguration(information: "newzulu.json", resource: { _ in file })
        ?? NewzuluPlatformConfiguration())
    let keychain = KeychainStore(identifier: "old-app", storage: store)
    return NewzuluEnvironment.$replacement.withValue(environment) { Platform(store: keychain) }
  }

  private func signIn(_ platform: Platform, _ password: String = "apple") async -> String {
    let controller = LoginController(platform: platform)
    await withCheckedContinuation { continuation in
      controller.didChange = { _ in continuation.resume() }
      controller.signIn(email: "ann@example.com", password: password)
    }
    return controller.message
  }

  private func send(_ platform: Platform, _ content: String) async throws -> (String, Double) {
    let folder = try TemporaryFolder()
    let file = folder.file("photo.jpg")
    try Data(content.utf8).write(to: file)
    let controller = UploadController(platform: platform)
    await withCheckedContinuation { continuation in
      controller.didEnd = { _ in continuation.resume() }
      controller.send(file, title: "The harbour", description: "At night")
    }
    return (controller.message, controller.progress)
  }

  @Test(
    "Bug-D02 Newzulu: an old app signs in, uploads in parts, comes back and goes on after an expiry, by a file alone")
  func works() async throws {
    let platform = try launch()
    #expect(await signIn(platform) == "Welcome, Ann!")
    #expect(platform.isSignedIn)
    server.forgetTickets()
    let content = "Fifty bytes or so of a photo, which are four parts."
    let (message, progress) = try await send(platform, content)
    #expect(message == "Thank you!" && progress == 1)
    #expect(server.items == ["The harbour": Data(content.utf8)] && server.logins == 2)
    // The next launch finds the session of this one.
    let next = try launch()
    next.client.setCredentials(
      email: "ann@example.com", password: "apple", sessionStore: KeychainStore(identifier: "old-app", storage: store))
    try await waitUntil { next.isSignedIn }
    #expect(server.logins == 2)
    #expect(next.client.currentSession?.user.email == "ann@example.com")
  }

  @Test(
    "Bug-D02 Newzulu: an old app says what the vendor's page says when the password is wrong or the file does not fit")
  func fails() async throws {
    #expect(await signIn(try launch(), "pear") == "Wrong e-mail address or password.")
    let platform = try launch { $0.replacingOccurrences(of: "\"payload\"", with: "\"result\"") }
    #expect(await signIn(platform) == "The server's answer can't be understood.")
    let other = try launch { $0.replacingOccurrences(of: "\"app\"", with: "\"APIKEY\"") }
    #expect(await signIn(other) == "The server has a problem. Try again later.")
    #expect(!platform.isSignedIn && server.logins == 1)
  }
}
