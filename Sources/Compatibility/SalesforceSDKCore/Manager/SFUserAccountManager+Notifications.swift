internal import Foundation
internal import Ostiary
internal import OstiarySalesforce

extension SFUserAccountManager {
  /// Tells the app what happened, in the vendor's words.
  @MainActor
  func post(_ event: SalesforceAccountEvent) {
    switch event {
    case .willSignIn: post(kSFNotificationUserWillLogIn)
    case .didSignIn(let account):
      post(kSFNotificationUserDidLogIn, account)
      changed(account, [.newUser, .currentUser])
    case .signInCancelled: post(kSFNotificationUserCancelledAuth)
    case .willSignOut(let account, let reason):
      post(kSFNotificationUserWillLogout, account, [kSFNotificationUserInfoLogoutReasonKey: reason.rawValue])
    case .didSignOut(let account, let reason):
      let communityId = account.lastCommunityID
      post(
        kSFNotificationUserDidLogout, account,
        [
          kSFNotificationUserInfoLogoutReasonKey: reason.rawValue,
          kSFNotificationUserInfoKey: SFNotificationUserInfo(SFUserAccount(account), communityId: communityId),
        ])
      if currentUser == nil { for tell in listeners.withLock({ $0.logout }) { tell() } }
    case .orgDidSignOut(let id):
      post(kSFNotificationOrgDidLogout, nil, [kSFNotificationUserInfoAccountKey: id.id18])
    case .didRenewTokens(let account):
      post(kSFNotificationUserDidRefreshToken, account)
      post(
        Notification.Name.SFUserAccountManagerDidChangeUserData.rawValue, account,
        [
          SFUserAccountManagerUserChangeKey: SFUserAccountDataChange.accessToken.rawValue,
          SFUserAccountManagerUserChangeUserKey: SFUserAccount(account),
        ])
    case .willSwitch(let old, let new):
      post(kSFNotificationUserWillSwitch, nil, Self.switching(old, new))
      let (before, after) = (Self.account(old), new.map { SFUserAccount($0) })
      eachDelegate {
        $0.userAccountManager(self, willSwitchFromUser: before, toUser: after)
        $0.userAccountManager(accountManager: self, willSwitchFrom: before, to: after)
      }
    case .didSwitch(let old, let new):
      post(kSFNotificationUserDidSwitch, nil, Self.switching(old, new))
      changed(new, .currentUser)
      let (before, after) = (Self.account(old), new.map { SFUserAccount($0) })
      eachDelegate {
        $0.userAccountManager(self, didSwitchFromUser: before, toUser: after)
        $0.userAccountManager(accountManager: self, didSwitchFrom: before, to: after)
      }
      for tell in listeners.withLock({ $0.switched }) { tell(old.map { SFUserAccount($0) }, after) }
    case .didSetCurrent(_, let account): changed(account, .currentUser)
    case .didChangeLoginHost(let old, let new):
      let hosts = [
        kSFLoginHostChangedNotificationOriginalHostKey: old.description,
        kSFLoginHostChangedNotificationUpdatedHostKey: new.description,
      ]
      post(kSFNotificationDidChangeLoginHost, nil, hosts)
      post(Notification.Name.SFLoginHostChanged.rawValue, nil, hosts)
    }
  }

  /// An account for code that takes no `nil`.
  private static func account(_ account: SalesforceAccount?) -> SFUserAccount {
    account.map { SFUserAccount($0) } ?? SFUserAccount(credentials: SFOAuthCredentials())
  }

  private static func switching(_ old: SalesforceAccount?, _ new: SalesforceAccount?) -> [String: Any] {
    var information: [String: Any] = [:]
    information[kSFNotificationFromUserKey] = old.map { SFUserAccount($0) }
    information[kSFNotificationToUserKey] = new.map { SFUserAccount($0) }
    return information
  }

  private func changed(_ account: SalesforceAccount?, _ change: SFUserAccountChange) {
    var information: [String: Any] = [SFUserAccountManagerUserChangeKey: change.rawValue]
    information[SFUserAccountManagerUserChangeUserKey] = account.map { SFUserAccount($0) }
    post(Notification.Name.SFUserAccountManagerDidChangeUser.rawValue, account, information)
  }

  private func post(_ name: String, _ account: SalesforceAccount? = nil, _ others: [String: Any] = [:]) {
    var information: [String: Any] = others
    if let account {
      let account = SFUserAccount(account)
      information[kSFNotificationUserInfoAccountKey] = account
      information[kSFNotificationUserInfoCredentialsKey] = account.credentials
    }
    NotificationCenter.default.post(name: Notification.Name(name), object: self, userInfo: information)
  }

  /// Posts that a user's login has been completed, or that its page is about to be shown.
  @MainActor
  func post(_ name: Notification.Name, _ account: SFUserAccount? = nil) {
    post(name.rawValue, account?.underlying)
  }
}

/// Who in this module hears of changes, after the app's observers.
struct ManagerListeners: Sendable {
  var switched: [@MainActor @Sendable (SFUserAccount?, SFUserAccount?) -> Void] = []
  var logout: [@MainActor @Sendable () -> Void] = []
}

extension SFUserAccountManager {
  /// Calls `tell` whenever another account has become the current one.
  func onSwitch(_ tell: @escaping @MainActor @Sendable (SFUserAccount?, SFUserAccount?) -> Void) {
    listeners.withLock { $0.switched.append(tell) }
  }

  /// Calls `tell` whenever a user has been logged out and no user is the current one.
  func onLogout(_ tell: @escaping @MainActor @Sendable () -> Void) { listeners.withLock { $0.logout.append(tell) } }
}
