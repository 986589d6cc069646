package import Ostiary
package import OstiaryNewzulu

/// What this module works with. Apps have the default one; tests make their own.
package struct NewzuluEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where the platform is and the names that it uses, or why that is not known.
  package var platform: Result<NewzuluPlatformConfiguration, OstiaryError>
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
    platform = .success(NewzuluPlatformConfiguration(names: configuration))
    self.sessions = sessions
    self.clock = clock
  }

  /// What takes the place of the app's own in a test's task.
  @TaskLocal package static var replacement: NewzuluEnvironment?

  /// The app's own.
  static var app: NewzuluEnvironment {
    if let replacement { return replacement }
    var environment = NewzuluEnvironment()
    environment.platform = PlatformClient.chosenConfiguration
    return environment
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
