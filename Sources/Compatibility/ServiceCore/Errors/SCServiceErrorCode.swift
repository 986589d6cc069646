/// The codes of errors in ``SCServiceErrorDomain``: what a delegate is told about authentication that failed.
public enum SCServiceErrorCode: Int, Sendable, CaseIterable {
  /// The session is expired or invalid.
  case userSessionExpiredOrInvalidError = 401
  /// The server refused what was asked for.
  case userRequestRefusedError = 403
  /// What was asked for is not there.
  case userResourceNotFoundError = 404
  /// Changing the authentication settings did not work: they can't be used, others took their place, or the server could
  /// not be asked about them. The error behind it says which.
  case authenticationSettingsError = 1000
}
