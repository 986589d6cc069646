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

  /// Reads an answer. Numbers are whole ones: what is none says nothing.
  init?(_ answer: JSONValue?) {
    guard let error = answer?["error"], let code = Self.number(error["code"]) else { return nil }
    self.code = code
    subcode = Self.number(error["error_subcode"])
    type = error["type"]?.string
    isTransient = error["is_transient"]?.bool ?? false
  }

  private static func number(_ value: JSONValue?) -> Int? {
    if case .integer(let number) = value { Int(exactly: number) } else { nil }
  }

  /// Whom a call showed itself as, and so whom a refusal of what was shown is about.
  enum Caller: Sendable, Hashable {
    /// By a user's token.
    case user
    /// By the app's identifier and secret.
    case app
  }

  /// What it means. Facebook's text is left out, which may quote what was sent.
  func error(_ request: HTTPRequest, to caller: Caller) -> OstiaryError {
    switch (code, caller) {
    // 102 is the older number.
    case (190, .user), (102, .user):
      let reason =
        switch subcode {
        case 463, 467: "it has expired"
        case 460: "the password has been changed"
        case 458: "the user has removed the app"
        default: "it is not valid"
        }
      return .facebookTokenRefused(
        "Facebook does not accept the user's token: \(reason).", request: request, underlying: self)
    // The app's identifier and secret, joined, are a token as well; and these are what an exchange of a code is refused with.
    case (190, .app), (102, .app), (101, _): return appRefused(request)
    // Unknown, service, too many calls of the app, the user, the page, and by a rate of their own.
    case (1, _), (2, _), (4, _), (17, _), (32, _), (341, _), (368, _), (613, _):
      return OstiaryError(
        .serverUnavailable, "Facebook can't answer now (\(code)).", request: request, underlying: self)
    default:
      return OstiaryError(
        .facebookRefused, "Facebook refused the call (\(code)).",
        advice: "Check the fields that are asked for, and the app's settings at Facebook.",
        disposition: isTransient ? .transient(retryAfter: nil) : .misuse, request: request, underlying: self)
    }
  }

  /// The app is not what it says: a mistake of the program, which no login of a user mends.
  func appRefused(_ request: HTTPRequest) -> OstiaryError {
    OstiaryError(
      .facebookRefused, "Facebook does not accept the app's identifier and secret (\(code)).",
      advice: "Check both in the app's dashboard; the user's token is not at fault.", disposition: .misuse,
      request: request, underlying: self)
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
