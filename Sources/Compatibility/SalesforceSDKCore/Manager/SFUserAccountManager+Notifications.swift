internal import Foundation
internal import OstiarySalesforce

extension SFUserAccountManager {
  /// Posts what happened, in the vendor's words.
  func post(_ event: SalesforceAccountEvent) {
    switch event {
    case .willSignIn: post(kSFNotificationUserWillLogIn)
    case .didSignIn(let account): post(kSFNotificationUserDidLogIn, account)
    case .signInCancelled: post(kSFNotificationUserCancelledAuth)
    case .willSignOut(let account, let reason):
      post(kSFNotificationUserWillLogout, account, [kSFNotificationUserInfoLogoutReasonKey: reason.rawValue])
    case .didSignOut(let account, let reason):
      post(kSFNotificationUserDidLogout, account, [kSFNotificationUserInfoLogoutReasonKey: reason.rawValue])
    case .orgDidSignOut(let id):
      post(kSFNotificationOrgDidLogout, nil, [kSFNotificationUserInfoAccountKey: id.id18])
    case .didRenewTokens(let account): post(kSFNotificationUserDidRefreshToken, account)
    case .willSwitch(let old, let new): post(kSFNotificationUserWillSwitch, nil, Self.switching(old, new))
    case .didSwitch(let old, let new): post(kSFNotificationUserDidSwitch, nil, Self.switching(old, new))
    case .didChangeLoginHost: post(kSFNotificationDidChangeLoginHost)
    }
  }

  private static func switching(_ old: SalesforceAccount?, _ new: SalesforceAccount?) -> [String: Any] {
    var information: [String: Any] = [:]
    information[kSFNotificationFromUserKey] = old.map { SFUserAccount($0) }
    information[kSFNotificationToUserKey] = new.map { SFUserAccount($0) }
    return information
  }

  private func post(_ name: String, _ account: SalesforceAccount? = nil, _ others: [String: Any] = [:]) {
    var information: [String: Any] = others
    if let account { information[kSFNotificationUserInfoAccountKey] = SFUserAccount(account) }
    NotificationCenter.default.post(name: Notification.Name(name), object: self, userInfo: information)
  }
}
