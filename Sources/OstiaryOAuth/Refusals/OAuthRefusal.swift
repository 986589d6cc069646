internal import Foundation
internal import OstiaryCore

/// What an authorization server said when it refused something (RFC 6749 §5.2 and §4.1.2.1).
///
/// It is the underlying error of the `OstiaryError`s that it leads to. What was secret in the request has been taken out
/// of the server's words.
public struct OAuthRefusal: Error, Sendable, Hashable {
  /// The server's error code.
  public let code: Code
  /// The server's words for developers, shortened to 300 characters; `nil` when it gave none.
  public let explanation: String?
  /// A further word beside the code, of servers that have one (`suberror`).
  public var suberror: String?
  /// The status of the HTTP response; `nil` for a refusal that came with a callback.
  public let status: Int?

  /// An error code of the authorization server. An open set.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A code of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }

  /// Makes a refusal.
  public init(code: Code, explanation: String? = nil, status: Int? = nil) {
    self.init(code: code, explanation: explanation, status: status, hiding: [])
  }

  /// Makes a refusal of the server's words with the secrets taken out.
  init(code: Code, explanation: String?, status: Int?, hiding secrets: [Secret]) {
    self.code = Code(ServerWords.shown(code.rawValue, hiding: secrets, limit: 64))
    self.explanation = explanation.map { ServerWords.shown($0, hiding: secrets, limit: 300) }
    self.status = status
  }
}

extension OAuthRefusal: CustomStringConvertible {
  /// The code and the server's words.
  public var description: String { explanation.map { "\(code): \($0)" } ?? code.rawValue }
}

extension OAuthRefusal.Code {
  /// The grant (code, refresh token, password, assertion) is invalid, expired or revoked (RFC 6749 §5.2).
  public static let invalidGrant = Self("invalid_grant")
  /// The client may not use this kind of grant (RFC 6749 §5.2).
  public static let unauthorizedClient = Self("unauthorized_client")
  /// The client could not be authenticated (RFC 6749 §5.2).
  public static let invalidClient = Self("invalid_client")
  /// The request is malformed (RFC 6749 §5.2).
  public static let invalidRequest = Self("invalid_request")
  /// The server does not know this kind of grant (RFC 6749 §5.2).
  public static let unsupportedGrantType = Self("unsupported_grant_type")
  /// The scope is unknown or more than was granted (RFC 6749 §5.2).
  public static let invalidScope = Self("invalid_scope")
  /// The resource is unknown to the server (RFC 8707 §2).
  public static let invalidTarget = Self("invalid_target")
  /// The user or the server said no (RFC 6749 §4.1.2.1, RFC 8628 §3.5).
  public static let accessDenied = Self("access_denied")
  /// The same as ``accessDenied``, as some servers write it. It is on no standard list.
  public static let accessDeniedWithHyphen = Self("access-denied")
  /// The server can't answer now (RFC 6749 §4.1.2.1).
  public static let temporarilyUnavailable = Self("temporarily_unavailable")
  /// The server failed (RFC 6749 §4.1.2.1).
  public static let serverError = Self("server_error")
  /// The user has not finished yet (RFC 8628 §3.5).
  public static let authorizationPending = Self("authorization_pending")
  /// The device asks too often (RFC 8628 §3.5).
  public static let slowDown = Self("slow_down")
  /// The device code has expired (RFC 8628 §3.5).
  public static let expiredToken = Self("expired_token")
  /// The server does not revoke this kind of token (RFC 7009 §2.2.1).
  public static let unsupportedTokenType = Self("unsupported_token_type")
  /// The proof needs a nonce, or a newer one (RFC 9449 §8). It is never terminal.
  public static let useDPoPNonce = Self("use_dpop_nonce")
  /// The proof is not right (RFC 9449 §5). It is never terminal.
  public static let invalidDPoPProof = Self("invalid_dpop_proof")
  /// The token is not known, expired or revoked (RFC 6750 §3.1).
  public static let invalidToken = Self("invalid_token")
  /// The server needs the user (OpenID Connect Core §3.1.2.6).
  public static let interactionRequired = Self("interaction_required")
  /// The user has to sign in at the server (OpenID Connect Core §3.1.2.6).
  public static let loginRequired = Self("login_required")
  /// The user has to consent (OpenID Connect Core §3.1.2.6).
  public static let consentRequired = Self("consent_required")
  /// The user has to choose an account (OpenID Connect Core §3.1.2.6).
  public static let accountSelectionRequired = Self("account_selection_required")
}
