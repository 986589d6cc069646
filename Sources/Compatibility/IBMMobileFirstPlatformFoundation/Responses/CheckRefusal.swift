/// Why a response is a failure, where MobileFirst's own security says so in it.
struct CheckRefusal: Sendable {
  /// One of ``WLErrorCode``.
  let code: String
  /// What happened, for the developer.
  let message: String
  /// Whether the server asks for an access token. A gateway has let the request pass then.
  var demandsToken = false
}
