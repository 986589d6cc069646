public import Foundation
internal import OstiaryCore
internal import OstiarySalesforce

// The calls' names from version 7 of the vendor's SDK on.
extension SFUserAccountManager {
  /// Gets who has logged in and how, or what went wrong.
  public typealias LoginResult = Result<(UserAccount, AuthInfo), UserAccountManagerError>

  /// The process's own.
  public class var shared: SFUserAccountManager { sharedInstance() }

  /// ``oauthClientId``.
  public var oauthClientID: String {
    get { oauthClientId }
    set { oauthClientId = newValue }
  }
  /// ``oauthCompletionUrl``.
  public var oauthCompletionURL: String {
    get { oauthCompletionUrl }
    set { oauthCompletionUrl = newValue }
  }
  /// ``currentUser``.
  public var currentUserAccount: UserAccount? {
    get { currentUser }
    set { currentUser = newValue }
  }
  /// ``currentUserIdentity``.
  public var currentUserAccountIdentity: UserAccountIdentity? { currentUserIdentity }
  /// Whether users log in in the system's browser. Always.
  public var usesAdvancedAuthentication: Bool { true }

  /// ``allUserAccounts()``.
  public func userAccounts() -> [UserAccount]? { allUserAccounts() }
  /// ``allUserIdentities()``.
  public func userIdentities() -> [UserAccountIdentity]? { allUserIdentities() }
  /// ``userAccount(forUserIdentity:)``.
  public func userAccount(for userIdentity: UserAccountIdentity) -> UserAccount? {
    userAccount(forUserIdentity: userIdentity)
  }
  /// ``account(for:)``.
  public func userAccount(for credentials: OAuthCredentials) -> UserAccount? { account(for: credentials) }
  /// ``accounts(forOrgId:)``.
  public func userAccounts(forOrg orgId: String) -> [UserAccount] { accounts(forOrgId: orgId) }
  /// ``accounts(forInstanceURL:)``.
  public func userAccounts(at instanceURL: URL) -> [UserAccount] { accounts(forInstanceURL: instanceURL) }
  /// ``createUserAccount(_:)``.
  public func createUserAccount(with credentials: OAuthCredentials) -> UserAccount { createUserAccount(credentials) }
  /// ``saveAccount(forUser:)``.
  public func upsert(_ userAccount: UserAccount) throws { try saveAccount(forUser: userAccount) }
  /// ``deleteAccount(forUser:)``.
  public func delete(_ userAccount: UserAccount) throws { try deleteAccount(forUser: userAccount) }
  /// `loadAccounts()`, which does not wait.
  public func loadAllUserAccounts() throws { try beginLoading() }

  /// ``login(completion:failure:)``.
  @preconcurrency
  @discardableResult
  public func login(_ completionBlock: @escaping @MainActor @Sendable (LoginResult) -> Void) -> Bool {
    login(completion: { completionBlock(.success(($1, $0))) }) {
      completionBlock(.failure(.loginFailed(underlyingError: $1, authInfo: $0)))
    }
  }

  /// ``login(withJwtToken:completion:failure:)``.
  @preconcurrency
  @discardableResult
  public func login(
    using jwt: String, _ completionBlock: @escaping @MainActor @Sendable (LoginResult) -> Void
  ) -> Bool {
    login(withJwtToken: jwt, completion: { completionBlock(.success(($1, $0))) }) {
      completionBlock(.failure(.loginJWTFailed(underlyingError: $1, authInfo: $0)))
    }
  }

  /// `refreshCredentials(_:completion:failure:)`.
  @preconcurrency
  @discardableResult
  public func refresh(
    credentials: OAuthCredentials, _ completionBlock: @escaping @MainActor @Sendable (LoginResult) -> Void
  ) -> Bool {
    refreshCredentials(credentials, completion: { completionBlock(.success(($1, $0))) }) {
      completionBlock(.failure(.refreshFailed(underlyingError: $1, authInfo: $0)))
    }
  }

  /// ``switch(toUser:completion:)``.
  public func switchToUserAccount(_ userAccount: UserAccount?) { self.switch(toUser: userAccount) }

  /// Logs another user in, who is the current one when that has succeeded.
  @preconcurrency
  public func switchToNewUserAccount(
    _ completionBlock: @escaping @MainActor @Sendable (Result<UserAccount, UserAccountManagerError>) -> Void
  ) {
    login(completion: { completionBlock(.success($1)) }) {
      completionBlock(.failure(.userSwitchFailed(underlyingError: $1)))
    }
  }

  /// ``stopCurrentAuthentication()``.
  /// - Parameter completionBlock: is called with `true` when that is done.
  @preconcurrency
  public func stopCurrentAuthentication(_ completionBlock: (@MainActor @Sendable (Bool) -> Void)?) {
    stopCurrentAuthentication()
    environment.deliver { completionBlock?(true) }
  }

  /// ``logout(completion:)``, with a reason for the server.
  public func logout(_ reason: SFLogoutReason) {
    accounts.beginSignOutCurrent(SalesforceRevocationReason(reason)).start({ _ = await $0?.result() }) { _ in }
  }

  /// ``logoutUser(_:completion:)``.
  public func logout(_ user: UserAccount) { logoutUser(user) }

  /// ``logoutUser(_:completion:)``, with a reason for the server.
  public func logout(_ user: UserAccount, reason: SFLogoutReason) {
    if let account = user.underlying { _ = accounts.beginSignOut(account, SalesforceRevocationReason(reason)) }
  }
}

extension SalesforceRevocationReason {
  /// The server's word for a reason of the app's.
  fileprivate init(_ reason: SFLogoutReason) {
    switch reason {
    case .userInitiated: self = .userLogout
    case .corruptState, .corruptStateAppConfigurationSettings, .corruptStateAppProviderErrorInvalidUser,
      .corruptStateAppInvalidRestClient, .corruptStateAppOther, .corruptStateMSDK:
      self = .corruptState
    case .tokenExpired: self = .refreshTokenExpired
    default: self = .unknown
    }
  }
}

extension SFUserAccountManager {
  /// `Notification.Name.SFUserAccountManagerDidChangeUser`.
  public static let didChangeUser = Notification.Name.SFUserAccountManagerDidChangeUser
  /// `Notification.Name.SFUserAccountManagerDidChangeUserData`.
  public static let didChangeUserData = Notification.Name.SFUserAccountManagerDidChangeUserData
  /// `Notification.Name.SFUserAccountManagerDidFinishUserInit`.
  public static let didFinishUserInit = Notification.Name.SFUserAccountManagerDidFinishUserInit
  /// ``kSFNotificationUserWillLogout``.
  public static let willLogoutUser = Notification.Name(kSFNotificationUserWillLogout)
  /// ``kSFNotificationUserDidLogout``.
  public static let didLogoutUser = Notification.Name(kSFNotificationUserDidLogout)
  /// ``kSFNotificationUserWillSwitch``.
  public static let willSwitchUser = Notification.Name(kSFNotificationUserWillSwitch)
  /// ``kSFNotificationUserDidSwitch``.
  public static let didSwitchUser = Notification.Name(kSFNotificationUserDidSwitch)
  /// ``kSFNotificationDidChangeLoginHost``.
  public static let didChangeLoginHost = Notification.Name(kSFNotificationDidChangeLoginHost)
  /// ``kSFNotificationOrgDidLogout``.
  public static let didLogoutOrg = Notification.Name(kSFNotificationOrgDidLogout)
  /// ``kSFNotificationUserDidRefreshToken``.
  public static let didRefreshToken = Notification.Name(kSFNotificationUserDidRefreshToken)
  /// ``kSFNotificationUserWillShowAuthView``.
  public static let willShowAuthenticationView = Notification.Name(kSFNotificationUserWillShowAuthView)
  /// ``kSFNotificationUserCancelledAuth``.
  public static let userCancelledAuthentication = Notification.Name(kSFNotificationUserCancelledAuth)
  /// ``kSFNotificationUserWillLogIn``.
  public static let willLogInUser = Notification.Name(kSFNotificationUserWillLogIn)
  /// ``kSFNotificationUserDidLogIn``.
  public static let didLogInUser = Notification.Name(kSFNotificationUserDidLogIn)

  /// ``SFUserAccountManagerUserChangeKey``.
  public static let changeSetKey = SFUserAccountManagerUserChangeKey
  /// ``SFUserAccountManagerUserChangeUserKey``.
  public static let userInfoUserKey = SFUserAccountManagerUserChangeUserKey
  /// ``kSFNotificationUserInfoAccountKey``.
  public static let userInfoAccountKey = kSFNotificationUserInfoAccountKey
  /// ``kSFNotificationUserInfoLogoutReasonKey``.
  public static let userInfoLogoutReasonKey = kSFNotificationUserInfoLogoutReasonKey
  /// ``kSFNotificationUserInfoCredentialsKey``.
  public static let userInfoCredentialsKey = kSFNotificationUserInfoCredentialsKey
  /// ``kSFNotificationUserInfoKey``.
  public static let userInfoSfUserInfoKey = kSFNotificationUserInfoKey
  /// ``kSFNotificationFromUserKey``.
  public static let userInfoFromUserKey = kSFNotificationFromUserKey
  /// ``kSFNotificationToUserKey``.
  public static let userInfoToUserKey = kSFNotificationToUserKey
  /// ``SFNotificationUserInfo``.
  public typealias NotificationUserInfo = SFNotificationUserInfo
}
