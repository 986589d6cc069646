internal import Foundation
internal import OstiaryPega

/// The activity that an authenticator calls on the server.
#if canImport(ObjectiveC)
  @objc(PMPegaAuthenticationLoginActivity)
#endif
public enum PMPegaAuthenticationLoginActivity: Int, Sendable, Hashable, CaseIterable {
  /// For servers before Pega 7.2.1; has to be set explicitly.
  case accessGroupDetails
  /// For Pega 7.2.1 and later; the default.
  case mobileAppConfiguration

  /// The spelling of the vendor's page.
  @available(*, deprecated, renamed: "accessGroupDetails")
  public static var AccessGroupDetails: PMPegaAuthenticationLoginActivity { .accessGroupDetails }

  /// The spelling of the vendor's samples.
  @available(*, deprecated, renamed: "mobileAppConfiguration")
  public static var MobileAppConfiguration: PMPegaAuthenticationLoginActivity { .mobileAppConfiguration }

  var activity: PegaLoginActivity {
    switch self {
    case .accessGroupDetails: .accessGroupDetails
    case .mobileAppConfiguration: .mobileAppConfiguration
    }
  }
}
