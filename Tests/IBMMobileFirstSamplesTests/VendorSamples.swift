// Handlers as IBM's customers have them, in the language of their time (Swift 5, no concurrency). The vendor's page has no
// code: `PageHandler` is the class that its text describes. `IsamHandler` and `DataPowerHandler` are shaped like the
// samples that the community has published for an LTPA gateway (WebSEAL, ISAM) and for DataPower: the same overrides, calls
// and arguments, in our words.
//
// What today's Swift forces: nothing in the handlers. They ask nothing of a gateway but an address and a password, so that
// any can take the other's place; `SampleApp` and `LoginScreen` are the app around them.

import Foundation
import IBMMobileFirstPlatformFoundation

let ACTION_CHALLENGE_RECEIVED = Notification.Name("ACTION_CHALLENGE_RECEIVED")
let ACTION_CHALLENGE_SUCCESS = Notification.Name("ACTION_CHALLENGE_SUCCESS")

/// The class that the page describes: it looks at what `onSuccess` and `onFailure` bring, handles another challenge, and
/// otherwise gives control back with `submitSuccess`. Where the page shows a login screen, this one takes the next of its
/// passwords, and cancels when there is none left.
class PageHandler: GatewayChallengeHandler {
  private let form: String
  private let userField: String
  private let passwordField: String
  private let username: String
  private let passwords: [String]
  var attempts = 0
  var failures: [Int32] = []

  /// - Parameter form: where the form goes, relative to the server's interface; without the `../`, it is what a page has in
  ///   it that is a challenge.
  init(
    gatewayName: String, form: String = "../../pkmslogin.form", userField: String = "username",
    passwordField: String = "password", username: String = "fred", passwords: [String]
  ) {
    self.form = form
    self.userField = userField
    self.passwordField = passwordField
    self.username = username
    self.passwords = passwords
    super.init(gatewayName: gatewayName)
  }

  override func canHandleResponse(_ response: WLResponse!) -> Bool {
    guard let text = response?.responseText else { return false }
    return text.contains(form.replacingOccurrences(of: "../", with: ""))
  }

  override func handleChallenge(_ response: WLResponse!) {
    guard attempts < passwords.count else {
      cancel()
      return
    }
    var parameters = [userField: username, passwordField: passwords[attempts]]
    attempts += 1
    // What the page wants back: a token in the address of its form, and hidden fields.
    let text = response.responseText ?? ""
    for field in found("type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\"", in: text) {
      parameters[field[0]] = field[1]
    }
    let query = found("action=\"[^\"?]*([?][^\"]*)\"", in: text).first?[0] ?? ""
    submitLoginForm(
      form + query, requestParameters: parameters, requestHeaders: ["Accept": "text/html"],
      requestTimeoutInMilliSeconds: -1, requestMethod: "POST")
  }

  override func onSuccess(_ response: WLResponse!) {
    // A 200 may be the form again, or say that the account is locked.
    if canHandleResponse(response) {
      handleChallenge(response)
    } else if response.responseText?.contains("locked") == true {
      cancel()
    } else {
      submitSuccess(response)
    }
  }

  override func onFailure(_ response: WLFailResponse!) {
    // "A successful handshake can entail several 401 response iterations": this was not about the password.
    failures.append(Int32(response.status))
    attempts -= 1
    if canHandleResponse(response) {
      handleChallenge(response)
    } else {
      submitSuccess(response)
    }
  }

  private func found(_ pattern: String, in text: String) -> [[String]] {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive) else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
      (1..<match.numberOfRanges).map { index in
        Range(match.range(at: index), in: text).map { text[$0].replacingOccurrences(of: "&amp;", with: "&") } ?? ""
      }
    }
  }
}

/// The same for a gateway that tells programs in JSON where its login page is: two rounds, the page and its form.
class TypedChallengeHandler: PageHandler {
  override func canHandleResponse(_ response: WLResponse!) -> Bool {
    return loginPage(response) != nil || super.canHandleResponse(response)
  }

  override func handleChallenge(_ response: WLResponse!) {
    guard let page = loginPage(response) else {
      super.handleChallenge(response)
      return
    }
    submitLoginForm(
      page, requestParameters: nil, requestHeaders: ["Accept": "text/html"], requestTimeoutInMilliSeconds: 0,
      requestMethod: "GET")
  }

  private nonisolated func loginPage(_ response: WLResponse!) -> String? {
    guard let json = response?.responseJSON, json["challenge"] as? String == "login-form" else { return nil }
    return json["login"] as? String
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
  /// Where the form goes. DataPower takes it at any path that ends so; other servers at one.
  var form = "/j_security_check"

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
      form, requestParameters: ["j_username": username, "j_password": password], requestHeaders: nil,
      requestTimeoutInMilliSeconds: 0, requestMethod: "POST")
  }
}

/// The login screen of an app: it opens when a handler asks for it, and a person fills it in.
class LoginScreen {
  private var passwords: [String]
  private var observer: NSObjectProtocol?

  /// - Parameter login: what the button of the screen does with the next password; with the last one again when there is none.
  init(for handler: AnyObject, passwords: [String], login: @escaping (String) -> Void) {
    self.passwords = passwords
    observer = NotificationCenter.default.addObserver(
      forName: ACTION_CHALLENGE_RECEIVED, object: handler, queue: nil
    ) { [unowned self] _ in
      login(self.passwords.count > 1 ? self.passwords.removeFirst() : self.passwords[0])
    }
  }

  func close() {
    if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    observer = nil
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

  func transfer(_ amount: String, to adapter: String, done: @escaping (String?, Error?) -> Void) {
    let request = WLResourceRequest(url: URL(string: "/adapters/\(adapter)"), method: WLHttpMethodPost)
    let formParams = ["amount": amount]
    request?.setHeaderValue("en" as NSObject?, forName: "X-Language")
    request?.send(withFormParameters: formParams) { (response, error) -> Void in
      done(error == nil ? response?.responseText : nil, error)
    }
  }
}
