public import Foundation
public import OstiaryCore

/// A session the server knows. Its id is not part of it: only the client has that.
public struct ServerSession: Hashable, Sendable {
  /// Whose it is; nobody's for a guest.
  public let user: User?
  /// What doors keep with it, for example a count of attempts.
  public let attributes: [String: JSONValue]
  /// When it began.
  public let createdAt: Date
  /// When it ends at the latest.
  public let endsAt: Date
  /// Whether nobody has signed in.
  public var isGuest: Bool { user == nil }
}
