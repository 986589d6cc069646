// The Swift samples of the vendor's page "Authenticate with the Mashup SDK on iOS" (Pega, updated on July 26, 2018).
//
// What today's Swift and Foundation force to change, and nothing else:
//
//  1. All: `import Foundation` is written out, and `FoundationNetworking` on Linux. UIKit's view controller is played by
//     a small presenter.
//  2. All: the page's placeholders (`"http://host:port/path"`, `user`, `pass`, `"key1=value1&key2=value2"`) are
//     parameters, and `// add your code here` calls a function that the test gives.
//  3. POST: `NSMutableURLRequest(URL:)` is `NSMutableURLRequest(url:)`, which takes a `URL`.
//  4. POST: `HTTPMethod` and `HTTPBody` are `httpMethod` and `httpBody`.
//  5. POST: `dataUsingEncoding(NSUTF8StringEncoding)` is `data(using: String.Encoding.utf8)`.
//  6. POST: `NSURLSession.sharedSession()` is `URLSession.shared`.
//  7. POST: `dataTaskWithRequest(_:completionHandler:)` is `dataTask(with:completionHandler:)` and takes a `URLRequest`.
//  8. POST: `presentViewController(_:animated:completion:)` is `present(_:animated:completion:)`.

import Foundation
import PMAuthentication
import PMBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app around the samples.
class SampleViewController: NSObject {
  var authenticator: PMPegaAuthenticator!
  var events: [String] = []
  var presented: PMSnapStartViewController?
  var onEnd: (() -> Void)?

  // MARK: Obtain the authentication object

  func obtain(_ address: String) {
    var url = NSURL(string: address);
    var authenticator = PMPegaAuthenticator(serverURL: url);
    self.authenticator = authenticator
  }

  // MARK: Log in

  func logIn(_ user: String, _ pass: String, code: @escaping ([String: Any]?, Error?) -> Void) {
    authenticator.logInWithUsername(user, password: pass) { (json, error) in
      code(json, error)
    }
  }

  // MARK: Log out

  func logOut(code: @escaping (Error?) -> Void) {
    authenticator.logOffWithCompletionHandler() { (error) in
      code(error)
    }
  }

  // MARK: Check login status

  func checkStatus(code: @escaping (Bool, [String: Any]?, Error?) -> Void) {
    authenticator.isLoggedInWithCompletionHandler() { (isSuccess, json, error) in
      code(isSuccess, json, error)
    }
  }

  // MARK: Authenticate with a POST request

  func post(_ address: String, _ body: String) {
    let url = NSURL(string: address)!
    let request = NSMutableURLRequest(url: url as URL)
    request.httpMethod = "POST"
    request.httpBody = body.data(using: String.Encoding.utf8)
    URLSession.shared.dataTask(with: request as URLRequest, completionHandler: { (_, _, error) in
      guard error == nil else {
        print("Error occured \(error)")
        return
      }
      let snapStart = PMSnapStartViewController()
      snapStart.webViewName = "newCase"
      snapStart.delegate = self
      let action = PMCreateCaseAction(portalURL: url, flowType: "foo", insClass: "bar")
      snapStart.performAction(action)
      self.present(snapStart, animated: true, completion: nil)
    }).resume()
  }

  // MARK: What UIKit does elsewhere

  func present(_ controller: PMSnapStartViewController, animated: Bool, completion: (() -> Void)?) {
    presented = controller
    completion?()
  }
}

extension SampleViewController: PMSnapStartViewControllerDelegate {
  func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
    events.append("start")
  }

  func snapStartController(
    _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: Error
  ) {
    events.append("fail \((error as NSError).code)")
    onEnd?()
  }

  func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction) {
    events.append("finish")
    onEnd?()
  }
}
