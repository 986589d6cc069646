internal import OstiaryCore
public import OstiaryHTML

/// What tells a gateway's login form from other forms.
public struct LoginFormSign: Sendable, Hashable {
  /// The `id` or `name` that the form has.
  public var formNames: Set<String> = []
  /// What the path of its action ends with, query and `;jsessionid=` aside: `/pkmslogin.form`, `j_security_check`.
  public var actions: Set<String> = []
  /// The names of fields that it has, all of them.
  public var fields: Set<String> = []

  /// Any form that asks for one password, and for no new one.
  public static let anyPassword = LoginFormSign()

  /// A form whose action's path ends so: `/pkmslogin.form` (WebSEAL), `j_security_check` (DataPower, Java servers).
  public static func action(_ endings: String...) -> LoginFormSign {
    LoginFormSign(actions: Set(endings))
  }

  /// A form with fields of all these names: `httpd_username`, `httpd_password` (Apache mod_auth_form).
  public static func fields(_ names: String...) -> LoginFormSign {
    LoginFormSign(fields: Set(names))
  }

  /// A form with one of these values in its `id` or `name` attribute.
  public static func named(_ names: String...) -> LoginFormSign {
    LoginFormSign(formNames: Set(names))
  }

  /// Makes a sign; what is given has to hold, all of it. Without anything it is ``anyPassword``.
  public init(formNames: Set<String> = [], actions: Set<String> = [], fields: Set<String> = []) {
    self.formNames = formNames
    self.actions = actions
    self.fields = fields
  }

  /// Whether the form is known by more than that it asks for a password.
  var isExact: Bool { !formNames.isEmpty || !actions.isEmpty || !fields.isEmpty }

  /// Whether a form has the sign.
  public func matches(_ form: HTMLForm) -> Bool {
    guard isExact else { return form.passwordFields.count == 1 && !form.asksForNewPassword }
    if !formNames.isEmpty, !formNames.contains(form.id ?? ""), !formNames.contains(form.name ?? "") { return false }
    if !fields.allSatisfy({ form.field(named: $0) != nil }) { return false }
    if actions.isEmpty { return true }
    // Buttons may say where to send the form, too.
    return ([form.action] + form.fields.map(\.formAction)).contains { action in
      guard let action else { return false }
      let path = action.prefix { $0 != "?" && $0 != "#" && $0 != ";" }
      return actions.contains { path.hasSuffix($0) }
    }
  }

  /// The form of a page that has the sign; of several the first.
  public func form(on page: HTMLPage) -> HTMLForm? { page.forms.first(where: matches) }
}

extension HTMLForm {
  /// The places for a password that can be filled.
  var passwordFields: [Int] {
    fields.indices.filter { fields[$0].element == "input" && fields[$0].type == "password" && !fields[$0].isDisabled }
  }

  /// Whether it is about choosing a password.
  var asksForNewPassword: Bool { fields.contains { $0.autocomplete?.contains("new-password") ?? false } }
}
