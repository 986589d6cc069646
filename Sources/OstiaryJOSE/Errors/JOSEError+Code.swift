public import OstiarySystem

extension JOSEError {
  /// A rule's name. An open set: rules of other modules add theirs in extensions.
  public struct Code: NamedConstant {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension JOSEError.Code {
  // MARK: The form of a token

  /// The token is longer than is read.
  public static let tooLarge = Self("too_large")
  /// The token is not a signed token in the compact form: its parts, its base64url or its JSON are wrong.
  public static let malformed = Self("malformed")
  /// The header or the claims have two members of one name, at some level.
  public static let repeatedMember = Self("repeated_member")
  /// The token is encrypted (JWE), which this module doesn't read.
  public static let encrypted = Self("encrypted")
  /// The header demands an extension that is not understood (`crit`).
  public static let unknownExtension = Self("unknown_extension")
  /// The payload is not in base64url (`b64` is not `true`).
  public static let unencodedPayload = Self("unencoded_payload")

  // MARK: What the caller allows

  /// The token is not signed (`none`).
  public static let unsigned = Self("unsigned")
  /// The caller does not allow the algorithm.
  public static let algorithmNotAllowed = Self("algorithm_not_allowed")
  /// The token is of another type (`typ`) than the caller expects.
  public static let wrongType = Self("wrong_type")
  /// None of the caller's keys is the one that the header names. A newer key set may have it.
  public static let unknownKey = Self("unknown_key")
  /// The key that the header names is for another algorithm or another use.
  public static let keyNotAllowed = Self("key_not_allowed")
  /// No key of the caller's has signed it.
  public static let wrongSignature = Self("wrong_signature")

  // MARK: Claims

  /// A claim that the caller demands is missing, or is not of its type.
  public static let claimMissing = Self("claim_missing")
  /// Another issuer has made the token.
  public static let wrongIssuer = Self("wrong_issuer")
  /// The token is for another recipient.
  public static let wrongAudience = Self("wrong_audience")
  /// The token has expired.
  public static let expired = Self("expired")
  /// The token is not valid yet, or was issued in the future.
  public static let notYetValid = Self("not_yet_valid")
  /// The token was issued too long ago, or lives longer than the caller allows.
  public static let tooOld = Self("too_old")
  /// A claim has another value than the caller expects.
  public static let wrongClaim = Self("wrong_claim")

  // MARK: Proofs of possession

  /// The proof is for another request.
  public static let wrongRequest = Self("wrong_request")
  /// The proof has no nonce of the server's, or an older one.
  public static let wrongNonce = Self("wrong_nonce")
  /// The proof is for another access token.
  public static let wrongAccessToken = Self("wrong_access_token")

  // MARK: Keys

  /// The key can't be read, is too small, is not public where it has to be, or is of a kind that isn't known.
  public static let unusableKey = Self("unusable_key")
  /// The key could not sign.
  public static let cannotSign = Self("cannot_sign")
}
