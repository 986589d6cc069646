/// Takes the outcome of a validation: a result, or `nil`, which is valid.
///
/// A block has to be called, from any thread; only the first call counts. One that is dropped without a call ends the wait,
/// and the user stays on the screen. See the vendor's page "Authentication".
public typealias PMRValidationBlock = @Sendable (_ result: PMRValidationResult?) -> Void

/// Takes the outcome of a validation and, when it is valid and a user is logged in, the user's identifier.
public typealias PMRUserValidationBlock = @Sendable (_ result: PMRValidationResult?, _ userID: String?) -> Void

/// Takes the outcome of a validation, the user's identifier, and whether the user has just signed up.
public typealias PMRFacebookUserValidationBlock =
  @Sendable (_ result: PMRValidationResult?, _ userID: String?, _ isSignup: Bool) -> Void

/// Takes whether something succeeded.
public typealias PMRSuccessBlock = @Sendable (_ success: Bool) -> Void
