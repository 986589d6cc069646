public import Foundation

/// What can be shown of a stored session: who, where, and since when; nothing that signs a user in.
public struct SessionSummary: Sendable, Hashable {
  /// The kind of server.
  public let kind: AuthenticatorKind
  /// The server's base URL.
  public let server: URL
  /// Who is signed in.
  public let user: Session.User
  /// When the proof was given, by the device's clock that wrote it.
  public let issuedAt: Date
  /// When the proof stops being accepted; `nil` when only the server knows.
  public let expiresAt: Date?
  /// When the session was last used, as of its last writing; `nil` when that isn't known.
  public let lastUsedAt: Date?

  init(_ session: Session, lastUsedAt: Date?) {
    kind = session.kind
    server = session.server
    user = session.user
    issuedAt = session.issuedAt
    expiresAt = session.expiresAt
    self.lastUsedAt = lastUsedAt
  }
}
