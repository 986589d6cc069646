internal import HTTPTypes
internal import OstiaryCore

extension OAuthRefusal {
  /// The refusal as an error that says what to do about it.
  func error(
    _ terminal: TerminalRefusals, for purpose: OAuthPurpose, request: HTTPRequest? = nil
  ) -> OstiaryError {
    if DPoPRefusal(rawValue: code.rawValue) != nil {
      // Of a proof, also if the list has it: the grant that came with it was not looked at.
      var error = OstiaryError.proofRefused(description, underlying: self)
      (error.method, error.host) = (request?.method, request?.authority)
      return error
    }
    let words = explanation.map { " (\(code): \($0))" } ?? " (\(code))"
    if let reason = terminal.reason(for: self), purpose != .service {
      let (name, advice) = terminalMeaning(purpose)
      return OstiaryError(
        name, reason + words, advice: advice, disposition: .terminal, request: request, underlying: self)
    }
    switch code {
    case .temporarilyUnavailable, .serverError, .slowDown, .authorizationPending:
      return OstiaryError(
        .serverUnavailable, "The authorization server can't answer now\(words).", request: request, underlying: self)
    case .invalidClient, .invalidRequest, .unsupportedGrantType, .invalidScope, .invalidTarget, .unauthorizedClient:
      return OstiaryError(
        .clientRefused, "The authorization server refused the client's request\(words).",
        advice: "Check how the client is registered and configured; no user has been signed out.",
        disposition: .misuse, request: request, underlying: self)
    default:
      return OstiaryError(
        .unexpectedResponse, "The authorization server refused the request\(words).", request: request,
        underlying: self)
    }
  }

  private func terminalMeaning(_ purpose: OAuthPurpose) -> (OstiaryError.Code, String?) {
    switch code {
    case .accessDenied, .accessDeniedWithHyphen: (.interactionCancelled, nil)
    case .expiredToken: (.deviceCodeExpired, "Begin again, and enter the new code sooner.")
    case .interactionRequired, .loginRequired, .consentRequired, .accountSelectionRequired:
      (.interactionRequired, nil)
    case .invalidGrant where purpose == .password: (.invalidCredentials, nil)
    default: (.grantRefused, "Sign in again.")
    }
  }
}

/// What a call is for, as far as the meaning of a refusal depends on it.
enum OAuthPurpose: Sendable, Hashable {
  /// Exchanging a code, an assertion or a device code.
  case grant
  /// Exchanging a user name and a password.
  case password
  /// Refreshing.
  case refresh
  /// Revoking, introspecting, beginning a device authorization.
  case service
}
