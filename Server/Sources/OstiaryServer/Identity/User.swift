public import Foundation
public import OstiaryCore

/// A person who can sign in.
public struct User: Hashable, Sendable, Identifiable {
  /// Random, and never changed; a name can later belong to another user, an id can't.
  public let id: String
  /// The tenant in which the name is unique; users of different tenants may have the same name. Nil for users without a tenant.
  public let tenant: String?
  /// The name they sign in with. Names are compared after NFKC and without regard to case.
  public let name: String
  /// The name to show.
  public let displayName: String
  /// The e-mail address, if one is known.
  public let email: String?
  /// Values for the doors, for example an access group.
  public let attributes: [String: JSONValue]
  /// Whether an administrator has disabled the user.
  public let isDisabled: Bool
  /// Whether a password has been set.
  public let hasPassword: Bool
  /// When the user was added.
  public let createdAt: Date
  /// When the user was last changed.
  public let updatedAt: Date
  /// Counts the events that end all of the user's sessions. A session begins only for the generation that the login was
  /// checked for: a login under way can't begin a session after the user was disabled.
  let generation: Int
  /// Whether a mailed code or an administrator has confirmed that ``email`` is the user's.
  package let isEmailVerified: Bool
  /// Whether the user made the account.
  package let isSelfMade: Bool
  /// Whether an administrator has made or admitted the account.
  package let isAdmitted: Bool
}

extension User {
  /// The user after the next event that ends all of their sessions.
  var nextGeneration: EndedUser { EndedUser(id, generation: generation + 1) }
}

/// Who made an account, and whether its address is proven.
enum AccountOrigin: Sendable {
  /// An administrator, who vouches for the address.
  case administrator
  /// Its owner. The address is proven if a code that was mailed to it has been shown.
  case selfMade(isEmailVerified: Bool)

  var isSelfMade: Bool { if case .selfMade = self { true } else { false } }

  var isEmailVerified: Bool { if case .selfMade(let isVerified) = self { isVerified } else { true } }
}

/// Notifies the caches of this process that all sessions of a user have ended.
final class UserChanges: StorageCompanion {
  private let observers = Locked<[@Sendable (String) -> Void]>([])

  private init() {}

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> UserChanges { storage.shared { UserChanges() } }

  /// Calls `observer` with the id of each such user.
  func observe(_ observer: @escaping @Sendable (String) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Call this after the commit that has ended the sessions.
  func sessionsEnded(ofUser id: String) {
    for observer in observers.withLock({ $0 }) { observer(id) }
  }

  func forgetAll() {}
}
