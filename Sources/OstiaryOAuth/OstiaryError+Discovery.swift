public import OstiaryCore

extension OstiaryError.Code {
  /// What a server says of itself can't be used: it is no JSON object, another issuer's, or has an address that may not be one.
  public static let metadataUnusable = Self("metadata_unusable")
  /// There is no document at the addresses at which a server tells of itself.
  public static let metadataMissing = Self("metadata_missing")
  /// The keys that a server signs with can't be had now. Nothing is known of a token that they would verify.
  public static let keysUnavailable = Self("keys_unavailable")
  /// An API names only authorization servers that the app does not go to.
  public static let issuerNotAllowed = Self("issuer_not_allowed")
  /// The server does not register the client. The underlying error is an ``OAuthRefusal``.
  public static let registrationRefused = Self("registration_refused")
}

extension OstiaryError {
  /// A document that can't be used. None of these ends a session.
  /// - Parameter source: where the rule stands.
  static func unusableMetadata(
    _ message: String, _ source: String, advice: String = "Check the server's address.",
    disposition: Disposition = .transient(retryAfter: nil)
  ) -> OstiaryError {
    OstiaryError(
      .metadataUnusable, words(message, source), advice: advice, disposition: disposition,
      requestMayHaveExecuted: false)
  }

  static func missingMetadata(_ message: String, _ source: String, disposition: Disposition) -> OstiaryError {
    OstiaryError(
      .metadataMissing, words(message, source), advice: "Check the server's address.", disposition: disposition,
      requestMayHaveExecuted: false)
  }

  static func unavailableKeys(_ message: String, _ source: String, underlying: (any Error)? = nil) -> OstiaryError {
    let wait = (underlying as? OstiaryError)?.retryAfter
    return OstiaryError(
      .keysUnavailable, words(message, source), advice: "Try again later; the session is kept.",
      disposition: .transient(retryAfter: wait), requestMayHaveExecuted: false, underlying: underlying)
  }

  private static func words(_ message: String, _ source: String) -> String {
    "\(message.hasSuffix(".") ? String(message.dropLast()) : message) (\(source))."
  }
}
