public import HTTPTypes

/// What a session adds to requests, prepared once so that adding it costs nanoseconds.
///
/// Whoever prepares it says *what*; where it may go is enforced when it is added: fields only to the listed origins,
/// cookies where RFC 6265bis lets them.
public struct ProofAttachment: Sendable {
  /// The origins that ``fields`` may go to.
  public let origins: [Origin]
  /// Fields to set, replacing the request's own of the same name.
  public let fields: [HTTPField]
  /// Cookies to match against each request.
  public let cookies: CookieJar

  /// Prepares an attachment.
  public init(origins: [Origin] = [], fields: [HTTPField] = [], cookies: CookieJar = CookieJar()) {
    self.origins = origins
    self.fields = fields
    self.cookies = cookies
  }

  /// A bearer token for `origin` (RFC 6750 §2.1).
  /// - Returns: `nil` when the token has characters that no header field may carry.
  public static func bearer(_ token: Secret, origin: Origin) -> ProofAttachment? {
    let value = "Bearer " + token.reveal()
    guard HTTPField.isValidValue(value) else { return nil }
    return ProofAttachment(origins: [origin], fields: [HTTPField(name: .authorization, value: value)])
  }
}
