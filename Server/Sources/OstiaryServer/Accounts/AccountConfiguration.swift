public import Foundation
import OstiaryCore

/// The server's own pages and JSON interface for accounts: signing in and up, recovering a password, and the settings
/// that users change themselves.
public struct AccountConfiguration: Sendable {
  /// The name of the service on its pages and in its mail.
  public var serviceName = "Ostiary"
  /// Whether people can make themselves an account: on the pages with a code that is mailed to them, at the Primer door without.
  /// False by default, because such an account gets all that a door gives to every user; see
  /// ``GatewayDoorConfiguration/admitted``. The Salesforce door shows it only its own records until an administrator admits it.
  public var offersSignUp = false
  /// The destinations, besides this server, to which a page may send the browser at the end: origins such as `https://app.example.org`.
  public var returnOrigins: [String] = []
  /// How long a page may stay open. An hour by default.
  public var flowLifetime: Duration = .seconds(3600)
  /// The experience from which the pages for signing in and up and for a lost password are drawn, as a JSON document (the format of
  /// `docs/experience.schema.json`), in place of the server's own. Nil for the server's own; ``StarterExperience/document`` is one.
  /// The server's own pages remain for what no document can say: the code that a new account's address is proven with, the
  /// settings, and the pages around them.
  public var experience: Data?
  /// How long a session lasts.
  package var sessionLimits = SessionLimits.standard

  /// The defaults.
  public init() {}

  /// All problems of the configuration, one sentence each.
  package var problems: [String] {
    var problems: [String] = []
    if serviceName.isEmpty || serviceName.unicodeScalars.contains(where: \.isUnprintable) {
      problems.append("The service needs a name of printable characters.")
    }
    for origin in returnOrigins where Origin(plain: origin) == nil {
      let shown = origin.utf8.contains(UInt8(ascii: "@")) ? "An address with a user name" : "“\(origin)”"
      problems.append("\(shown) is no origin to return to: it must look like https://app.example.org.")
    }
    if flowLifetime < .seconds(60) { problems.append("Pages must be good for a minute or more.") }
    if let experience {
      let found = AccountExperience.report(on: experience).problems
      problems += found.prefix(10).map { "The experience of the account pages: \($0)" }
      if found.count > 10 {
        problems.append("The experience of the account pages has \(found.count - 10) more problems.")
      }
    }
    return problems
  }
}
