package import Ostiary
package import OstiarySalesforce

/// What this module works with. The process's manager has the default one; tests make their own.
package struct SFEnvironment: Sendable {
  /// The way to servers.
  package var transport: any Transport
  /// Where sessions rest; opened when it is first needed.
  package var store: @Sendable () -> any SessionStore
  /// How accounts behave.
  package var accounts: SalesforceAccountsConfiguration
  /// Where users log in, as it is configured.
  package var loginHosts: LoginHostSettings
  /// Tells the time.
  package var clock: any SessionClock

  /// Makes an environment.
  package init(
    transport: any Transport, store: @escaping @Sendable () -> any SessionStore,
    accounts: SalesforceAccountsConfiguration = SalesforceAccountsConfiguration(),
    loginHosts: LoginHostSettings = LoginHostSettings(), clock: any SessionClock = .system
  ) {
    self.transport = transport
    self.store = store
    self.accounts = accounts
    self.loginHosts = loginHosts
    self.clock = clock
  }

  /// The process's own.
  package static let shared = SFEnvironment(
    transport: PlatformTransport(), store: { SFEnvironment.defaultStore() }, loginHosts: .process)
}
