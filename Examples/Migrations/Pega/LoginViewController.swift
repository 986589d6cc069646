import Foundation
import PMAuthentication

/// UIKit's views are played by lines on the console.
class LoginViewController: NSObject {
  let delegate: AppDelegate

  init(delegate: AppDelegate) {
    self.delegate = delegate
  }

  func loginClicked(username: String, password: String, onSuccess: @escaping () -> Void) {
    delegate.logIn(withUsername: username, password: password) { (json, error) in
      guard error == nil else {
        self.presentAlert(for: error! as NSError)
        return
      }
      print("logged in, \(json?.count ?? 0) members")
      onSuccess()
    }
  }

  func presentAlert(for error: NSError) {
    switch error.code {
    case PMAuthenticationErrorInvalidCredentials:
      print("alert \(error.code): wrong user name or password")
    case PMAuthenticationErrorNetwork:
      print("alert \(error.code): no network")
    default:
      print("alert \(error.code): \(error.localizedDescription)")
    }
    exit(1)
  }
}
