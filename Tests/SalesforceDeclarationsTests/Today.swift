import Foundation
import SalesforceSDKCore

// The names from version 7 of the vendor's SDK on.

#if swift(>=6)
  @MainActor
#endif
final class NewerManagerDelegate: NSObject, UserAccountManagerDelegate {
  func userAccountManager(
    accountManager: UserAccountManager, didFailAuthenticationWith error: Error, info: AuthInfo
  ) -> Bool { false }
  func userAccountManager(
    accountManager: UserAccountManager, willSwitchFrom currentUser: UserAccount, to newUser: UserAccount?
  ) {}
  func userAccountManager(
    accountManager: UserAccountManager, didSwitchFrom previousUser: UserAccount, to currentUser: UserAccount?
  ) {}
}

enum TodayDeclarations {
  static func manager(_ user: UserAccount, _ url: URL) throws {
    let manager: UserAccountManager = UserAccountManager.shared
    manager.oauthClientID = "key"
    manager.oauthCompletionURL = "app://done"
    let before: UserAccount? = manager.currentUserAccount
    manager.currentUserAccount = before
    let identity: UserAccountIdentity? = manager.currentUserAccountIdentity
    let advanced: Bool = manager.usesAdvancedAuthentication
    let accounts: [[UserAccount]?] = [
      manager.userAccounts(), manager.userAccounts(forOrg: "00Dx0000000BV7z"), manager.userAccounts(at: url),
      manager.userAccounts(forDomain: "login.salesforce.com"),
    ]
    let identities: [UserAccountIdentity]? = manager.userIdentities()
    let credentials: OAuthCredentials = user.credentials
    let found: [UserAccount?] = [
      manager.userAccount(for: user.accountIdentity), manager.userAccount(for: credentials),
      manager.createUserAccount(with: credentials),
    ]
    let data: IdentityData = user.idData
    let types:
      (UserAccount.LoginState, UserAccount.AccountScope, UserAccount.AccountChange, UserAccount.AccountDataChange) = (
        user.loginState, .user, .newUser, .idData
      )
    _ = (identity, advanced, accounts, identities, found, data, types)
    try manager.loadAllUserAccounts()
    try manager.upsert(user)
    try manager.delete(user)
    let config: BootConfig? = nil
    _ = config
  }

  static func calls(_ user: UserAccount) {
    let manager = UserAccountManager.shared
    _ = manager.login { result in
      switch result {
      case .success(let (account, info)): _ = (account.accountIdentity, (info as AuthInfo).authType)
      case .failure(.loginFailed(let underlyingError, let authInfo)): _ = (underlyingError, authInfo)
      case .failure(.loginJWTFailed), .failure(.refreshFailed), .failure(.userSwitchFailed),
        .failure(.userSwitchFailedUnknown):
        break
      }
    }
    _ = manager.login(using: "token") { _ in }
    _ = manager.refresh(credentials: user.credentials) { _ in }
    manager.switchToUserAccount(user)
    manager.switchToNewUserAccount { result in _ = try? result.get() }
    manager.stopCurrentAuthentication { _ in }
    manager.logout(user)
    manager.logout(user, reason: .userInitiated)
    manager.logout(SFLogoutReason.tokenExpired)
    let success: AccountManagerSuccessCallbackBlock = { _, _ in }
    let failure: AccountManagerFailureCallbackBlock = { _, _ in }
    manager.login(completion: success, failure: failure)
  }

  static let names: [Notification.Name] = [
    UserAccountManager.didChangeUser, UserAccountManager.didChangeUserData, UserAccountManager.didFinishUserInit,
    UserAccountManager.willLogoutUser, UserAccountManager.didLogoutUser, UserAccountManager.willSwitchUser,
    UserAccountManager.didSwitchUser, UserAccountManager.didChangeLoginHost, UserAccountManager.didLogoutOrg,
    UserAccountManager.didRefreshToken, UserAccountManager.willShowAuthenticationView,
    UserAccountManager.userCancelledAuthentication, UserAccountManager.willLogInUser, UserAccountManager.didLogInUser,
  ]

  static let keys: [String] = [
    UserAccountManager.changeSetKey, UserAccountManager.userInfoUserKey, UserAccountManager.userInfoAccountKey,
    UserAccountManager.userInfoLogoutReasonKey, UserAccountManager.userInfoCredentialsKey,
    UserAccountManager.userInfoSfUserInfoKey, UserAccountManager.userInfoFromUserKey,
    UserAccountManager.userInfoToUserKey,
  ]

  static func information(_ information: UserAccountManager.NotificationUserInfo) -> UserAccountIdentity {
    information.accountIdentity
  }
}
