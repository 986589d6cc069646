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
      // What the login leads to may refuse a request for reasons of its own.
      guard isAtOwnAddress(response, filled) else { return .signedIn }
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
      if login.password != nil {
        guard filled.hasPassword else { return asksForPassword(page) ? .nextPage : .signedIn }
        return isOwnForm(page, after: filled) ? .refused : .signedIn
      }
      if login.code != nil { return .nextPage }
      guard filled.hasPassword else { return .stale }
      if isOwnForm(page, after: filled) { return .refused }
    }
    if signs.find(signs.unavailable, on: page) { return .unavailable }
    guard isStale || isAtOwnAddress(response, filled) else { return .signedIn }
    switch code {
    case 400, 403, 419, 440: return .stale
    case 401: return .refused
    case 402..<500: return isStale ? .stale : .nextPage
    default: return .signedIn
    }
  }

  /// Whether a page has the login's own form, or one that asks for a password and no new one.
  private func asksForPassword(_ page: HTMLPage) -> Bool {
    sign.form(on: page) != nil || LoginFormSign.anyPassword.form(on: page) != nil
  }

  /// Whether an answer comes from an address of this login, and not from what it led to.
  private func isAtOwnAddress(_ response: TransportResponse, _ filled: Filled) -> Bool {
    guard let url = response.url, let here = try? HTTPRequest(.get, to: url) else { return true }
    return filled.addresses.contains { $0.hasSamePlace(as: here) }
  }

  /// Whether a page that comes after the password has the login's own form again. Behind this gateway there may be another
  /// one, whose form is no answer to the password that was sent here: the form has the sign, or asks for a password at an
  /// address of this login.
  private func isOwnForm(_ page: HTMLPage, after filled: Filled) -> Bool {
    if sign.form(on: page) != nil { return true }
    guard let form = LoginFormSign.anyPassword.form(on: page) else { return false }
    let target = (try? form.submission(on: page))?.head
    let here = page.url.flatMap { try? HTTPRequest(.get, to: $0) }
    return [target, here].contains { address in
      address.map { address in filled.addresses.contains { $0.hasSamePlace(as: address) } } ?? false
    }
  }
}

extension HTTPRequest {
  /// Whether two requests go to the same path of the same origin, with any query.
  fileprivate func hasSamePlace(as other: HTTPRequest) -> Bool {
    func place(_ request: HTTPRequest) -> Substring { (request.path ?? "/").prefix { $0 != "?" && $0 != ";" } }
    return Origin(self) == Origin(other) && place(self) == place(other)
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
