package import Ostiary
package import OstiaryNewzulu

/// What this module works with. Apps have the default one; tests make their own.
package struct NewzuluEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// The names that servers use.
  package var configuration: NewzuluConfiguration
  /// How sessions are kept.
  package var sessions: SessionConfiguration
  /// Tells the time.
  package var clock: any SessionClock

  /// Makes an environment.
  package init(
    transport: any Transport = PlatformTransport(), configuration: NewzuluConfiguration = NewzuluConfiguration(),
    sessions: SessionConfiguration = .vendor, clock: any SessionClock = .system
  ) {
    self.transport = transport
    self.configuration = configuration
    self.sessions = sessions
    self.clock = clock
  }
}

extension SessionConfiguration {
  /// The vendor's callers are told of every failure and decide themselves whether to try again.
  package static var vendor: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return configuration
  }
}
