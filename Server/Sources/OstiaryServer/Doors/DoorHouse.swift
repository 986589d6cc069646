package import Foundation
package import Logging
package import OstiaryCore

/// What the server gives to its doors, for as long as it lives.
package struct DoorHouse: Sendable {
  /// Where a door keeps its rows.
  package let storage: ServerStorage
  /// The users, and who they are.
  package let identity: IdentityService
  /// The self-service flows and the mail of a server that has them.
  let accounts: AccountServices?
  /// Whether people may make themselves an account.
  var offersSignUp: Bool { accounts?.configuration.offersSignUp ?? false }
  /// Where a door keeps its files; nil for a server that keeps everything in memory.
  package let folder: URL?
  /// The cookies that this server sets.
  let cookieNames: ServerCookieNames
  /// Whether clients use https.
  package let isSecure: Bool
  /// Whether the server speaks TLS itself; otherwise a proxy may.
  let speaksTLS: Bool
  /// Whether no other machine can reach the server, as far as it is told.
  package let isForThisMachineOnly: Bool
  /// Tells the server's time.
  package let clock: any SessionClock
  /// Takes messages, without secrets.
  package let logger: Logger
}

/// What a door learns when it is opened.
package struct DoorPlace: Sendable {
  /// The origin for clients.
  package let origin: Origin
  /// The self-service flows; nil on a server without accounts of its own.
  let flows: FlowService?
}
