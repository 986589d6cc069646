public import Foundation
public import OstiaryCore
internal import OstiaryJOSE

/// An issuer's verified word that a user has logged out there (OpenID Connect Back-Channel Logout 1.0 §2.4).
///
/// It is about one session at the server where ``sessionID`` is there, and about all of ``subject`` otherwise.
public struct LogoutToken: Sendable, Hashable {
  /// Who says so.
  public let issuer: String
  /// Whose sessions have ended; `nil` where ``sessionID`` alone says which.
  public let subject: String?
  /// Which session at the server has ended (`sid`); `nil` for all of the user's.
  public let sessionID: String?
  /// The token's own name (`jti`).
  public let id: String
  /// When the token ends, by the server's clock.
  public let expiresAt: Date

  init(_ token: VerifiedToken) throws(JOSEError) {
    issuer = try token.text("iss")
    subject = token["sub"]?.string
    sessionID = token["sid"]?.string
    id = try token.text("jti")
    expiresAt = Date(timeIntervalSince1970: try token.time("exp") ?? 0)
  }

  /// What is remembered of it once it was used.
  var useName: String { issuer + "\n" + id }

  /// Whether it ends a session: its ID token, which was verified, is of the same issuer, user and session (§2.6 (8) to (10)).
  public func ends(_ session: Session) -> Bool {
    guard let token = IDToken(of: session) else { return false }
    return ends(issuer: token.issuer, subject: token.subject, sessionID: token.sessionID)
  }

  /// Whether it ends a session that an app keeps in a form of its own.
  /// - Parameters:
  ///   - issuer: of the session's ID token, as the others.
  ///   - sessionID: `sid`, where the ID token had one.
  public func ends(issuer: String, subject: String, sessionID: String?) -> Bool {
    guard issuer.hasSameBytes(as: self.issuer) else { return false }
    if let own = self.subject, !own.hasSameBytes(as: subject) { return false }
    guard let own = self.sessionID else { return self.subject != nil }
    return sessionID?.hasSameBytes(as: own) == true
  }
}

extension LogoutToken: Redacted {
  /// Whose sessions end, by whose word.
  public var description: String { "LogoutToken(\(subject ?? "one session") by \(issuer))" }
}

extension OstiaryError.Code {
  /// A request to log out did not come from the issuer, or was not to be believed. A server answers it with the status 400. The underlying
  /// error is a ``/OstiaryJOSE/JOSEError`` where a rule for its token refused it.
  public static let logoutRefused = Self("logout_refused")
}
