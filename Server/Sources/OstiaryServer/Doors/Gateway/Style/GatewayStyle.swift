/// The gateway product that the door imitates: its addresses, field names, cookies and pages.
///
/// Sources: IBM's documentation of WebSEAL (forms, local responses, secret-token validation, lock-out) and DataPower, and
/// the samples that IBM published for both.
package enum GatewayStyle: String, Sendable, CaseIterable {
  /// Ostiary's own: `/gateway/login`, one-time tokens, typed challenges for programs.
  case ostiary
  /// IBM WebSEAL (Security Verify Access): `/pkmslogin.form`, `/pkmslogout`, `PD-H-SESSION-ID`.
  case webSEAL = "webseal"
  /// IBM DataPower and WebSphere with an LTPA token: `/j_security_check`, `LtpaToken2`.
  case ltpa
  /// The form-based realm of MobileFirst 7: `j_security_check` below the server's context.
  case classic
}

/// The names in a style.
struct GatewayNames: Sendable {
  /// The path of the login page.
  let loginPage: String
  /// The path of its form.
  let loginForm: String
  /// The last segment of every path behind a junction that accepts the form, too; nil for none.
  let formAnywhere: String?
  /// The path that signs out.
  let logout: String
  /// The form's fields.
  let user: String
  let password: String
  /// The session's cookie.
  let session: String
  /// Cookies that are set and deleted with it, and prove nothing.
  let companions: [String]

  /// The cookies for the server's list of cookie names.
  var imitated: [ServerCookieNames.Imitated] { ([session] + companions).map { ServerCookieNames.Imitated(name: $0) } }

  init(_ style: GatewayStyle, isSecure: Bool) {
    switch style {
    case .ostiary:
      loginPage = "/gateway/login"
      loginForm = "/gateway/login"
      formAnywhere = nil
      logout = "/gateway/logout"
      (user, password) = ("username", "password")
      session = (isSecure ? "__Host-" : "") + "ostiary-gateway"
      companions = []
    case .webSEAL:
      loginPage = "/login"
      loginForm = "/pkmslogin.form"
      formAnywhere = nil
      logout = "/pkmslogout"
      (user, password) = ("username", "password")
      session = isSecure ? "PD-S-SESSION-ID" : "PD-H-SESSION-ID"
      companions = ["LtpaToken2"]
    case .ltpa:
      loginPage = "/login"
      loginForm = "/j_security_check"
      // Programs resolve it against their current address.
      formAnywhere = "j_security_check"
      logout = "/ibm_security_logout"
      (user, password) = ("j_username", "j_password")
      session = "LtpaToken2"
      companions = []
    case .classic:
      loginPage = "/apps/services/login"
      loginForm = "/apps/services/j_security_check"
      formAnywhere = "j_security_check"
      logout = "/apps/services/logout"
      (user, password) = ("j_username", "j_password")
      session = "JSESSIONID"
      companions = []
    }
  }
}
