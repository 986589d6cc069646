import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Primer

/// An app, with a Primer of its own.
@MainActor
final class App {
  let service: PrimerService
  let store: FaultyStore
  let transport: ScriptedTransport
  /// Leaves everything out, and so accepts it.
  let delegate = SilentDelegate()

  init(
    store: FaultyStore = FaultyStore(), transport: ScriptedTransport = ScriptedTransport(), server: URL? = nil,
    document: Data? = Onboarding.document
  ) async throws {
    self.store = store
    self.transport = transport
    service = PrimerService(
      environment: PrimerEnvironment(
        transport: transport, store: { store }, clock: ManualClock(),
        settings: PrimerSettings(token: "key", server: server)))
    try PrimerService.$current.withValue(service) {
      Primer.start()
      Primer.setExperienceDelegate(delegate)
      guard let document else { return }
      for type: PMRExperienceType in [.newUser, .login, .recoverPassword] {
        try Primer.setExperience(document, for: type)
      }
    }
  }

  /// Runs what an app does, with this app's Primer.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try PrimerService.$current.withValue(service) { try body() }
  }

  /// Presents an experience and waits for it.
  func present(_ type: PMRExperienceType = .newUser, screen: String? = nil) async -> ExperienceRunner? {
    let settings = PMRExperienceSettings()
    settings.experienceType = type
    settings.screenName = screen
    let isPresented = await answer { done in use { Primer.presentExperience(with: settings, andCompletion: done) } }
    return isPresented ? use { Primer.currentRunner } : nil
  }

  /// What a completion block is called with.
  func answer(_ call: (@escaping PMRSuccessBlock) -> Void) async -> Bool {
    await withCheckedContinuation { continuation in
      call { continuation.resume(returning: $0) }
    }
  }

  var user: PMRUser { use { Primer.currentUser() } }
}

/// Remembers what it is called with, and answers as it is told.
@MainActor
final class RecordingDelegate: PMRExperienceDelegate {
  var calls: [String] = []
  var fields: [String: [String: Any]] = [:]
  var result: () -> PMRValidationResult? = { nil }
  var userID: String? = "u1"
  var isSignup = false
  var succeeds = true
  /// Keeps blocks in place of calling them.
  var holds = false
  var held: [@Sendable () -> Void] = []

  private func answer(_ name: String, _ values: [String: Any], _ reply: @escaping @Sendable () -> Void) {
    calls.append(name)
    fields[name] = values
    if holds { held.append(reply) } else { reply() }
  }

  func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    let result = self.result()
    answer("validate", fields) { completion(result) }
  }
  func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    let (result, id) = (self.result(), userID)
    answer("logIn", fields) { completion(result, id) }
  }
  func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    let (result, id) = (self.result(), userID)
    answer("signUp", fields) { completion(result, id) }
  }
  func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock) {
    let result = self.result()
    answer("recover", fields) { completion(result) }
  }
  func validateFacebookUser(withFields fields: [String: Any], completion: @escaping PMRFacebookUserValidationBlock) {
    let (result, id, isSignup) = (self.result(), userID, self.isSignup)
    answer("facebook", fields) { completion(result, id, isSignup) }
  }
  func handleFields(_ fields: [String: Any], completion: @escaping PMRSuccessBlock) {
    let succeeds = self.succeeds
    answer("handle", fields) { completion(succeeds) }
  }
  func handleTrigger(_ trigger: String, completion: @escaping PMRSuccessBlock) {
    let succeeds = self.succeeds
    answer("trigger \(trigger)", [:]) { completion(succeeds) }
  }
  func willClose(withFields fields: [String: Any]) {
    calls.append("willClose")
    self.fields["willClose"] = fields
  }
  func screenDidAppear(withName name: String, triggers: [String]) {
    calls.append("appeared \(name) \(triggers)")
  }
}

/// Implements nothing.
final class SilentDelegate: PMRExperienceDelegate {}
