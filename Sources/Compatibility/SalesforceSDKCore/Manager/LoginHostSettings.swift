internal import Foundation
internal import OstiarySalesforce

/// Where users log in, as the user, the device's administrator and the app have it.
package struct LoginHostSettings: Sendable {
  /// The user's choice.
  package var stored: @Sendable () -> String?
  /// What the device's administrator prescribes.
  package var managed: @Sendable () -> String?
  /// What the app's `SFDCOAuthLoginHost` says.
  package var bundled: @Sendable () -> String?
  /// Keeps the user's choice; `nil` forgets it.
  package var store: @Sendable (String?) -> Void

  /// Makes settings.
  package init(
    stored: @escaping @Sendable () -> String? = { nil }, managed: @escaping @Sendable () -> String? = { nil },
    bundled: @escaping @Sendable () -> String? = { nil }, store: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    self.stored = stored
    self.managed = managed
    self.bundled = bundled
    self.store = store
  }

  /// The process's own.
  package static let process = LoginHostSettings(
    stored: { UserDefaults.standard.string(forKey: SalesforceSDKConfiguration.settings.loginHostPreference) },
    managed: {
      // Apple's name for what a device's administrator has set.
      let settings = UserDefaults.standard.dictionary(forKey: "com.apple.configuration.managed")
      return (settings?[SalesforceSDKConfiguration.settings.managedHosts] as? [String])?.first
    },
    bundled: { Bundle.main.object(forInfoDictionaryKey: "SFDCOAuthLoginHost") as? String },
    store: { UserDefaults.standard.set($0, forKey: SalesforceSDKConfiguration.settings.loginHostPreference) })

  /// The host that counts.
  /// - Parameter configured: what the app's settings say, before `SFDCOAuthLoginHost`.
  func host(configured: String?) -> SalesforceLoginHost {
    .choose(stored: stored(), managed: managed(), bundled: configured ?? bundled())
  }
}
