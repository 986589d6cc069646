/// What a Pega server calls things that its vendor has not published, or that can be configured there. The defaults equal the client's.
package struct PegaDoorNames: Sendable {
  /// The name of the default servlet.
  package var servlet = "PRServlet"

  // MARK: Parameters

  /// The parameter that names an activity; the login form's button has it in its name, too.
  package var activityParameter = "pyActivity"
  /// The parameter and field of the user name.
  package var userParameter = "UserIdentifier"
  /// The parameter and field of the password.
  package var passwordParameter = "Password"
  /// The form's field that says how its sender has been authenticated so far.
  package var guestParameter = "pzAuth"
  /// The parameter that names a SnapStart action.
  package var actionParameter = "Action"

  // MARK: Pages and cookies

  /// The `id` of the login form.
  package var loginFormID = "credentialsForm"
  /// The `id` of the element that says what went wrong.
  package var errorElementID = "error"
  /// The session's cookie.
  package var sessionCookie = "Pega-RULES"
  /// The session cookie of all Java servers; here it proves nothing.
  package var containerCookie = "JSESSIONID"

  // MARK: Members of the login activities' answer

  package var accessGroup = "accessGroup"
  package var accessGroups = "accessGroups"
  package var applicationName = "applicationName"
  package var baseURL = "baseURL"
  package var operatorID = "operator"
  package var operatorName = "operatorName"
  package var minContainerVersion = "minContainerVersion"
  package var maxContainerVersion = "maxContainerVersion"

  package init() {}
}
