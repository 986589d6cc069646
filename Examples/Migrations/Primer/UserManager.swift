import Foundation
import Primer

// An app as they were written for Primer's SDK: Swift 5 mode, a delegate with completion blocks, a singleton that knows the user.
// Where such an app calls its own server there is a dictionary here.

/// The app's users. It is the delegate of the experiences, as on the vendor's page.
public class UserManager: PMRExperienceDelegate {
  /// The passwords by e-mail address: what the app's own server knows.
  private var accounts: [String: String]
  private let queue = DispatchQueue(label: "accounts")
  /// What was seen on the way, for the app's statistics.
  public private(set) var seenScreens: [String] = []
  public private(set) var closedWith: [String: Any]?

  public init(accounts: [String: String]) {
    self.accounts = accounts
  }

  // MARK: PMRExperienceDelegate

  public func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    let result = PMRValidationResult()
    if let email = fields["email"] as? String, email.hasSuffix("@example.org") {
      result.invalidateField("email", withErrorMessage: "Please use your own address.")
    }
    completion(result)
  }

  public func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    let email = fields["email"] as? String ?? ""
    let isRight = accounts[email] != nil && accounts[email] == fields["password"] as? String
    queue.async {
      guard isRight else {
        let result = PMRValidationResult()
        result.invalidateWithErrorMessage("Wrong e-mail address or password.")
        completion(result, nil)
        return
      }
      completion(nil, "id-of-\(email)")
    }
  }

  public func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    guard let email = fields["email"] as? String, let password = fields["password"] as? String else {
      let result = PMRValidationResult()
      result.invalidateWithErrorMessage("Something is missing.")
      completion(result, nil)
      return
    }
    if accounts[email] != nil {
      let result = PMRValidationResult()
      result.invalidateField("email", withErrorMessage: "There is an account with this address.")
      completion(result, nil)
      return
    }
    accounts[email] = password
    completion(nil, "id-of-\(email)")
  }

  public func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock) {
    completion(nil)
  }

  public func willClose(withFields fields: [String: Any]) {
    closedWith = fields
  }

  public func screenDidAppear(withName name: String, triggers: [String]) {
    seenScreens.append(name)
  }
}
