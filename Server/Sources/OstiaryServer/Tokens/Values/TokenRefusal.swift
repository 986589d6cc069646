import Foundation

/// Why no tokens were issued. A door reports it in its protocol's words.
///
/// None of these is a failure of the server: a failure is thrown, and then no token has been judged.
package enum TokenRefusal: String, Hashable, Sendable, CaseIterable {
  /// The server has not issued such a token or code, or it has been revoked, or removed long after its end.
  case unknown
  /// It was issued to another client. It stays valid.
  case otherClient = "other_client"
  /// It has expired.
  case expired
  /// It has been used before. All tokens issued for it have ended.
  case reused
  /// The user is disabled. The tokens stay, in case the user is enabled again.
  case userDisabled = "user_disabled"
  /// The user has a new password, or was disabled, since; see `endsWithPassword`.
  case userChanged = "user_changed"
  /// The client is disabled.
  case clientDisabled = "client_disabled"
  /// A scope was asked for that hasn't been granted.
  case scopeTooWide = "scope_too_wide"
  /// The redirect URI differs from that of the request for the code.
  case otherRedirectURI = "other_redirect_uri"
  /// The client's codes need a PKCE challenge (S256).
  case codeChallengeMissing = "code_challenge_missing"
  /// The code has a PKCE challenge, and the verifier is missing.
  case codeVerifierMissing = "code_verifier_missing"
  /// The PKCE verifier does not match the challenge.
  case codeVerifierWrong = "code_verifier_wrong"
  /// There is a PKCE verifier for a code without a challenge: an attacker may have removed the challenge.
  case codeVerifierUnexpected = "code_verifier_unexpected"
}

extension AuditCause {
  /// Why no tokens were issued.
  init(_ refusal: TokenRefusal) {
    switch refusal {
    case .unknown: self = .unknown
    case .otherClient: self = .otherClient
    case .expired: self = .expired
    case .reused: self = .reused
    case .userDisabled: self = .userDisabled
    case .userChanged: self = .userChanged
    case .clientDisabled: self = .clientDisabled
    case .scopeTooWide: self = .scopeTooWide
    case .otherRedirectURI: self = .otherAddress
    case .codeChallengeMissing, .codeVerifierMissing, .codeVerifierWrong, .codeVerifierUnexpected:
      self = .wrongVerifier
    }
  }
}

/// A grant whose row has been removed with all its tokens.
struct EndedGrant: Sendable {
  let id: Int64
  private let clientID: String
  private let userID: String?
  private let calls: Int

  /// The end of a statement that removes grants.
  static let columns: StaticString = "RETURNING id, client_id, user_id, calls"

  /// In the order in which the statements return it.
  init(_ reader: inout ColumnReader) {
    (id, clientID, userID, calls) = (reader.next(), reader.next(), reader.next(), reader.next())
  }

  /// What caches have to forget.
  var end: StorageEnd { .family(id) }

  /// Records the ends.
  static func note(
    _ ended: [EndedGrant], _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    for grant in ended {
      try trail.note(
        AuditEvent(
          .grantEnded, cause, user: grant.userID, client: grant.clientID, grant: grant.id, calls: grant.calls), in: db)
    }
  }
}
