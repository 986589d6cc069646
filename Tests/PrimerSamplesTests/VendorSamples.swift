// The Swift samples of the vendor's page "Authentication" (Primer iOS SDK 3.6).
//
// What had to be changed, and nothing else:
//
//  1. All: `import Foundation` and the import of the SDK are written out.
//  2. The delegate: the page ends its first line with `...`; there stands what the test gives. Its methods have no bodies on
//     the page; here each passes on to the backend. `:::at:::escaping`, which the page's own machinery left in
//     `validateFields`, is `@escaping`.
//  3. The result: what the page puts side by side with `// or` is chosen by a `switch`.

import Foundation
import Primer

// MARK: Delegate Protocol

func setDelegate(_ manager: PMRExperienceDelegate) {
  let userManager: PMRExperienceDelegate = manager
  Primer.setExperienceDelegate(userManager)
}

// MARK: Authentication Methods

class UserManager: PMRExperienceDelegate {
  let backend: Backend

  init(_ backend: Backend) {
    self.backend = backend
  }

  func validateFields(_ fields: [String : Any], completion: @escaping PMRValidationBlock) {
    backend.check("validateFields", fields) { completion($0) }
  }

  func logIn(withFields fields: [String : Any], completion: @escaping PMRUserValidationBlock) {
    backend.check("logIn", fields) { completion($0, "user-1") }
  }

  func signUp(withFields fields: [String : Any], completion: @escaping PMRUserValidationBlock) {
    backend.check("signUp", fields) { completion($0, "user-2") }
  }

  func recoverPassword(withFields fields: [String : Any], completion: @escaping PMRValidationBlock) {
    backend.check("recoverPassword", fields) { completion($0) }
  }

  func willClose(withFields fields: [String : Any]) {
    backend.note("willClose", fields)
  }

  func handleFields(_ fields: [String : Any], completion: @escaping PMRSuccessBlock) {
    backend.check("handleFields", fields) { completion($0?.isValid ?? true) }
  }

  func validateFacebookUser(withFields fields: [String : Any], completion: @escaping PMRFacebookUserValidationBlock) {
    backend.check("validateFacebookUser", fields) { completion($0, "user-3", true) }
  }
}

// MARK: Validation Result

func makeResult(_ way: Int) -> PMRValidationResult {
  let result = PMRValidationResult()

  switch way {
  case 0:
    result.invalidateWithErrorMessage("Error message.")

  // or

  case 1:
    result.invalidateField("key")

  // or

  default:
    result.invalidateField("key", withErrorMessage: "Error message.")
  }
  return result
}
