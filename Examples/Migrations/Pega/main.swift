import Foundation
import PMAuthentication

/// Logs in, opens a case, asks whether the user is logged in, and logs out.
///
///     echo PASSWORD | PegaMigration https://host/prweb jdoe [Settings.json]
let arguments = CommandLine.arguments
guard arguments.count >= 3, let instanceURL = URL(string: arguments[1]), let password = readLine() else {
  print("usage: PegaMigration SERVER USER [SETTINGS], with the password on standard input")
  exit(2)
}

// On iOS the entry PMPegaConfiguration of the Info.plist does this.
if arguments.count > 3 {
  do {
    try PMPegaConfiguration.load(contentsOf: URL(fileURLWithPath: arguments[3]))
  } catch {
    print("\(error)")
    exit(2)
  }
}

let application = NSObject()
let appDelegate = AppDelegate(instanceURL: instanceURL)
_ = appDelegate.application(application, willFinishLaunchingWithOptions: nil)
_ = appDelegate.application(application, didFinishLaunchingWithOptions: nil)
appDelegate.applicationDidBecomeActive(application)

let login = LoginViewController(delegate: appDelegate)
let dispute = DisputeViewController(delegate: appDelegate)
login.loginClicked(username: arguments[2], password: password) {
  dispute.onFinish = {
    appDelegate.authenticator.isLoggedIn { (isSuccess, json, error) in
      print("is logged in: \(isSuccess)")
      appDelegate.logOut { error in
        print(error.map { "logged out, and \($0.localizedDescription)" } ?? "logged out")
        appDelegate.applicationWillTerminate(application)
        exit(0)
      }
    }
  }
  dispute.startDisputeProcess()
}
dispatchMain()
