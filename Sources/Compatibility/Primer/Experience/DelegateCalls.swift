internal import OstiaryExperiences

/// The delegate's methods as they are called. A method that the app leaves out is the protocol's default one.
@MainActor
struct DelegateCalls {
  let delegate: any PMRExperienceDelegate

  func validate(_ fields: [String: Any], _ done: @escaping PMRValidationBlock) {
    delegate.validateFields(fields, completion: done)
  }
  func validateUnique(_ fields: [String: Any], _ done: @escaping PMRValidationBlock) {
    delegate.validateUniqueFields(fields, completion: done)
  }
  func logIn(_ fields: [String: Any], _ done: @escaping PMRUserValidationBlock) {
    delegate.logIn(withFields: fields, completion: done)
  }
  func signUp(_ fields: [String: Any], _ done: @escaping PMRUserValidationBlock) {
    delegate.signUp(withFields: fields, completion: done)
  }
  func recoverPassword(_ fields: [String: Any], _ done: @escaping PMRValidationBlock) {
    delegate.recoverPassword(withFields: fields, completion: done)
  }
  func validateFacebookUser(_ fields: [String: Any], _ done: @escaping PMRFacebookUserValidationBlock) {
    delegate.validateFacebookUser(withFields: fields, completion: done)
  }
  func authenticateFacebook(_ fields: [String: Any], _ done: @escaping PMRUserValidationBlock) {
    delegate.authenticateFacebook(withFields: fields, completion: done)
  }
  func handle(_ fields: [String: Any], _ done: @escaping PMRSuccessBlock) {
    delegate.handleFields(fields, completion: done)
  }
  func handleTrigger(_ trigger: String, _ done: @escaping PMRSuccessBlock) {
    delegate.handleTrigger(trigger, completion: done)
  }
  func willClose(_ fields: [String: Any]) { delegate.willClose(withFields: fields) }
  func screenDidAppear(_ name: String, _ triggers: [String]) {
    delegate.screenDidAppear(withName: name, triggers: triggers)
  }
}
