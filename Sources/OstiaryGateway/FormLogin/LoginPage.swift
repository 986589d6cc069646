internal import Foundation
internal import OstiaryCore
internal import OstiaryHTML

/// A page of a login as a person would read it: what it asks for.
struct LoginPage: Sendable {
  let page: HTMLPage
  let form: HTMLForm
  let username: Int?
  let password: Int?
  let code: Int?
  /// Whether it wants a puzzle solved.
  let hasCaptcha: Bool
  /// Whether it only carries hidden fields on to another address, which a browser's script would send by itself.
  let isRelay: Bool

  /// Reads a page; `nil` when it asks for nothing that belongs to a login.
  /// - Parameter goesOn: whether a login is under way, so that pages without a password may belong to it.
  init?(_ page: HTMLPage, _ login: FormLogin, goesOn: Bool) {
    let signed = login.sign.form(on: page)
    var found: Self?
    if let signed { found = Self(page, signed, login) }
    if found == nil, goesOn || login.sign.isExact || page.forms.count == 1 {
      found = page.forms.lazy.compactMap { Self(page, $0, login) }.first { goesOn || !$0.isRelay }
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ page: HTMLPage, _ form: HTMLForm, _ login: FormLogin) {
    self.page = page
    self.form = form
    let names = login.fields
    func named(_ name: String?) -> Int? {
      name.flatMap { name in form.fields.firstIndex { $0.name == name && !$0.isDisabled } }
    }
    func hinted(_ hints: String...) -> Int? {
      form.fields.firstIndex { field in
        field.isEditable
          && hints.contains { field.autocomplete?.split(separator: " ").contains(Substring($0)) ?? false }
      }
    }
    let code =
      named(names.code) ?? hinted("one-time-code") ?? form.fields.firstIndex { $0.isEditable && $0.asksForCode }
    let passwords = form.passwordFields.filter { $0 != code }
    password = named(names.password) ?? hinted("current-password") ?? (form.asksForNewPassword ? nil : passwords.first)
    let texts = form.fields.indices.filter { form.fields[$0].isText && $0 != code }
    let guess = password.flatMap { password in texts.last { $0 < password } ?? texts.first }
    username =
      named(names.username) ?? hinted("username", "email") ?? guess ?? texts.first { form.fields[$0].asksForUser }
    self.code = password == nil ? code : code.flatMap { form.fields[$0].isRequiredCode ? $0 : nil }
    hasCaptcha = form.fields.contains(where: \.isCaptcha) || page.hasElement(ofClass: FormLogin.captchaClasses)
    isRelay =
      !form.fields.isEmpty && form.fields.allSatisfy { $0.type == "hidden" || $0.isSubmitButton }
      && form.fields.contains { FormLogin.relayNames.contains($0.name ?? "") }
    guard username != nil || password != nil || self.code != nil || isRelay else { return nil }
  }
}

extension FormLogin {
  /// What the widgets of captcha services are marked with.
  static let captchaClasses = ["g-recaptcha", "h-captcha", "cf-turnstile", "frc-captcha", "mtcaptcha"]
  /// Fields that one server sends to another by way of the browser: SAML's POST binding, WS-Federation, OpenID Connect's
  /// form_post.
  static let relayNames: Set<String> = ["SAMLRequest", "SAMLResponse", "wresult", "id_token", "code"]
}

extension HTMLForm.Field {
  /// Whether a person could write into it.
  fileprivate var isEditable: Bool {
    guard !isDisabled, element == "input" else { return false }
    switch type {
    case "hidden", "submit", "image", "button", "reset", "checkbox", "radio", "file", "range", "color": return false
    default: return true
    }
  }

  /// Whether it is a line of text that a user name could stand in.
  fileprivate var isText: Bool { isEditable && type != "password" && !isCaptcha }

  fileprivate var asksForUser: Bool {
    let name = (name ?? id ?? "").lowercased()
    return type == "email"
      || ["user", "login", "email", "e-mail", "account", "identifier"].contains { name.contains($0) }
  }

  fileprivate var asksForCode: Bool {
    let name = (name ?? id ?? "").lowercased()
    if ["code", "otp", "totp", "pin", "passcode", "mfa", "2fa"].contains(name) { return true }
    return ["otp", "one-time", "onetime", "one_time", "passcode", "verification", "authcode", "mfa", "2fa"]
      .contains { name.contains($0) } && !name.contains("password")
  }

  /// Whether a code next to a password has to be given: only where the hint leaves no doubt.
  fileprivate var isRequiredCode: Bool { autocomplete?.contains("one-time-code") ?? false }

  fileprivate var isCaptcha: Bool {
    let name = (name ?? "").lowercased()
    return name.contains("captcha") || name == "cf-turnstile-response"
  }
}
