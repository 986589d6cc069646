// Every constant of `SalesforceSDKCore` and `ServiceCore` whose text the vendor never published. An app that compares with the constants
// never sees the texts; one that has stored them, or gets them from elsewhere, sets its own.
extension SalesforceSDKName {
  static let willLogIn = Self("kSFNotificationUserWillLogIn")
  static let didLogIn = Self("kSFNotificationUserDidLogIn")
  static let cancelledAuth = Self("kSFNotificationUserCancelledAuth")
  static let willShowAuthView = Self("kSFNotificationUserWillShowAuthView")
  static let willLogout = Self("kSFNotificationUserWillLogout")
  static let didLogout = Self("kSFNotificationUserDidLogout")
  static let orgDidLogout = Self("kSFNotificationOrgDidLogout")
  static let didRefreshToken = Self("kSFNotificationUserDidRefreshToken")
  static let willSwitch = Self("kSFNotificationUserWillSwitch")
  static let didSwitch = Self("kSFNotificationUserDidSwitch")
  static let didChangeLoginHost = Self("kSFNotificationDidChangeLoginHost")
  static let didChangeUser = Self("SFUserAccountManagerDidChangeUserNotification")
  static let didChangeUserData = Self("SFUserAccountManagerDidChangeUserDataNotification")
  static let didFinishUserInit = Self("SFUserAccountManagerDidFinishUserInitNotification")
  static let loginHostChanged = Self("kSFLoginHostChangedNotification")

  static let accountKey = Self("kSFNotificationUserInfoAccountKey", "account")
  static let logoutReasonKey = Self("kSFNotificationUserInfoLogoutReasonKey", "logoutReason")
  static let credentialsKey = Self("kSFNotificationUserInfoCredentialsKey", "credentials")
  static let authTypeKey = Self("kSFNotificationUserInfoAuthTypeKey", "authType")
  static let userInfoKey = Self("kSFNotificationUserInfoKey", "sfuserInfo")
  static let fromUserKey = Self("kSFNotificationFromUserKey", "fromUser")
  static let toUserKey = Self("kSFNotificationToUserKey", "toUser")
  static let userChangeKey = Self("SFUserAccountManagerUserChangeKey", "change")
  static let userChangeUserKey = Self("SFUserAccountManagerUserChangeUserKey", "user")
  static let originalHostKey = Self("kSFLoginHostChangedNotificationOriginalHostKey", "originalLoginHost")
  static let updatedHostKey = Self("kSFLoginHostChangedNotificationUpdatedHostKey", "updatedLoginHost")
  static let appConfigErrorDomain = Self("SFSDKAppConfigErrorDomain")

  /// The domain of errors about authentication.
  package static let serviceErrorDomain = Self("SCServiceErrorDomain")
  /// The domain of errors of the vendor's user interface.
  package static let serviceCloudErrorDomain = Self("SCServiceCloudErrorDomain")
  /// The domain of errors of the vendor's logging.
  package static let serviceCloudLoggingErrorDomain = Self("SCServiceCloudLoggingErrorDomain")
  /// The domain of errors about knowledge articles.
  package static let knowledgeErrorDomain = Self("SCSKnowledgeErrorDomain")
  /// The domain of errors about cases.
  package static let caseErrorDomain = Self("SCSCaseErrorDomain")
  /// The server's word for a session that is over.
  package static let invalidSessionID = Self("SCSOAuthInvalidSessionId", "INVALID_SESSION_ID")
  /// The notification that settings have changed.
  package static let settingsUpdated = Self("SCSAuthenticationSettingsUpdatedNotification")
  /// The service's type among the notification's user information.
  package static let serviceTypeKey = Self("SCSServiceTypeKey", "SCServiceType")
  /// The case in the payload of a push notification.
  package static let caseIDKey = Self("SCSNotificationPayloadKeyCaseId", "caseid")
  /// The service of cases.
  package static let cases = Self("SCServiceTypeCases", "cases")
  /// The service of articles.
  package static let knowledge = Self("SCServiceTypeKnowledge", "knowledge")
  /// The key of the access token. This and the next keys are the names of a token answer's members.
  package static let oauthAccessToken = Self("SCSOAuth2JSONKeyAccessToken", "access_token")
  /// The key of the org's address.
  package static let oauthInstanceURL = Self("SCSOAuth2JSONKeyInstanceUrl", "instance_url")
  /// The key of the refresh token.
  package static let oauthRefreshToken = Self("SCSOAuth2JSONKeyRefreshToken", "refresh_token")
  /// The key of the identity URL.
  package static let oauthIdentityURL = Self("SCSOAuth2JSONKeyIdentityUrl", "id")
  /// The key of the community's address.
  package static let oauthCommunityURL = Self("SCSOAuth2JSONKeyCommunityUrl", "sfdc_community_url")
  /// The key of the community's identifier.
  package static let oauthCommunityID = Self("SCSOAuth2JSONKeyCommunityId", "sfdc_community_id")

  /// All of them.
  package static let all: [SalesforceSDKName] = [
    willLogIn, didLogIn, cancelledAuth, willShowAuthView, willLogout, didLogout, orgDidLogout, didRefreshToken,
    willSwitch,
    didSwitch, didChangeLoginHost, didChangeUser, didChangeUserData, didFinishUserInit, loginHostChanged, accountKey,
    logoutReasonKey, credentialsKey, authTypeKey, userInfoKey, fromUserKey, toUserKey, userChangeKey, userChangeUserKey,
    originalHostKey, updatedHostKey, appConfigErrorDomain, serviceErrorDomain, serviceCloudErrorDomain,
    serviceCloudLoggingErrorDomain, knowledgeErrorDomain, caseErrorDomain, invalidSessionID, settingsUpdated,
    serviceTypeKey,
    caseIDKey, cases, knowledge, oauthAccessToken, oauthInstanceURL, oauthRefreshToken, oauthIdentityURL,
    oauthCommunityURL,
    oauthCommunityID,
  ]

  /// The text of this process.
  package var current: String { SalesforceSDKConfiguration.settings.name(self) }
}
