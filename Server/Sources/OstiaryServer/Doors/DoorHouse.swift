package import Foundation
package import Logging
package import OstiaryCore

/// The parts of the server that doors use, for the lifetime of the server.
package struct DoorHouse: Sendable {
  /// The storage of the door's rows.
  package let storage: ServerStorage
  /// The users, and their authentication.
  package let identity: IdentityService
  /// The self-service flows and the mail of a server that has them.
  let accounts: AccountServices?
  /// Whether people may make themselves an account.
  var offersSignUp: Bool { accounts?.configuration.offersSignUp ?? false }
  /// The folder for a door's files; nil for a server that stores everything in memory.
  package let folder: URL?
  /// The cookies that this server sets.
  let cookieNames: ServerCookieNames
  /// Whether clients use https.
  package let isSecure: Bool
  /// Whether the server speaks TLS itself; otherwise a proxy may.
  let speaksTLS: Bool
  /// Whether no other machine can reach the server, according to the configuration.
  package let isForThisMachineOnly: Bool
  /// The server's clock.
  package let clock: any SessionClock
  /// The logger; messages must not contain secrets.
  package let logger: Logger
}

/// The values that are known when a door is opened.
package struct DoorPlace: Sendable {
  /// The origin for clients.
  package let origin: Origin
  /// The self-service flows; nil on a server without accounts of its own.
  let flows: FlowService?
}
