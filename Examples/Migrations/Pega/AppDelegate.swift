// An app in the style of the Mashup SDK's time, as it was before the move, but for what the README beside it says.

import Foundation
import PMBase

class AppDelegate: NSObject {
  var pmDelegate: PMApplicationDelegate!
  var authenticator: PMPegaAuthenticator!
  let instanceURL: URL

  init(instanceURL: URL) {
    self.instanceURL = instanceURL
  }

  func application(_ application: NSObject, willFinishLaunchingWithOptions launchOptions: [String: Any]?) -> Bool {
    pmDelegate = PMApplicationDelegate()
    PMLog.sharedInstance().setLogLevel(.error)
    return pmDelegate.application(application, willFinishLaunchingWithOptions: launchOptions)
  }

  func application(_ application: NSObject, didFinishLaunchingWithOptions launchOptions: [String: Any]?) -> Bool {
    if authenticator == nil {
      authenticator = PMPegaAuthenticator(serverURL: instanceURL)
      authenticator.loginActivity = .mobileAppConfiguration
    }
    return pmDelegate.application(application, didFinishLaunchingWithOptions: launchOptions)
  }

  func applicationDidBecomeActive(_ application: NSObject) {
    pmDelegate.applicationDidBecomeActive(application)
  }

  func applicationWillTerminate(_ application: NSObject) {
    pmDelegate.applicationWillTerminate(application)
  }

  func logIn(
    withUsername username: String, password: String, completionHandler: @escaping ([String: Any]?, Error?) -> Void
  ) {
    authenticator.logIn(withUsername: username, password: password, completionHandler: completionHandler)
  }

  func logOut(completionHandler: @escaping (Error?) -> Void) {
    authenticator.logOff { error in
      completionHandler(error)
    }
  }
}
