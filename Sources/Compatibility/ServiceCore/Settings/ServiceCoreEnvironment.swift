package import Ostiary
package import OstiarySalesforce
internal import SalesforceSDKCore

/// What this module works with. Apps have the default one; tests make their own.
package struct ServiceCoreEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// How services behave.
  package var services: SalesforceServiceConfiguration
  /// Tells the time.
  package var clock: any SessionClock
  /// Why the app's settings can't be used.
  package var problem: @Sendable () -> OstiaryError? = { nil }

  /// Makes an environment.
  package init(
    transport: any Transport = PlatformTransport(),
    services: SalesforceServiceConfiguration = SalesforceServiceConfiguration(), clock: any SessionClock = .system
  ) {
    self.transport = transport
    self.services = services
    self.clock = clock
  }

  /// The process's own.
  package static let shared: ServiceCoreEnvironment = {
    let settings = SalesforceSDKConfiguration.settings
    var services = SalesforceServiceConfiguration()
    services.answerPatience = .seconds(settings.answerPatience)
    services.maximumFailures = settings.maximumFailures
    services.apiVersion = settings.apiVersion
    var environment = ServiceCoreEnvironment(services: services)
    environment.problem = { SalesforceSDKConfiguration.problem }
    return environment
  }()
}
