import HTTPTypes
import OstiaryCore

/// A failed request to the OAuth endpoints, as its client sees it.
struct SalesforceOAuthFailure: Error {
  let error: String
  let description: String
  var status = HTTPResponse.Status.badRequest
  var retryAfter: Duration?

  init(_ error: String, _ description: String) {
    self.error = error
    self.description = description
  }

  static let unknownClient = SalesforceOAuthFailure("invalid_client_id", "client identifier invalid")
  static let clientRefused = SalesforceOAuthFailure("invalid_client", "invalid client credentials")
  static let clientBlocked = SalesforceOAuthFailure("invalid_client", "app blocked by admin")
  static let unsupportedGrant = SalesforceOAuthFailure("unsupported_grant_type", "grant type not supported")
  static let unsupportedResponse = SalesforceOAuthFailure(
    "unsupported_response_type", "response type not supported")
  static let redirectMismatch = SalesforceOAuthFailure(
    "redirect_uri_mismatch", "redirect_uri must match configuration")
  static let invalidScope = SalesforceOAuthFailure("invalid_scope", "the requested scope is not allowed")
  static let expiredToken = SalesforceOAuthFailure("invalid_grant", "expired access/refresh token")
  static let expiredCode = SalesforceOAuthFailure("invalid_grant", "expired authorization code")
  static let invalidCode = SalesforceOAuthFailure("invalid_grant", "invalid authorization code")
  static let authenticationFailure = SalesforceOAuthFailure("invalid_grant", "authentication failure")
  static let inactiveUser = SalesforceOAuthFailure("inactive_user", "user is inactive")
  static let notApproved = SalesforceOAuthFailure("invalid_grant", "user hasn't approved this consumer")
  static let denied = SalesforceOAuthFailure("access_denied", "end-user denied authorization")
  static let alreadyProcessed = SalesforceOAuthFailure(
    "invalid_grant", "Failed: Token request is already being processed.")
  static let mustPost = SalesforceOAuthFailure("invalid_request", "must use HTTP POST")
  static let invalidToken = SalesforceOAuthFailure("invalid_token", "invalid token")

  static func missing(_ name: String) -> SalesforceOAuthFailure {
    SalesforceOAuthFailure("invalid_request", "missing required parameter: \(name)")
  }

  /// Too many wrong passwords: the client has to wait.
  static func wait(_ delay: Duration) -> SalesforceOAuthFailure {
    var failure = SalesforceOAuthFailure("rate_limit_exceeded", "login rate exceeded")
    failure.status = .tooManyRequests
    failure.retryAfter = delay
    return failure
  }

  /// No credential has been judged.
  static func unavailable(_ delay: Duration) -> SalesforceOAuthFailure {
    var failure = SalesforceOAuthFailure("unknown_error", "retry your request")
    failure.status = .serviceUnavailable
    failure.retryAfter = delay
    return failure
  }

  /// The failure for a token core's refusal of a refresh token.
  init(refresh refusal: TokenRefusal) {
    switch refusal {
    case .userDisabled: self = .inactiveUser
    case .clientDisabled: self = .clientBlocked
    case .scopeTooWide: self = .invalidScope
    default: self = .expiredToken
    }
  }

  /// The failure for a token core's refusal of an authorization code.
  init(code refusal: TokenRefusal) {
    switch refusal {
    case .userDisabled: self = .inactiveUser
    case .clientDisabled: self = .clientBlocked
    case .otherRedirectURI: self = .redirectMismatch
    case .codeVerifierMissing: self = SalesforceOAuthFailure("invalid_grant", "missing code verifier")
    case .codeVerifierWrong, .codeVerifierUnexpected:
      self = SalesforceOAuthFailure("invalid_request", "invalid code verifier")
    case .codeChallengeMissing: self = SalesforceOAuthFailure("invalid_request", "missing required code challenge")
    case .expired, .reused: self = .expiredCode
    default: self = .invalidCode
    }
  }

  /// The failure's members.
  var members: [(String, JSONValue)] {
    [("error", .string(error)), ("error_description", .string(description))]
  }

  /// The failure as an answer.
  func response(_ format: SalesforceOAuthFormat) throws -> DoorResponse {
    let response = try format.response(members, status: status)
    return retryAfter.map { response.retrying(after: $0) } ?? response
  }
}
