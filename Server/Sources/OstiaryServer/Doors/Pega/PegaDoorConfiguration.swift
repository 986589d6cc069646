/// The properties of the imitated Pega server that its vendor never published, or that can be configured.
///
/// The context path, servlet names, form fields and cookie shapes are publicly documented or observed. The names of the
/// two login activities and of the JSON members, and the numbers, are Ostiary's own choice and equal the client's
/// defaults.
public struct PegaDoorConfiguration: Sendable {
  // MARK: Addresses

  /// The path below which all pages are, and the cookies' path.
  public var contextPath = "/prweb"
  /// The realm of `WWW-Authenticate`.
  public var realm = "Pega 7"

  // MARK: Activities

  /// The login activity of servers from 7.2.1 on.
  package var mobileAppConfigurationActivity = "pzMobileAppConfiguration"
  /// The login activity of older servers.
  package var accessGroupDetailsActivity = "pzAccessGroupDetails"
  /// The activity of SnapStart.
  package var snapStartActivity = "pyMobileSnapStart"
  /// Shows the portal.
  package var portalActivity = "Data-Portal.ShowDesktop"
  /// Ends the session.
  package var logOffActivity = "Code-Security.LogOff"
  /// The activity to which the browser is sent after log-off.
  package var endSessionActivity = "Code-Security.EndSession"
  /// The activity that the login form submits.
  package var formLoginActivity = "Code-Security.Login"

  /// What the server calls everything else.
  package var names = PegaDoorNames()

  // MARK: What the login activities tell

  /// The access group of a user without an `accessGroup` attribute.
  public var accessGroup = "Uplus:Users"
  /// The application's name.
  public var applicationName = "Uplus"
  /// The oldest mobile container that is accepted.
  package var minContainerVersion = "7.0"
  /// The newest mobile container that is accepted.
  package var maxContainerVersion = "8.99"

  // MARK: Limits

  /// Failed form logins in one guest session before the error page (the vendor's `maxLoginAttemptsCount`).
  package var loginAttempts = 3
  /// Whether the answer says that an account is locked (disabled), as the vendor's server can. Off by default: the
  /// answer is then that for a wrong password. When it is on, a client can find out which names exist by trying locked
  /// accounts.
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
