package import Ostiary
internal import OstiarySalesforce

extension SalesforceSDKSettings {
  /// Where settings are from, as messages call it.
  @Sendable package static func source(_ name: String) -> SettingsSource {
    SettingsSource(name, article: "The article “The settings of an org” of SalesforceSDKCore")
  }

  /// Every setting of a file.
  static var table: [Setting<SalesforceSDKSettings>] { org + places + waits }

  private static var org: [Setting<SalesforceSDKSettings>] {
    [
      .text("loginHost", \.loginHost) { host in
        SalesforceLoginHost(host) == nil ? "must be a host, with a community's path if need be" : nil
      },
      .text("consumerKey", \.consumerKey), .callback("callback", \.callback), .list("scopes", \.scopes),
      .text("apiVersion", \.apiVersion) { version in
        version.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 } ? nil : "must be a version such as 58.0"
      },
    ]
  }

  private static var places: [Setting<SalesforceSDKSettings>] {
    [
      .text("storeName", \.storeName) { name in
        name.contains("/") || name.hasPrefix(".")
          ? "must be a name without slashes that does not begin with a dot" : nil
      },
      .text("loginHostPreference", \.loginHostPreference), .text("managedHosts", \.managedHosts),
      .texts("names", \.names, of: SalesforceSDKName.all.map(\.name)),
    ]
  }

  private static var waits: [Setting<SalesforceSDKSettings>] {
    [
      .seconds("signOutPatience", \.signOutPatience), .seconds("observerPatience", \.observerPatience),
      .seconds("answerPatience", \.answerPatience), .number("maximumFailures", \.maximumFailures, 1...100),
    ]
  }
}
