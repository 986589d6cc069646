/// The values of ``WLFailResponse/errorCode``, as IBM's SDKs for other platforms name them.
public enum WLErrorCode {
  /// Something that has no code of its own.
  public static let unexpectedError = "UNEXPECTED_ERROR"
  /// The server did not answer in time.
  public static let requestTimeout = "REQUEST_TIMEOUT"
  /// The server could not be reached.
  public static let unresponsiveHost = "UNRESPONSIVE_HOST"
  /// The server, or a gateway before it, refused the request.
  public static let authorizationFailure = "AUTHORIZATION_FAILURE"
  /// A challenge handler cancelled, is gone, or did not answer in time.
  public static let challengeHandlingCanceled = "CHALLENGE_HANDLING_CANCELED"
  /// The program called something in a way that can't work: an address that is none, for example.
  public static let illegalArgument = "ILLEGAL_ARGUMENT_EXCEPTION"
  /// The server failed.
  public static let serverError = "SERVER_ERROR"
}
