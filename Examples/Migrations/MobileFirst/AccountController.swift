import Foundation
import IBMMobileFirstPlatformFoundation

/// What the view controller of the app does, without its views. It is on the main actor, as view controllers are.
@MainActor
class AccountController {
  /// Shows a text to the user.
  var show: (String) -> Void = { print($0) }
  /// Asks the user for the next password; nil when the user gives up.
  var askForPassword: () -> String? = { readLine() }
  var username = ""
  private var observer: NSObjectProtocol?

  func viewDidLoad(server: URL) {
    WLClient.sharedInstance().setServerUrl(server)
    WLClient.sharedInstance().registerChallengeHandler(LtpaChallengeHandler.sharedInstance)
    observer = NotificationCenter.default.addObserver(
      forName: LoginRequired, object: LtpaChallengeHandler.sharedInstance, queue: nil
    ) { [weak self] _ in
      // The handler posts on the main actor.
      MainActor.assumeIsolated { self?.showLogin() }
    }
  }

  func viewWillDisappear() {
    if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    observer = nil
  }

  func showLogin() {
    if let password = askForPassword() {
      LtpaChallengeHandler.sharedInstance.login(username: username, password: password)
    } else {
      LtpaChallengeHandler.sharedInstance.cancel()
    }
  }

  func connect(done: @escaping () -> Void) {
    WLAuthorizationManager.sharedInstance().obtainAccessToken(
      forScope: "",
      withCompletionHandler: { (token, error) in
        if error != nil {
          self.show("Error: \(error?.localizedDescription ?? "")")
        } else {
          self.show("Connected")
        }
        done()
      })
  }

  func getBalance(done: @escaping () -> Void) {
    let request = WLResourceRequest(url: URL(string: "/adapters/ResourceAdapter/balance"), method: WLHttpMethodGet)
    request?.send(completionHandler: { (response, error) in
      if error != nil {
        self.show("Error: \(error?.localizedDescription ?? "")")
      } else {
        self.show("Balance: \(response?.responseText ?? "")")
      }
      done()
    })
  }

  func logout(done: @escaping () -> Void) {
    WLAuthorizationManager.sharedInstance().logout(
      "LtpaBasedSSO",
      withCompletionHandler: { (error) in
        self.show(error != nil ? "Failed to log out" : "Logged out")
        done()
      })
  }
}
