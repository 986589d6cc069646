// An app of its time.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SalesforceSDKCore
import ServiceCore

class SupportHandler: NSObject, SCServiceCloudDelegate {
  override init() {
    super.init()
    let config = SCSServiceConfiguration(
      community: URL(string: "https://mycommunity.example.com")!,
      dataCategoryGroup: "Regions",
      rootDataCategory: "All")
    ServiceCloud.shared().serviceConfiguration = config
    ServiceCloud.shared().delegate = self
  }

  func serviceCloud(
    _ serviceCloud: ServiceCloud, shouldAuthenticateServiceType service: SCServiceType,
    completion: @escaping (SCSAuthenticationSettings?) -> Void
  ) -> Bool {
    print("asked for \(service.rawValue)")
    if let account = SFUserAccountManager.sharedInstance().currentUser {
      completion(SCSAuthenticationSettings(mobileSDK: account))
    } else {
      completion(nil)
    }
    return true
  }

  func serviceCloud(
    _ serviceCloud: ServiceCloud, authenticationFailed error: Error, forServiceType service: SCServiceType
  ) -> Bool {
    print("authentication failed: \((error as NSError).domain) \((error as NSError).code)")
    return false
  }
}
