import Foundation
import SalesforceSDKCore
import ServiceCore

/// Logs a user in in the browser, reads their cases, and logs out.
///
///     SalesforceMigration settings.json
let arguments = CommandLine.arguments
guard arguments.count == 2 else {
  print("usage: SalesforceMigration SETTINGS")
  exit(2)
}

// On iOS the entry SalesforceSDKConfiguration of the Info.plist, or the vendor's bootconfig.plist, does this.
do {
  try SalesforceSDKConfiguration.load(contentsOf: URL(fileURLWithPath: arguments[1]))
} catch {
  print("\(error)")
  exit(2)
}

let appDelegate = AppDelegate()
_ = appDelegate.application(NSObject(), didFinishLaunchingWithOptions: nil)
appDelegate.logIn { account in
  appDelegate.describe(SFUserAccountManager.sharedInstance().currentUser)
  // The vendor's screen of cases is played by the request that it would have sent.
  ServiceCloud.shared().request(path: "/services/data/v61.0/sobjects/Case", forServiceType: .cases) { response, error in
    print("cases: \(response?.statusCode ?? 0)")
    SFUserAccountManager.sharedInstance().logout()
  }
}
dispatchMain()
