internal import HTTPTypes

// Keys that a session's proof is made with.
extension OstiaryError.Code {
  /// The key that the session's proof is made with can't be read or used now: what holds it is locked. The session is kept.
  public static let proofKeyUnavailable = Self("proof_key_unavailable")
  /// The key that the session's proof is made with is damaged, or belongs to another device. Only a new sign-in helps.
  public static let proofKeyLost = Self("proof_key_lost")
}

extension OstiaryError {
  /// The key can't be read or used now.
  package static func proofKeyUnavailable(_ message: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .proofKeyUnavailable, message, advice: "Unlock this device and try again; the user stays signed in.",
      disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false, underlying: underlying)
  }

  /// The key will never be readable here.
  package static func proofKeyLost(_ message: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .proofKeyLost, message, advice: "Sign in again.", disposition: .terminal, requestMayHaveExecuted: false,
      underlying: underlying)
  }

  /// The cause that this error is for a session; `nil` where it depends on who says it.
  var sessionCause: Cause? { code == .proofKeyLost ? .proofKeyLost : nil }

  /// The same error about a request that it kept from being sent.
  func keeping(_ request: HTTPRequest) -> OstiaryError {
    var error = self
    error.method = request.method
    error.host = request.authority
    error.requestMayHaveExecuted = false
    return error
  }
}
