internal import OstiarySalesforce

/// The keys of the dictionary that settings are made of.
///
/// ``accessToken`` and ``instanceUrl`` are required. The strings behind the keys were never published; here they are the
/// names that Salesforce's token answers use, so that a decoded answer can be passed on key by key.
///
/// See the vendor's page "Authentication".
public struct SCSOAuth2JSONKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The access token. Required.
  public static let accessToken = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.accessToken)
  /// The address of the org. Required.
  public static let instanceUrl = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.instanceURL)
  /// The refresh token, where the OAuth flow gave one.
  public static let refreshToken = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.refreshToken)
  /// The address that says who the user is.
  public static let identityUrl = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.identityURL)
  /// The address of the community.
  public static let communityUrl = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.communityURL)
  /// The identifier of the community.
  public static let communityId = SCSOAuth2JSONKey(rawValue: SalesforceTokens.Name.communityID)
}
