import Foundation
import IBMMobileFirstPlatformFoundation

let LoginRequired = Notification.Name("LoginRequired")
let LoginSucceeded = Notification.Name("LoginSucceeded")

/// The handler of an app of 2017: it recognises WebSEAL's login form, has a screen shown, and sends what the user typed.
class LtpaChallengeHandler: GatewayChallengeHandler {
  static let sharedInstance = LtpaChallengeHandler()
  let gateway = "LtpaBasedSSO"

  override init() {
    super.init(gatewayName: gateway)
  }

  override func canHandleResponse(_ response: WLResponse!) -> Bool {
    if let text = response.responseText {
      return text.contains("pkmslogin.form")
    }
    return false
  }

  override func handleChallenge(_ response: WLResponse!) {
    NotificationCenter.default.post(name: LoginRequired, object: self)
  }

  override func onSuccess(_ response: WLResponse!) {
    if canHandleResponse(response) {
      // The form again: the password was wrong.
      handleChallenge(response)
    } else {
      NotificationCenter.default.post(name: LoginSucceeded, object: self)
      submitSuccess(response)
    }
  }

  override func onFailure(_ response: WLFailResponse!) {
    cancel()
  }

  func login(username: String, password: String) {
    self.submitLoginForm(
      "../../pkmslogin.form?token=Unknown",
      requestParameters: ["username": username, "password": password, "login-form-type": "pwd"], requestHeaders: nil,
      requestTimeoutInMilliSeconds: 0, requestMethod: "POST")
  }
}
