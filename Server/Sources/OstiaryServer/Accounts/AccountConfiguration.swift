import OstiaryCore

/// The server's own pages and JSON interface for accounts: signing in and up, a lost password, and what users change
/// themselves.
public struct AccountConfiguration: Sendable {
  /// What the service is called on its pages and in its mail.
  public var serviceName = "Ostiary"
  /// Whether people can make themselves an account: on the pages with a code that is mailed to them, at the Primer door without.
  /// False by default, since such an account gets what a door gives to every user; see ``GatewayDoorConfiguration/admitted``. The
  /// Salesforce door shows it its own records alone until an administrator admits it.
  public var offersSignUp = false
  /// Where a page may send people when they are done, besides this server: origins such as `https://app.example.org`.
  public var returnOrigins: [String] = []
  /// How long a page may be open. An hour by default.
  public var flowLifetime: Duration = .seconds(3600)
  /// How long a session lasts.
  package var sessionLimits = SessionLimits.standard

  /// The defaults.
  public init() {}

  /// Everything that is wrong with it, a sentence each.
  package var problems: [String] {
    var problems: [String] = []
    if serviceName.isEmpty || serviceName.unicodeScalars.contains(where: \.isUnprintable) {
      problems.append("The service needs a name of printable characters.")
    }
    for origin in returnOrigins where Origin(plain: origin) == nil {
      problems.append("“\(origin)” is no origin to return to: it must look like https://app.example.org.")
    }
    if flowLifetime < .seconds(60) { problems.append("Pages must be good for a minute or more.") }
    return problems
  }
}
