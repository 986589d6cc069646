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
  /// The server asks for a security check of MobileFirst's own, and no handler is registered for it.
  public static let missingChallengeHandler = "MISSING_CHALLENGE_HANDLER"
  /// A sign-in is under way already.
  public static let loginAlreadyInProcess = "LOGIN_ALREADY_IN_PROCESS"
  /// The call needs MobileFirst's registration service, with which this module registers no app.
  public static let applicationNotRegistered = "APPLICATION_NOT_REGISTERED"
  /// The program called something in a way that can't work: an address that is none, for example.
  public static let illegalArgument = "ILLEGAL_ARGUMENT_EXCEPTION"
  /// The server failed.
  public static let serverError = "SERVER_ERROR"

  /// Where the `userInfo` of an `NSError` of this module has one of these codes.
  public static let userInfoKey = "errorCode"
}

/// A failure in the words of the vendor's enumeration of this name.
public struct WLClientErrorCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: UInt32

  /// The code of a number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The code of a number.
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// Something that has no code of its own.
public let WLErrorCodeUnexpectedError = WLClientErrorCode(0)
/// A procedure failed at the server.
public let WLErrorCodeProcedureError = WLClientErrorCode(1)
/// An answer to a challenge could not be sent.
public let WLErrorCodeSubmitFailure = WLClientErrorCode(2)

/// The domain of the `NSError`s that this module hands over. Its value is not published.
public let WLClientErrorDomain: String = "WLClientErrorDomain"

/// A code in ``WLClientErrorDomain``: something that has no code of its own.
public let WLClientErrorInternalError = 1
/// A code in ``WLClientErrorDomain``: the server could not be reached.
public let WLClientErrorUnresponsiveHost = 2
/// A code in ``WLClientErrorDomain``: the server did not answer in time.
public let WLClientErrorRequestTimeout = 3
/// A code in ``WLClientErrorDomain``: the server answered with a status other than success.
public let WLClientErrorServerError = 4
/// A code in ``WLClientErrorDomain``: no user is signed in, because a challenge was cancelled or not answered well.
public let WLClientErrorAuthenticationFailure = 5
