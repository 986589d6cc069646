internal import Foundation
internal import HTTPTypes
internal import Ostiary
internal import OstiaryGateway

/// What the answer to the session check says: whether the gateway lets requests pass.
struct SessionCheck: Sendable {
  let configuration: MobileFirstGatewayConfiguration

  /// The request that is sent.
  func draft(timeout: Duration) -> RequestDraft {
    RequestDraft(method: .get, address: configuration.sessionCheck ?? "", timeout: timeout)
  }

  /// A success when the session stands: also where what is behind the gateway does not know the address, or wants a token.
  func verdict(_ outcome: Outcome) -> Outcome {
    switch outcome {
    case .failure: return outcome
    case .success(let response):
      guard isLoginPage(response) else { return outcome }
      return .failure(
        OstiaryError(
          .interactionRequired, "The gateway shows a login form that no registered handler recognises.",
          advice: "Register a GatewayChallengeHandler for it, or call login with credentials.",
          requestMayHaveExecuted: false))
    case .refusal(let response, let refusal?): return refusal.demandsToken ? .success(response) : outcome
    case .refusal(let response, nil):
      switch response.status.code {
      case 401, 403, 500...599: return outcome
      case 404 where configuration.sessionCheck != nil:
        return .failure(
          OstiaryError(
            .unexpectedResponse, "The server answered 404 to \"\(configuration.sessionCheck ?? "")\" (sessionCheck).",
            advice: "Correct MobileFirstGatewayConfiguration.sessionCheck."))
      default: return .success(response)
      }
    }
  }

  private func isLoginPage(_ response: TransportResponse) -> Bool {
    guard response.head.headerFields[.contentType]?.lowercased().contains("html") ?? false else { return false }
    return LoginFormSign.anyPassword.form(on: HTMLPage(response)) != nil
  }
}
