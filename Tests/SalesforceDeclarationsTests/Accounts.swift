import Foundation
import SalesforceSDKCore

// Uses every declaration of the table of SalesforceSDKCore once. That it compiles is the test; nothing of it has to run.

#if swift(>=6)
  @MainActor
#endif
final class ManagerDelegate: NSObject, SFUserAccountManagerDelegate {
  func userAccountManagerIsNetworkAvailable(_ userAccountManager: SFUserAccountManager) -> Bool { true }
  func userAccountManager(_ userAccountManager: SFUserAccountManager, error: Error, info: SFOAuthInfo) -> Bool { false }
  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, willSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {}
  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, didSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {}
}

enum AccountDeclarations {
  static func accounts(_ user: SFUserAccount) {
    let identity: SFUserAccountIdentity = user.accountIdentity
    let same = SFUserAccountIdentity(userId: identity.userId, orgId: identity.orgId)
    let order: ComparisonResult = same.compare(identity)
    let matches: Bool = same.matchesCredentials(user.credentials)
    let copy = same.copy() as? SFUserAccountIdentity
    let name: String = user.userName
    let fullName: String = user.fullName
    let email: String? = user.email
    let scopes: Set<String>? = user.accessScopes
    let community: String? = user.communityId
    let api: URL? = user.apiUrl
    let state: SFUserAccountLoginState = user.loginState
    let flags: [Bool] = [
      user.isSessionValid, user.isUserDeleted, state == .loggedIn, state == .notLoggedIn, state == .loggingOut,
    ]
    let keys: [String?] = [
      SFKeyForUserAndScope(user, .global), SFKeyForUserAndScope(user, .org), SFKeyForUserAndScope(user, .user),
      SFKeyForUserIdAndScope(identity.userId, identity.orgId, community, .community), SFKeyForGlobalScope(),
    ]
    _ = (order, matches, copy, name, fullName, email, scopes, api, flags, keys)
    _ = SFUserAccount(credentials: user.credentials)
  }

  static func identityData(_ user: SFUserAccount) {
    let data = SFIdentityData(jsonDict: ["user_id": "005x00000012Q9PAAU"])
    // Both spellings of the vendor's versions.
    let userId: String? = user.idData?.userId
    let orgId: String? = user.idData.orgId
    let texts: [String?] = [
      data.username, data.nickname, data.displayName, data.email, data.firstName, data.lastName, data.enterpriseSoapUrl,
      data.metadataSoapUrl, data.partnerSoapUrl, data.restUrl, data.restSObjectsUrl, data.restSearchUrl,
      data.restQueryUrl,
      data.restRecentUrl, data.chatterFeedsUrl, data.chatterGroupsUrl, data.chatterUsersUrl, data.chatterFeedItemsUrl,
      data.userType, data.language, data.locale, userId, orgId,
    ]
    let urls: [URL?] = [data.idUrl, data.pictureUrl, data.thumbnailUrl, data.profileUrl]
    let flags: [Bool] = [data.assertedUser, data.isActive, data.mobilePoliciesConfigured]
    let numbers = [data.utcOffset, data.mobileAppPinLength, data.mobileAppScreenLockTimeout]
    let dictionaries: [[AnyHashable: Any]?] = [data.dictRepresentation, data.customAttributes, data.customPermissions]
    let date: Date? = data.lastModifiedDate
    _ = (texts, urls, flags, numbers, dictionaries, date)
  }

  static func credentials() {
    guard let credentials = SFOAuthCredentials(identifier: "id", clientId: "key", encrypted: true) else { return }
    credentials.clientId = "key"
    credentials.accessToken = "a"
    credentials.refreshToken = "r"
    credentials.instanceUrl = URL(string: "https://na1.salesforce.com")
    credentials.communityUrl = nil
    credentials.communityId = nil
    credentials.identityUrl = URL(string: "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P")
    credentials.issuedAt = Date()
    credentials.redirectUri = "app://done"
    credentials.domain = "login.salesforce.com"
    credentials.userId = "005x00000012Q9P"
    credentials.organizationId = "00Dx0000000BV7z"
    let texts: [String?] = [credentials.identifier, credentials.protocol]
    _ = (texts, credentials.apiUrl, credentials.isEncrypted)
  }

  static func manager(_ user: SFUserAccount, _ url: URL) throws {
    let manager = SFUserAccountManager.sharedInstance()
    manager.oauthClientId = "key"
    manager.oauthCompletionUrl = "app://done"
    manager.scopes = ["api", "web"]
    let domain: String? = "login.salesforce.com"
    manager.loginHost = domain
    manager.advancedAuthConfiguration = SFOAuthAdvancedAuthConfiguration.require
    manager.advancedAuthConfiguration = .allow
    manager.advancedAuthConfiguration = .none
    let before = manager.currentUser
    manager.currentUser = before
    let anonymous: Bool = manager.isCurrentUserAnonymous
    let identity: SFUserAccountIdentity? = manager.currentUserIdentity
    let all: [SFUserAccount]? = manager.allUserAccounts()
    let identities: [SFUserAccountIdentity]? = manager.allUserIdentities()
    let found: [SFUserAccount?] = [
      manager.userAccount(forUserIdentity: user.accountIdentity), manager.account(for: user.credentials),
      manager.createUserAccount(user.credentials),
    ]
    let some: [[SFUserAccount]] = [
      manager.accounts(forOrgId: "00Dx0000000BV7z"), manager.accounts(forInstanceURL: url),
      manager.userAccounts(forDomain: "login.salesforce.com"),
    ]
    _ = (anonymous, identity, all, identities, found, some)
    try manager.loadAccounts()
    try manager.saveAccount(forUser: user)
    try manager.deleteAccount(forUser: user)
    manager.clearAllAccountState()
  }

  static func calls(_ user: SFUserAccount, _ url: URL) {
    let manager = SFUserAccountManager.sharedInstance()
    let success: SFUserAccountManagerSuccessCallbackBlock = { _, _ in }
    let failure: SFUserAccountManagerFailureCallbackBlock = { _, _ in }
    manager.login(completion: success, failure: failure)
    manager.login(completion: { (authInfo, account) in
      _ = (authInfo.authType, account.userName)
    }) { (authInfo, error) in
      _ = (authInfo, error)
    }
    manager.login(withJwtToken: "token", completion: success, failure: failure)
    manager.refreshCredentials(
      user.credentials, completion: { (authInfo, account) in _ = account }, failure: { _, _ in })
    manager.switch(toUser: user)
    manager.switchToNewUser()
    manager.logout()
    manager.logoutUser(user)
    manager.logoutAllUsers()
    manager.dismissAuthViewControllerIfPresent()
    _ = manager.handleAdvancedAuthenticationResponse(url, options: [:])
    _ = SFUserAccountManager.errorIsInvalidAuthCredentials(CancellationError())
    let types: [SFOAuthType] = [.unknown, .userAgent, .refresh, .advancedBrowser, .jwtTokenExchange]
    _ = SFOAuthInfo(authType: types[0]).authTypeDescription
  }

  @MainActor
  static func delegates() {
    let delegate = ManagerDelegate()
    SFUserAccountManager.sharedInstance().add(delegate)
    SFUserAccountManager.sharedInstance().remove(delegate)
  }

  static let texts: [String] = [
    kSFNotificationUserWillLogIn, kSFNotificationUserDidLogIn, kSFNotificationUserCanceledAuth,
    kSFNotificationUserCancelledAuth,
    kSFNotificationUserWillShowAuthView, kSFNotificationUserWillLogout, kSFNotificationUserDidLogout,
    kSFNotificationOrgDidLogout,
    kSFNotificationUserDidRefreshToken, kSFNotificationUserWillSwitch, kSFNotificationUserDidSwitch,
    kSFNotificationDidChangeLoginHost, kSFNotificationUserInfoAccountKey, kSFNotificationUserInfoLogoutReasonKey,
    kSFNotificationUserInfoCredentialsKey, kSFNotificationUserInfoAuthTypeKey, kSFNotificationUserInfoKey,
    kSFNotificationFromUserKey, kSFNotificationToUserKey, SFUserAccountManagerUserChangeKey,
    SFUserAccountManagerUserChangeUserKey, kSFLoginHostChangedNotificationOriginalHostKey,
    kSFLoginHostChangedNotificationUpdatedHostKey, kSFUserAccountOAuthLoginHostDefault, kSFUserAccountOAuthLoginHost,
    SFSDKAppConfigErrorDomain,
  ]

  static let names: [Notification.Name] = [
    .SFUserAccountManagerDidChangeUser, .SFUserAccountManagerDidChangeUserData, .SFUserAccountManagerDidFinishUserInit,
    .SFLoginHostChanged,
  ]

  static func notification(_ notification: Notification) {
    let information = notification.userInfo?[kSFNotificationUserInfoKey] as? SFNotificationUserInfo
    let change = (notification.userInfo?[SFUserAccountManagerUserChangeKey] as? UInt).map {
      SFUserAccountChange(rawValue: $0)
    }
    let changes: [SFUserAccountChange] = [.unknown, .newUser, .currentUser]
    let dataChanges: [SFUserAccountDataChange] = [.unknown, .communityId, .idData, .instanceURL, .accessToken]
    _ = (information?.accountIdentity, information?.communityId, change, changes, dataChanges)
  }

  static func appConfig() throws {
    guard
      let config = SFSDKAppConfig.fromDefaultConfigFile() ?? SFSDKAppConfig.fromConfigFile("a.plist")
        ?? SFSDKAppConfig(dict: [:])
    else { return }
    config.remoteAccessConsumerKey = "key"
    config.oauthRedirectURI = "app://done"
    config.oauthScopes = ["api"]
    config.shouldAuthenticate = false
    _ = config.configDict
    try config.validate()
    let codes: [SFSDKAppConfigErrorCode] = [.noConsumerKey, .noRedirectURI, .noOAuthScopes]
    _ = codes
  }

  static func launch() {
    SalesforceSDKManager.initializeSDK()
    let manager = SalesforceSDKManager.shared()
    manager.appConfig?.shouldAuthenticate = true
    manager.appConfig = SFSDKAppConfig.fromDefaultConfigFile()
    manager.postLaunchAction = { (launchActionList: SFSDKLaunchAction) in
      _ = SalesforceSDKManager.launchActionsStringRepresentation(launchActionList)
    }
    manager.launchErrorAction = { (error: Error, launchActionList: SFSDKLaunchAction) in _ = (error, launchActionList) }
    manager.postLogoutAction = {}
    manager.switchUserAction = { (fromUser: SFUserAccount?, toUser: SFUserAccount?) in _ = (fromUser, toUser) }
    _ = manager.isLaunching
    manager.launch()
    let actions: [SFSDKLaunchAction] = [.alreadyAuthenticated, .authenticated, .authBypassed, .passcodeVerified]
    _ = actions
  }
}
