package import Foundation
package import Ostiary
package import OstiaryOAuth
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
  /// The app's settings, or why they can't be used.
  package var settings: @Sendable () -> Result<SalesforceSDKSettings, OstiaryError> = {
    .success(SalesforceSDKSettings())
  }
  /// The app's `bootconfig.plist`.
  package var bootConfig: @Sendable () -> SFSDKAppConfig? = { nil }
  /// An entry of the app's Info.plist.
  package var info: @Sendable (String) -> String? = { _ in nil }
  /// Shows the server's pages, for a callback; `nil` where none can catch it.
  package var userAgent: @Sendable (URL) -> (any UserAgent)? = { SFUserAccountManager.userAgent(for: $0) }
  /// Calls the app's code on the main actor, in the order of these calls.
  package var deliver: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void = { MainActorDelivery.post($0) }

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
  package static let shared: SFEnvironment = {
    var environment = SFEnvironment(
      transport: PlatformTransport(),
      store: { SFEnvironment.defaultStore(SalesforceSDKConfiguration.settings.storeName) }, loginHosts: .process)
    environment.settings = { SalesforceSDKConfiguration.current }
    environment.bootConfig = { SFSDKAppConfig.fromDefaultConfigFile() }
    environment.info = { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
    return environment
  }()
}
