internal import Foundation
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
      if let demand = GatewayDemand(response) {
        guard filled.hasPassword else { return .stale }
        return isOwn(demand, filled) || isAtOwnAddress(response, filled) ? .refused : .signedIn
      }
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
    let isStale =
      page.attribute(PageSigns.codeName, ofElement: "error") == PageSigns.staleCode || signs.find(signs.stale, on: page)
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
    guard let url = response.url else { return true }
    return filled.isOwn(url)
  }

  /// Whether a challenge for programs is this gateway's: it has the name that the first one gave, or leads to this login.
  private func isOwn(_ demand: GatewayDemand, _ filled: Filled) -> Bool {
    (demand.gateway != nil && demand.gateway == filled.gateway) || filled.isOwn(demand.login)
  }

  /// Whether a page that comes after the password has the login's own form again. Behind this gateway there may be another
  /// one, whose form is no answer to the password that was sent here: the own form has the exact sign, or asks for a
  /// password at an address of this login. A sign that fits any form tells nothing; the field's name does.
  private func isOwnForm(_ page: HTMLPage, after filled: Filled) -> Bool {
    if sign.isExact, sign.form(on: page) != nil { return true }
    guard let form = LoginFormSign.anyPassword.form(on: page) else { return false }
    if !sign.isExact, form.passwordFields.contains(where: { form.fields[$0].name == filled.passwordField }) {
      return true
    }
    return [(try? form.submission(on: page))?.head.targetURL, page.url].contains { $0.map(filled.isOwn) ?? false }
  }
}

extension FormLogin.Filled {
  /// Whether a form of this login was found at this address or sent to it.
  fileprivate func isOwn(_ url: URL) -> Bool {
    guard let address = try? HTTPRequest(.get, to: url) else { return false }
    return addresses.contains { $0.hasSameTarget(as: address, ignoresQuery: true) }
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
