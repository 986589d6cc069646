public import OstiaryCore

/// A session that has just begun, with the only copy of its id.
public struct IssuedSession: Sendable {
  /// 256 random bits, 43 characters of base64url: what the client presents from now on.
  public let id: Secret
  /// The session.
  public let session: ServerSession
}
