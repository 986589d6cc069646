// Handlers as IBM's customers have them, in the language of their time (Swift 5, no concurrency). The vendor's page has no
// code: `PageHandler` is the class that its text describes. `IsamHandler` and `DataPowerHandler` are shaped like the
// samples that the community has published for an LTPA gateway (WebSEAL, ISAM) and for DataPower: the same overrides, calls
// and arguments, in our words.
//
// What today's Swift forces: nothing in the handlers. Where an app has a screen, there is `Screen`; it gets what the
// notifications of the samples say.

import Foundation
import IBMMobileFirstPlatformFoundation

let ACTION_CHALLENGE_RECEIVED = Notification.Name("ACTION_CHALLENGE_RECEIVED")
let ACTION_CHALLENGE_SUCCESS = Notification.Name("ACTION_CHALLENGE_SUCCESS")

/// The class that the page describes: it looks at what `onSuccess` and `onFailure` bring, handles another challenge, and
/// otherwise gives control back with `submitSuccess`.
class PageHandler: GatewayChallengeHandler {
  var username = "fred"
  var passwords: [String]
  var attempts = 0
  var failures: [Int] = []

  init(gatewayName: String, passwords: [String]) {
    self.passwords = passwords
    super.init(gatewayName: gatewayName)
  }

  override func canHandleResponse(_ response: WLResponse!) -> Bool {
    guard let text = response?.responseText else { return false }
    return text.contains("pkmslogin.form")
  }

  override func handleChallenge(_ response: WLResponse!) {
    guard attempts < passwords.count else {
      cancel()
      return
    }
    let password = passwords[attempts]
    attempts += 1
    submitLoginForm(
      "../../pkmslogin.form", requestParameters: ["username": username, "password": password],
      requestHeaders: ["Accept": "text/html"], requestTimeoutInMilliSeconds: -1, requestMethod: "POST")
  }

  override func onSuccess(_ response: WLResponse!) {
    // A 200 may be the form again, or say that the account is locked.
    if canHandleResponse(response) {
      handleChallenge(response)
    } else if response.responseText.contains("locked") {
      cancel()
    } else {
      submitSuccess(response)
    }
  }

  override func onFailure(_ response: WLFailResponse!) {
    failures.append(response.status)
    if canHandleResponse(response) {
      handleChallenge(response)
    } else {
      submitSuccess(response)
    }
  }
}

/// As published for an LTPA gateway. It does not look at what the form brought.
class IsamHandler: GatewayChallengeHandler {
  let myGateway = "LtpaBasedSSO"

  override init() {
    super.init(gatewayName: myGateway)
  }

  // The name of the time before the vendor's header had one for Swift.
  override func canHandle(_ response: WLResponse!) -> Bool {
    if let responseText = response.responseText {
      if responseText.contains("pkmslogin.form") == true {
        return true
      }
    }
    return false
  }

  override func handleChallenge(_ response: WLResponse!) {
    NotificationCenter.default.post(name: ACTION_CHALLENGE_RECEIVED, object: self)
  }

  override func onSuccess(_ response: WLResponse!) {
    NotificationCenter.default.post(name: ACTION_CHALLENGE_SUCCESS, object: self)
    submitSuccess(response)
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

  func logout() {
    self.submitLoginForm(
      "../../pkmslogout", requestParameters: nil, requestHeaders: nil, requestTimeoutInMilliSeconds: 0,
      requestMethod: "POST")
  }
}

/// As published for a DataPower form.
class DataPowerHandler: GatewayChallengeHandler {
  let myGateway = "myGateway"

  override init() {
    super.init(gatewayName: myGateway)
  }

  override func canHandleResponse(_ response: WLResponse!) -> Bool {
    if response != nil && response.responseText != nil {
      if response.responseText.lowercased().range(of: "j_security_check") != nil {
        return true
      }
    }
    return false
  }

  override func handleChallenge(_ response: WLResponse!) {
    NotificationCenter.default.post(name: ACTION_CHALLENGE_RECEIVED, object: self)
  }

  override func onSuccess(_ response: WLResponse!) {
    NotificationCenter.default.post(name: ACTION_CHALLENGE_SUCCESS, object: self)
    submitSuccess(response)
  }

  override func onFailure(_ response: WLFailResponse!) {
    cancel()
  }

  func login(username: String, password: String) {
    self.submitLoginForm(
      "/j_security_check", requestParameters: ["j_username": username, "j_password": password], requestHeaders: nil,
      requestTimeoutInMilliSeconds: 0, requestMethod: "POST")
  }
}

/// The app around the handlers.
class SampleApp {
  func start(_ handler: BaseChallengeHandler) {
    WLClient.sharedInstance().registerChallengeHandler(handler)
  }

  func getData(_ adapter: String, done: @escaping (String?, Error?) -> Void) {
    let request = WLResourceRequest(url: URL(string: "/adapters/\(adapter)"), method: WLHttpMethodGet)
    request?.send(completionHandler: { (response, error) in
      if error != nil {
        done(nil, error)
      } else {
        done((response?.responseText)!, nil)
      }
    })
  }

  func transfer(_ amount: String, done: @escaping (Bool) -> Void) {
    let request = WLResourceRequest(url: URL(string: "/adapters/ResourceAdapter/transfer"), method: WLHttpMethodPost)
    let formParams = ["amount": amount]
    request?.setHeaderValue("en" as NSObject?, forName: "X-Language")
    request?.send(withFormParameters: formParams) { (response, error) -> Void in
      done(error == nil && response?.responseJSON["target"] as! String == "/mfp/api/adapters/ResourceAdapter/transfer")
    }
  }
}
