internal import HTTPTypes
public import OstiaryCore

/// Why the Graph API did not do something: the `error` of its answer (Graph API, "Handling errors").
public struct GraphRefusal: Error, Sendable, Hashable {
  /// The error's number, such as 190 for a token that is not valid.
  public let code: Int
  /// More precisely, such as 463 for a token that has expired and 460 for a changed password.
  public let subcode: Int?
  /// The error's type, such as `OAuthException`.
  public let type: String?
  /// Whether trying again may help, in Facebook's words.
  public let isTransient: Bool

  init?(_ answer: JSONValue?) {
    guard let error = answer?["error"], let code = error["code"]?.double, code.magnitude < 1e9 else { return nil }
    self.code = Int(code)
    subcode = error["error_subcode"]?.double.flatMap { $0.magnitude < 1e9 ? Int($0) : nil }
    type = error["type"]?.string
    isTransient = error["is_transient"]?.bool ?? false
  }

  /// What it means. Facebook's text is left out, which may quote what was sent.
  func error(_ request: HTTPRequest) -> OstiaryError {
    switch code {
    // 102 is the older number.
    case 190, 102:
      let reason =
        switch subcode {
        case 463, 467: "it has expired"
        case 460: "the password has been changed"
        case 458: "the user has removed the app"
        default: "it is not valid"
        }
      return .facebookTokenRefused(
        "Facebook does not accept the user's token: \(reason).", request: request, underlying: self)
    // Unknown, service, too many calls of the app, the user, the page, and by a rate of their own.
    case 1, 2, 4, 17, 32, 341, 368, 613:
      return OstiaryError(
        .serverUnavailable, "Facebook can't answer now (\(code)).", request: request, underlying: self)
    default:
      return OstiaryError(
        .facebookRefused, "Facebook refused the call (\(code)).",
        advice: "Check the fields that are asked for, and the app's settings at Facebook.",
        disposition: isTransient ? .transient(retryAfter: nil) : .misuse, request: request, underlying: self)
    }
  }
}

extension OstiaryError.Code {
  /// Facebook does not accept the user's token, or it is another app's or another user's.
  public static let facebookTokenRefused = Self("facebook_token_refused")
  /// Facebook understood a call and did not carry it out. The underlying error is a ``GraphRefusal``.
  public static let facebookRefused = Self("facebook_refused")
}

extension OstiaryError {
  static func facebookTokenRefused(
    _ message: String, request: HTTPRequest? = nil, underlying: (any Error)? = nil
  ) -> OstiaryError {
    OstiaryError(
      .facebookTokenRefused, message, advice: "Log in with Facebook again.", disposition: .terminal, request: request,
      underlying: underlying)
  }
}
