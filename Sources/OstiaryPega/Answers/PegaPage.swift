internal import OstiaryCore
internal import OstiaryHTML

/// What matters of a page that a Pega server answered: the login form on it, and what it says went wrong.
package struct PegaPage: Sendable {
  /// The login form, if the page has it.
  let loginForm: PegaLoginForm?
  /// Whether the page says that something went wrong.
  let hasError: Bool
  /// The name of what went wrong, where the page gives one.
  let errorName: String?

  init(_ response: TransportResponse, configuration: PegaConfiguration) {
    self.init(HTMLPage(response.body), configuration: configuration)
  }

  init(_ page: HTMLPage, configuration: PegaConfiguration) {
    loginForm = page.forms
      .first { form in
        form.id == configuration.loginFormID
          || (form.field(named: configuration.userParameter) != nil
            && form.field(named: configuration.passwordParameter) != nil)
      }
      .map(PegaLoginForm.init)
    errorName = page.attribute(configuration.errorNameAttribute, ofElement: configuration.errorElementID)
    let text = page.text(ofElement: configuration.errorElementID)
    hasError = errorName != nil || text?.isEmpty == false
  }
}

extension PegaPage {
  /// Whether a page is, or has on it, the server's login form.
  package static func isLoginForm(_ html: String, configuration: PegaConfiguration) -> Bool {
    PegaPage(HTMLPage(html), configuration: configuration).loginForm != nil
  }

  /// Whether a page has an element with this id.
  package static func has(_ id: String, _ html: String) -> Bool {
    !id.isEmpty && HTMLPage(html).text(ofElement: id) != nil
  }
}
