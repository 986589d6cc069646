public import OstiaryCore

extension OstiaryError.Code {
  /// The server does not accept a proof that this client holds its key, or wants newer proof again and again (RFC 9449 §5 and §7.1). It says
  /// nothing about a session.
  public static let proofRefused = Self("proof_refused")
  /// The server gave tokens that are bound to no key, though it was shown one. See ``DPoP/insecurelyAcceptsBearerTokens``.
  public static let tokenNotBound = Self("token_not_bound")
}

extension OstiaryError {
  /// - Parameter reason: the server's code for it.
  static func proofRefused(_ reason: String, underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .proofRefused, "The server does not accept this client's proof that it holds its key (\(reason)).",
      advice: "Check this device's clock, and try again; the session is kept.",
      disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false, underlying: underlying)
  }

  /// Another source may read the key: in another process, or in another version of the program.
  static var proofKeyOfAnotherSource: OstiaryError {
    OstiaryError(
      .proofKeyUnavailable, "The key that the session's tokens are bound to is of another kind than is read here.",
      advice: "Set the client's `dpop` to the source that the sign-in was made with; the user stays signed in.",
      disposition: .misuse, requestMayHaveExecuted: false)
  }

  /// What a sign-in brought is not taken.
  static func tokensNotBound(_ tokens: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .tokenNotBound, "The server gave tokens that are not bound to this client's key.",
      advice: "Have the server bind the tokens of this client to its key (RFC 9449).", disposition: .misuse,
      underlying: tokens)
  }

  /// What a renewal brought is kept and not sent.
  static var tokenNotBound: OstiaryError {
    OstiaryError(
      .tokenNotBound, "The session's token is not bound to its key any more, and is not sent.",
      advice: "Have the server bind the tokens of this client to its key (RFC 9449); the session is kept.",
      disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false)
  }
}
