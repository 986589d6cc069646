import Foundation
import OstiaryCore
import Primer

/// The app's delegate: passes what users enter on to the backend, as the vendor's page has it.
@MainActor
final class UserManager: PMRExperienceDelegate {
  private let backend: Backend
  private var screen = ""
  /// What names a recovery that waits for its code.
  private var recovery: String?

  init(_ backend: Backend) {
    self.backend = backend
  }

  func screenDidAppear(withName name: String, triggers: [String]) { screen = name }

  func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    // Who logs in has an address that is taken.
    guard screen == "account" else { return completion(nil) }
    ask("validate", fields) { completion($0.result) }
  }

  func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    ask("signup", fields) { completion($0.result, $0.userID) }
  }

  func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    ask("login", fields) { completion($0.result, $0.userID) }
  }

  func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock) {
    var fields = fields
    if fields["code"] != nil { fields["flow"] = recovery }
    ask("recover", fields) { answer in
      if let flow = answer.flow { self.recovery = flow }
      completion(answer.result)
    }
  }

  private func ask(_ call: String, _ fields: [String: Any], then: @escaping @MainActor (Backend.Answer) -> Void) {
    let texts = fields.compactMapValues { $0 as? String }
    Task { then(await backend.ask(call, texts)) }
  }
}
