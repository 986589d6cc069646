internal import Foundation
package import Ostiary
package import OstiaryPega

/// What this module works with. Apps share one; tests make their own.
package struct PegaEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where sessions rest, so that every authenticator for a server knows the same one.
  package var store: any SessionStore
  /// The cookies that the app's own requests use.
  package var cookies: SharedCookies
  /// The names that servers use.
  package var configuration: PegaConfiguration
  /// Tells the time.
  package var clock: any SessionClock

  /// Makes an environment.
  package init(
    transport: any Transport,
    store: any SessionStore = EphemeralStore(),
    cookies: SharedCookies,
    configuration: PegaConfiguration = .vendor,
    clock: any SessionClock = .system
  ) {
    self.transport = transport
    self.store = store
    self.cookies = cookies
    self.configuration = configuration
    self.clock = clock
  }

  /// The process's own. The vendor's SDK kept its sessions in the process-wide cookie storage, so that any authenticator
  /// object would do; this keeps that promise.
  package static let shared = PegaEnvironment(transport: PlatformTransport(), cookies: .shared)

  /// The context for exchanges without a session manager.
  package var context: AuthenticationContext { AuthenticationContext(transport: transport, clock: clock) }
}

extension PegaConfiguration {
  /// As the vendor's SDK behaves: it opens SnapStart addresses over plain http, too.
  package static var vendor: PegaConfiguration {
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    return configuration
  }
}
