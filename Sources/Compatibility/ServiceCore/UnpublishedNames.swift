internal import OstiarySalesforce

/// Every string, number and call of this module that the vendor never published, in one place. They are our choice; an app
/// that compares with the constants never sees them.
///
/// The strings behind ``SCSOAuth2JSONKey`` and ``SCServiceType`` are those of the module below. Calls that the vendor's SDK
/// did not have are ``ServiceCloud/request(_:path:body:contentType:forServiceType:completion:)`` and
/// ``ServiceCloud/interfacePresenter``: they stand for the vendor's screens, which were what needed a user.
enum UnpublishedNames {
  /// The value of ``SCServiceErrorDomain``.
  static let serviceErrorDomain = "SCServiceErrorDomain"
  /// The value of ``SCServiceCloudErrorDomain``.
  static let serviceCloudErrorDomain = "SCServiceCloudErrorDomain"
  /// The value of ``SCSOAuthInvalidSessionId``: the server's own word.
  static let invalidSessionID = "INVALID_SESSION_ID"
  /// The name of the notification that settings have changed, and the key of the service type in it.
  static let settingsUpdated = "SCSAuthenticationSettingsUpdatedNotification"
  static let serviceTypeKey = "SCServiceType"
  /// The value of ``SCSNotificationPayloadKeyCaseId``.
  static let caseIDKey = SalesforceNotification.caseIDKey
  /// The version of the REST interface that a case is read with.
  static let restVersion = SalesforcePush.apiVersion
}
