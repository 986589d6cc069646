// An app of its time.
// swift-format-ignore-file: NeverForceUnwrap

// An app in the style of the Mobile SDK's time (6.2, Swift 4), as it was before the move, but for what the README beside it says.

import Foundation
import SalesforceSDKCore
import ServiceCore

class AppDelegate: NSObject {
  let support = SupportHandler()

  func application(_ application: NSObject, didFinishLaunchingWithOptions launchOptions: [String: Any]?) -> Bool {
    SFUserAccountManager.sharedInstance().advancedAuthConfiguration = SFOAuthAdvancedAuthConfiguration.require
    SFUserAccountManager.sharedInstance().add(self)
    _ = NotificationCenter.default.addObserver(
      forName: Notification.Name(kSFNotificationUserWillLogout), object: nil, queue: nil
    ) { notification in
      let account = notification.userInfo?[kSFNotificationUserInfoAccountKey] as? SFUserAccount
      print("will log out \(account?.userName ?? "<none>"), token: \(account?.credentials.accessToken != nil)")
    }
    _ = NotificationCenter.default.addObserver(
      forName: Notification.Name(kSFNotificationUserDidLogout), object: nil, queue: nil
    ) { _ in
      self.handleSdkManagerLogout()
    }
    return true
  }

  func logIn(completion: @escaping (SFUserAccount) -> Void) {
    SFUserAccountManager.sharedInstance().login(completion: { (authInfo, userAccount) in
      completion(userAccount)
    }) { (authInfo, error) in
      print("login failed: \(error)")
      exit(1)
    }
  }

  func handleSdkManagerLogout() {
    let allAccounts = SFUserAccountManager.sharedInstance().allUserAccounts()
    let numberOfAccounts = allAccounts!.count
    if numberOfAccounts == 1 {
      SFUserAccountManager.sharedInstance().currentUser = allAccounts![0]
    }
    print("logged out, \(numberOfAccounts) left")
    exit(0)
  }

  func describe(_ user: SFUserAccount?) {
    let userName = (user != nil) ? user?.userName : "<none>"
    print("user \(userName!), \(user!.fullName), \(user!.accountIdentity.userId.count) characters")
    guard let creds = SFUserAccountManager.sharedInstance().currentUser?.credentials, let instance = creds.instanceUrl,
      let identity = creds.identityUrl
    else {
      return
    }
    let config = ["refresh_token": creds.refreshToken, "instance_url": instance.absoluteString]
    print(
      "\(config.count) members, \(identity.lastPathComponent == SFUserAccountManager.sharedInstance().currentUser?.idData.userId)"
    )
  }
}

extension AppDelegate: SFUserAccountManagerDelegate {
  func userAccountManager(
    _ userAccountManager: SFUserAccountManager, willSwitchFromUser fromUser: SFUserAccount, toUser: SFUserAccount?
  ) {
    print("will switch to \(toUser?.accountIdentity.userId ?? "<none>")")
  }
}
