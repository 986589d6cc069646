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

/// Who made an account, and what is known of its address.
enum AccountOrigin: Sendable {
  /// An administrator, who answers for the address.
  case administrator
  /// Its owner. The address is proven where a code that was mailed there has been shown.
  case selfMade(isEmailVerified: Bool)

  var isSelfMade: Bool { if case .selfMade = self { true } else { false } }

  var isEmailVerified: Bool { if case .selfMade(let isVerified) = self { isVerified } else { true } }
}

/// Tells those who remember something of users, in this process, that all sessions of one have ended.
final class UserChanges: StorageCompanion {
  private let observers = Locked<[@Sendable (String) -> Void]>([])

  private init() {}

  /// The one of a storage.
  static func of(_ storage: ServerStorage) -> UserChanges { storage.shared { UserChanges() } }

  /// Calls `observer` with the id of each such user.
  func observe(_ observer: @escaping @Sendable (String) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// For after the commit that has ended the sessions.
  func sessionsEnded(ofUser id: String) {
    for observer in observers.withLock({ $0 }) { observer(id) }
  }

  func forgetAll() {}
}
