/// What an app answers to a log-in or sign-up.
public struct UserValidation: Sendable, Hashable {
  /// What it thinks of the fields.
  public var result: ValidationResult
  /// Who the user is, if it knows. Counts only with a valid result.
  public var userID: String?

  /// Makes an answer.
  public init(_ result: ValidationResult = .valid, userID: String? = nil) {
    self.result = result
    self.userID = userID
  }

  /// The user is logged in.
  public static func accepted(_ userID: String? = nil) -> UserValidation { UserValidation(userID: userID) }
  /// The user is not logged in.
  public static func refused(_ result: ValidationResult) -> UserValidation { UserValidation(result) }
}
