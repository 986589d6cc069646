public import Foundation
public import OstiaryCore

/// Somebody who can sign in.
public struct User: Hashable, Sendable, Identifiable {
  /// Random, and the same for ever; a name can be given to somebody else, an id can't.
  public let id: String
  /// Where the name is unique: users of different tenants may have the same. Nothing for users of the server at large.
  public let tenant: String?
  /// The name they sign in with. Names are compared after NFKC and without regard to case.
  public let name: String
  /// The name to show.
  public let displayName: String
  /// The e-mail address, if one is known.
  public let email: String?
  /// What doors want to know, for example an access group.
  public let attributes: [String: JSONValue]
  /// Whether they are kept out.
  public let isDisabled: Bool
  /// Whether a password has been set.
  public let hasPassword: Bool
  /// When the user was added.
  public let createdAt: Date
  /// When anything about the user last changed.
  public let updatedAt: Date
  /// Counts what ends all of the user's sessions. A session begins only for the generation the login was checked for,
  /// so that a login under way cannot outlive the user's being disabled.
  let generation: Int
  /// Whether a mailed code or an administrator has said that ``email`` is theirs.
  package let isEmailVerified: Bool
  /// Whether they made the account themselves.
  package let isSelfMade: Bool
  /// Whether the account is an administrator's, or an administrator has let it in.
  package let isAdmitted: Bool
}
