internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

extension FormLogin {
  /// What the response to a form means. Neither its status alone nor a fresh cookie proves a sign-in: what counts is
  /// whether the gateway still asks.
  func verdict(on response: TransportResponse, after filled: Filled) -> FormLoginOutcome {
    let code = response.status.code
    if response.head.saysUnavailable { return .unavailable }
    guard response.head.isPage else {
      if GatewayDemand(response) != nil { return filled.hasPassword ? .refused : .stale }
      switch code {
      case 400, 403, 419, 440: return .stale
      case 401: return .refused
      case 402..<500: return .nextPage
      default: return .signedIn
      }
    }
    let page = HTMLPage(response)
    if signs.find(signs.locked, on: page) { return .locked }
    let login = LoginPage(page, self, goesOn: true)
    let isStale = signs.find(signs.stale, on: page)
    if let login {
      if isStale, login.password != nil || login.username != nil { return .stale }
      // A page of the app's own, landed on after success, may well have a form, but not one like these.
      if login.isRelay, login.username == nil, login.password == nil, login.code == nil { return .nextPage }
      if login.password != nil { return isLoginForm(page) ? (filled.hasPassword ? .refused : .nextPage) : .signedIn }
      if login.code != nil { return .nextPage }
      if !filled.hasPassword || isLoginForm(page) { return filled.hasPassword ? .refused : .stale }
    }
    if signs.find(signs.unavailable, on: page) { return .unavailable }
    switch code {
    case 400, 403, 419, 440: return .stale
    case 401: return .refused
    case 402..<500: return isStale ? .stale : .nextPage
    default: return .signedIn
    }
  }

  /// Whether a page has the login's own form, or one that asks for a password and no new one.
  private func isLoginForm(_ page: HTMLPage) -> Bool {
    sign.form(on: page) != nil || LoginFormSign.anyPassword.form(on: page) != nil
  }
}

/// What a response to a login form means.
public enum FormLoginOutcome: Sendable, Hashable {
  /// Signed in.
  case signedIn
  /// User name, password or code are wrong.
  case refused
  /// The account is locked; no password opens it.
  case locked
  /// The form was too old, or its token used up. It is fetched again, once.
  case stale
  /// The gateway can't answer now.
  case unavailable
  /// Another page of the sign-in, to be filled in.
  case nextPage
}
