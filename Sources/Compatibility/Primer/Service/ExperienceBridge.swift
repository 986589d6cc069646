internal import Foundation
internal import Logging
internal import Ostiary
internal import OstiaryExperiences
internal import OstiaryFacebook

/// Asks the app's delegate what the runner wants to know, and tells the user's record what comes of it.
final class ExperienceBridge: ExperienceDelegate {
  private let service: PrimerService
  private let experience: Experience

  init(_ service: PrimerService, _ experience: Experience) {
    self.service = service
    self.experience = experience
  }

  // MARK: Questions

  func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    let answer: FieldsAnswer = try await ask { calls, done in
      calls.validate(PropertyBridge.foundation(fields)) { done(FieldsAnswer($0)) }
    }
    guard !answer.isImplemented else { return answer.result }
    let unique = Set(
      experience.flows.flatMap(\.screens).filter { $0.id == screen }.flatMap(\.fields).filter(\.isUnique).map(\.key))
    let some = fields.filter { unique.contains($0.key) }
    guard !some.isEmpty else { return .valid }
    return try await ask { calls, done in
      calls.validateUnique(PropertyBridge.foundation(some)) { done($0?.snapshot ?? .valid) }
    }
  }

  func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await ask { calls, done in
      calls.logIn(PropertyBridge.foundation(fields)) { done(UserValidation($0?.snapshot ?? .valid, userID: $1)) }
    }
  }

  func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await ask { calls, done in
      calls.signUp(PropertyBridge.foundation(fields)) { done(UserValidation($0?.snapshot ?? .valid, userID: $1)) }
    }
  }

  func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    try await ask { calls, done in
      calls.recoverPassword(PropertyBridge.foundation(fields)) { done($0?.snapshot ?? .valid) }
    }
  }

  func handle(_ fields: [String: FieldValue]) async throws -> Bool {
    try await ask { calls, done in calls.handle(PropertyBridge.foundation(fields)) { done($0) } }
  }

  func handleTrigger(_ name: String) async throws -> Bool {
    try await ask { calls, done in calls.handleTrigger(name) { done($0) } }
  }

  func signIn(with provider: String) async throws -> ProviderValidation {
    guard provider == "facebook", let facebook = service.state.withLock({ $0.facebook }) else {
      throw OstiaryError(
        .unsupportedCredential, "Signing in with \(provider) is not set up in this app.",
        advice: "Use another way to sign in.")
    }
    let known: FacebookUser
    do {
      known = try await facebook.signIn(
        in: AuthenticationContext(transport: service.environment.transport, clock: service.environment.clock))
    } catch let error as OstiaryError where error.code == .interactionCancelled {
      // Who has closed Facebook's page knows.
      throw CancellationError()
    }
    let answer: FacebookAnswer = try await ask { calls, done in
      calls.validateFacebookUser(PropertyBridge.foundation(known.fields)) {
        done(FacebookAnswer(fields: FieldsAnswer($0), userID: $1, isSignup: $2))
      }
    }
    guard !answer.fields.isImplemented else { return answer.validation(of: known) }
    let older: FacebookAnswer = try await ask { calls, done in
      calls.authenticateFacebook(PropertyBridge.foundation(known.fields)) {
        done(FacebookAnswer(fields: FieldsAnswer($0), userID: $1))
      }
    }
    return older.validation(of: known)
  }

  func requestPermission(_ name: String) async throws -> Bool { false }

  // MARK: News

  func didSignIn(_ user: SignedInUser) async { service.user.admit(user) }
  func record(_ event: ExperienceEvent) async { service.user.record(event) }

  func screenDidAppear(_ screen: String, triggers: [String]) async {
    await tell { $0.screenDidAppear(screen, triggers) }
  }

  func willClose(with fields: [String: FieldValue]) async {
    await tell { $0.willClose(PropertyBridge.foundation(fields)) }
  }

  func open(_ url: URL) async {
    await service.open(url)
  }

  // MARK: The delegate

  /// Asks the delegate, on the main actor, and waits for whichever way it answers.
  /// - Throws: `DelegateMissing` when the app has set none, or it is gone.
  private func ask<Value: Sendable>(
    _ question: @escaping @MainActor @Sendable (DelegateCalls, @escaping @Sendable (Value) -> Void) -> Void
  ) async throws -> Value {
    let service = service
    let answer: Value? = try await Completion.answer { completion in
      MainActorDelivery.deliver {
        guard let delegate = service.delegate else {
          completion(nil)
          return
        }
        question(DelegateCalls(delegate: delegate)) { completion($0) }
      }
    }
    if let answer { return answer }
    service.log.logger.error("\(DelegateMissing())")
    throw DelegateMissing()
  }

  @MainActor
  private func tell(_ news: @MainActor @Sendable (DelegateCalls) -> Void) {
    if let delegate = service.delegate { news(DelegateCalls(delegate: delegate)) }
  }
}

/// What an app answers about fields, as it was when it answered: what it does to its result afterwards is too late.
private struct FieldsAnswer: Sendable {
  let result: ValidationResult
  /// Whether there is a method that answers.
  let isImplemented: Bool

  init(_ result: PMRValidationResult?) {
    self.result = result?.snapshot ?? .valid
    isImplemented = result !== PMRValidationResult.notImplemented
  }
}

/// What an app answers about a Facebook user.
private struct FacebookAnswer: Sendable {
  var fields = FieldsAnswer(nil)
  var userID: String?
  var isSignup = false

  func validation(of user: FacebookUser) -> ProviderValidation {
    ProviderValidation(fields.result, userID: userID, isNewUser: isSignup, properties: user.fields)
  }
}
