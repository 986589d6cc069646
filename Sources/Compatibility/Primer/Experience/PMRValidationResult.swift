public import Foundation
internal import OstiaryCore
internal import OstiaryExperiences

/// What an app thinks of the fields that it was given. A new one is valid; any invalidation makes it invalid.
///
/// A field shows its own message, or else the result's, or else its default one. Once a result has been passed on, changing
/// it changes nothing any more. See the vendor's page "Authentication".
public final class PMRValidationResult: NSObject, Sendable {
  private let content = Locked(ValidationResult())

  /// Makes a valid result.
  public override init() {
    super.init()
  }

  /// Says what is wrong as a whole; useful when an error occurs but no field is invalid.
  public func invalidateWithErrorMessage(_ errorMessage: String) {
    content.withLock { $0.invalidate(message: errorMessage) }
  }

  /// Says that a field is invalid. Its default error message is shown, unless the result has one.
  public func invalidateField(_ field: String) {
    content.withLock { $0.invalidate(field: field) }
  }

  /// Says that a field is invalid, and why.
  public func invalidateField(_ field: String, withErrorMessage errorMessage: String?) {
    content.withLock { $0.invalidate(field: field, message: errorMessage) }
  }

  /// Whether nothing has been invalidated.
  public var isValid: Bool { content.withLock { $0.isValid } }

  /// What there is now.
  var snapshot: ValidationResult { content.withLock { $0 } }

  /// Stands for a method of the delegate that is not there, where that makes a difference.
  static let notImplemented = PMRValidationResult()
}

extension PMRValidationResult {
  /// As Swift calls ``invalidateWithErrorMessage(_:)`` when it reads the vendor's header.
  public func invalidate(withErrorMessage errorMessage: String) {
    invalidateWithErrorMessage(errorMessage)
  }
}

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
