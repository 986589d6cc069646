/// Everything about the imitated Pega server that its vendor never published, or lets be configured.
///
/// The context path, servlet names, form fields and cookie shapes are as seen in public; the names of the two login
/// activities and of the JSON members, and the numbers, are Ostiary's own choice and the same as the client's defaults.
public struct PegaDoorConfiguration: Sendable {
  // MARK: Addresses

  /// The path under which everything lives, and the cookies' path.
  public var contextPath = "/prweb"
  /// What `WWW-Authenticate` names.
  public var realm = "Pega 7"

  // MARK: Activities

  /// The login activity of servers from 7.2.1 on.
  package var mobileAppConfigurationActivity = "pzMobileAppConfiguration"
  /// The login activity of older servers.
  package var accessGroupDetailsActivity = "pzAccessGroupDetails"
  /// What SnapStart requests.
  package var snapStartActivity = "pyMobileSnapStart"
  /// Shows the portal.
  package var portalActivity = "Data-Portal.ShowDesktop"
  /// Ends the session.
  package var logOffActivity = "Code-Security.LogOff"
  /// Where the browser is sent after that.
  package var endSessionActivity = "Code-Security.EndSession"
  /// What the login form submits.
  package var formLoginActivity = "Code-Security.Login"

  // MARK: What the login activities tell

  /// Who may do what, where a user has no `accessGroup` attribute.
  public var accessGroup = "Uplus:Users"
  /// The application's name.
  public var applicationName = "Uplus"
  /// The oldest mobile container that is welcome.
  package var minContainerVersion = "7.0"
  /// The newest mobile container that is welcome.
  package var maxContainerVersion = "8.99"

  // MARK: Limits

  /// Failed form logins in one guest session before the error page (the vendor's `maxLoginAttemptsCount`).
  package var loginAttempts = 3
  /// Whether a locked (disabled) account is said to be locked, as the vendor's server can. Off by default: it then looks
  /// like a wrong password. When it is on, whoever names a locked account learns that it exists.
  package var tellsLockedAccounts = false
  /// How long sessions of guests and users last.
  package var sessionLimits = SessionLimits.standard

  /// The defaults.
  public init() {}

  package var problems: [String] {
    var problems: [String] = []
    let isPath =
      contextPath.hasBytePrefix("/") && !contextPath.byteParts(at: "/").dropFirst().contains(where: \.isEmpty)
      && contextPath.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-._~/".utf8.contains(byte)
      }
    if !isPath { problems.append("Pega's context path must look like /prweb.") }
    if realm.isEmpty || !realm.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      problems.append("Pega's realm must be plain ASCII without quotes.")
    }
    if !(1...100).contains(loginAttempts) { problems.append("Pega's login attempts must be 1 to 100.") }
    return problems
  }
}
