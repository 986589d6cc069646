internal import Foundation
internal import Ostiary
internal import OstiaryGateway

/// Recognises the login form that the configuration describes where no handler of the app's has: the request fails, rather than
/// succeed with the form's page.
struct UnansweredForm: CoreChallengeHandler {
  private let sign: LoginFormSign?

  init(_ configuration: Result<MobileFirstGatewayConfiguration, OstiaryError>) {
    let configuration = try? configuration.get()
    let fields = [configuration?.usernameField, configuration?.passwordField].compactMap { $0 }
    let actions = [configuration?.formAction].compactMap { $0 }
    sign = fields.isEmpty && actions.isEmpty ? nil : LoginFormSign(actions: Set(actions), fields: Set(fields))
  }

  /// Itself, or nothing where the configuration says nothing of a form.
  var handlers: [any CoreChallengeHandler] { sign == nil ? [] : [self] }

  let name = "login form of the configuration"
  var recogniser: ChallengeRecogniser { .loginForm(sign ?? .anyPassword) }

  func answer(_ challenge: Challenge, in conversation: inout ChallengeConversation) async throws -> ChallengeAnswer {
    throw OstiaryError(
      .interactionRequired, "The gateway asks for a sign-in, and no registered handler answers it.",
      advice: "Call WLAuthorizationManager.login(_:withCredentials:withCompletionHandler:), or register a handler.",
      request: challenge.request.head, requestMayHaveExecuted: false)
  }
}
