package import Foundation
internal import OstiaryCore
package import OstiaryExperiences

/// The app of an experience that runs in the terminal: entered values go to a server or, without one, are not sent.
package final class OnboardingApp: ExperienceDelegate {
  private let server: OnboardingServer?
  /// Shows an address to the user.
  private let show: @Sendable (URL) async -> Void
  private struct State: Sendable {
    weak var runner: ExperienceRunner?
    var failure: OstiaryError?
    /// The server's name for the recovery under way.
    var recovery: String?
  }

  private let state = Locked(State())

  package init(_ server: OnboardingServer?, show: @escaping @Sendable (URL) async -> Void) {
    self.server = server
    self.show = show
  }

  /// Sets the runner that asks.
  package func follow(_ runner: ExperienceRunner) { state.withLock { $0.runner = runner } }

  /// The server's last failure to answer; `nil` if it answered.
  var lastFailure: OstiaryError? { state.withLock { $0.failure } }

  private func submit(
    _ fields: [String: FieldValue], to path: OnboardingServer.Path, continuing recovery: String? = nil
  ) async throws -> OnboardingServer.Answer? {
    guard let server else { return nil }
    do {
      let answer = try await server.submit(fields, to: path, continuing: recovery)
      state.withLock { $0.failure = nil }
      return answer
    } catch let error as OstiaryError {
      state.withLock { $0.failure = error }
      throw error
    }
  }

  package func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    // Servers validate the values of a new account. Only the log-in itself may tell whether a password is right.
    guard state.withLock({ $0.runner })?.snapshot.flowKind == .signUp else { return .valid }
    return try await submit(fields, to: .validate)?.result ?? .valid
  }

  package func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    let answer = try await submit(fields, to: .logIn)
    return UserValidation(answer?.result ?? .valid, userID: answer?.userID)
  }

  package func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    let answer = try await submit(fields, to: .signUp)
    return UserValidation(answer?.result ?? .valid, userID: answer?.userID)
  }

  package func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    // An address begins a recovery; values without one belong to the recovery that it began.
    let recovery = fields["email"] == nil ? state.withLock { $0.recovery } : nil
    guard let answer = try await submit(fields, to: .recover, continuing: recovery) else { return .valid }
    if let recovery = answer.recovery { state.withLock { $0.recovery = recovery } }
    return answer.result
  }

  package func signIn(with provider: String) async throws -> ProviderValidation {
    throw OstiaryError(
      .unsupportedCredential, ExperienceMessage.providerNeedsApp(provider.capitalized))
  }

  package func open(_ url: URL) async { await show(url) }
}
