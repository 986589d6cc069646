/// Handles what users enter. Everything is optional, and is called on the main actor.
///
/// What a delegate leaves out is accepted, since the vendor's page calls every method optional. **An app that leaves
/// ``logIn(withFields:completion:)`` out lets every user in.** Without a delegate, or with one that is gone, nothing is accepted.
///
/// `fields` has the value of each field by its key: text, a number, or a boolean. The SDK holds its delegate weakly. Until a
/// completion block is called, an overlay covers the screen. See the vendor's page "Authentication".
@preconcurrency @MainActor
public protocol PMRExperienceDelegate: AnyObject {
  /// A screen with fields was submitted. Left out, its fields are valid.
  /// - Parameter fields: all fields of the screen.
  func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock)

  /// A log-in flow was submitted. Left out, the user is logged in. After a success the fields that are not sensitive become
  /// user properties.
  /// - Parameter fields: all fields of the flow.
  func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock)

  /// A sign-up flow was submitted. Left out, the user is signed up. After a success the fields that are not sensitive become
  /// user properties.
  /// - Parameter fields: all fields of the flow.
  func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock)

  /// A flow for a forgotten password was submitted.
  /// - Parameter fields: all fields of the flow.
  func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock)

  /// The user has logged in with Facebook. After a success all fields become user properties.
  /// - Parameter fields: the requested Graph API fields that Facebook returned, and `profile_pic`.
  func validateFacebookUser(
    withFields fields: [String: Any], completion: @escaping PMRFacebookUserValidationBlock)

  /// A Submit Fields action was executed. Left out, it has succeeded.
  /// - Parameter completion: takes whether the success action is to be executed, if there is one.
  func handleFields(_ fields: [String: Any], completion: @escaping PMRSuccessBlock)

  /// A trigger was set off. Left out, it has succeeded.
  /// - Parameter completion: takes whether the success action is to be executed, or the failure action, if there is one.
  func handleTrigger(_ trigger: String, completion: @escaping PMRSuccessBlock)

  /// The experience is about to be closed, for another reason than a successful log-in or sign-up.
  /// - Parameter fields: everything that was entered up to now.
  func willClose(withFields fields: [String: Any])

  /// A screen has appeared.
  /// - Parameters:
  ///   - name: the screen's name.
  ///   - triggers: the triggers that it has.
  func screenDidAppear(withName name: String, triggers: [String])

  /// The vendor's older form of ``validateFields(_:completion:)``, called where that one is missing.
  /// - Parameter fields: those fields of the screen of which no two users may have the same.
  func validateUniqueFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock)

  /// The vendor's older form of ``validateFacebookUser(withFields:completion:)``, called where that one is missing. The user
  /// counts as one who has logged in.
  func authenticateFacebook(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock)
}

// Every method may be left out, as in Objective-C.
extension PMRExperienceDelegate {
  public func validateFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    completion(.notImplemented)
  }
  public func logIn(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    completion(nil, nil)
  }
  public func signUp(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    completion(nil, nil)
  }
  public func recoverPassword(withFields fields: [String: Any], completion: @escaping PMRValidationBlock) {
    completion(nil)
  }
  public func validateFacebookUser(
    withFields fields: [String: Any], completion: @escaping PMRFacebookUserValidationBlock
  ) {
    completion(.notImplemented, nil, false)
  }
  public func handleFields(_ fields: [String: Any], completion: @escaping PMRSuccessBlock) { completion(true) }
  public func handleTrigger(_ trigger: String, completion: @escaping PMRSuccessBlock) { completion(true) }
  public func willClose(withFields fields: [String: Any]) {}
  public func screenDidAppear(withName name: String, triggers: [String]) {}
  public func validateUniqueFields(_ fields: [String: Any], completion: @escaping PMRValidationBlock) {
    completion(nil)
  }
  public func authenticateFacebook(withFields fields: [String: Any], completion: @escaping PMRUserValidationBlock) {
    completion(nil, nil)
  }
}
