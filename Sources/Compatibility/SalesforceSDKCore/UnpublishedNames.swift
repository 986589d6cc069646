/// Names of this module whose text the vendor never published, in one place. They are our choice; an app that compares with
/// the constants never sees them.
///
/// Calls that the vendor's SDK did not have are ``SFUserAccountManager/authorizationFlow``,
/// ``SFUserAccountManager/keepAccounts(in:)`` and ``SFUserAccountManager/loadAccounts()``.
enum UnpublishedNames {
  /// The application whose store accounts rest in.
  static let application = "salesforce-accounts"
  /// The name of the user's choice of a login host among the app's preferences.
  static let loginHostPreference = "SFDCOAuthLoginHost"
  /// Where a device's administrator puts settings of apps (Apple's name), and the list of hosts in it.
  static let managedPreferences = "com.apple.configuration.managed"
  static let managedHosts = "AppServiceHosts"
}
