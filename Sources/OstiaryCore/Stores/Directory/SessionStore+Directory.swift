public import Foundation

extension SessionStore {
  /// Who is signed in where: all that is stored, by the name of its key. What can't be read is listed as such; an entry that
  /// says how a session ended is not.
  ///
  /// It is read from the sessions themselves, so it is never out of step with them.
  /// - Throws: what ``accounts()`` throws.
  public func sessions() async throws -> [StoredSession] {
    var sessions: [StoredSession] = []
    for key in try await accounts() {
      switch await load(key) {
      // Removed since it was listed.
      case .absent: break
      case .unavailable(let error): sessions.append(StoredSession(key: key, content: .unreadable(error)))
      case .present(let data):
        do {
          let entry = try SessionCodec.decodeEntry(data)
          // A store whose list has ended entries, too.
          guard let session = entry.session else { break }
          let summary = SessionSummary(session, lastUsedAt: entry.lastUsedAt)
          sessions.append(StoredSession(key: key, content: .session(summary)))
        } catch let error as OstiaryError {
          sessions.append(StoredSession(key: key, content: .unreadable(error)))
        }
      }
    }
    return sessions
  }
}

/// One entry of a store's directory.
public struct StoredSession: Sendable, Equatable {
  /// Where it rests.
  public let key: SessionKey
  /// What it is.
  public let content: Content

  /// What a stored session turned out to be.
  public enum Content: Sendable, Equatable {
    /// A session.
    case session(SessionSummary)
    /// Something is stored that can't be read, for this reason: it is locked, sealed with another key, from a later
    /// version, or damaged.
    case unreadable(OstiaryError)
  }
}

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
