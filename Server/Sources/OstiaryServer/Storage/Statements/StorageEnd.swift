import Foundation

/// What has ended or changed by a transaction, so that the caches of every process have to forget it.
struct StorageEnd: Hashable, Sendable {
  /// What the caches have to forget.
  enum Kind: String, CaseIterable, Sendable {
    case user, session, family, client
    /// A user was disabled or enabled, or has got a new password: what another primary may have lost is found out by it.
    case userDisabled = "user-disabled"
    case userEnabled = "user-enabled"
    case newPassword = "new-password"
    /// The same of a client.
    case clientDisabled = "client-disabled"
    case clientEnabled = "client-enabled"
    /// A session that goes on, and a grant of which some tokens have ended.
    case sessionData = "session-data"
    case tokens
    /// The oldest sessions of clients that have not signed in.
    case guests
    /// All there is.
    case everything
  }

  let kind: Kind
  /// The id of the user, the client or the grant, or the session's key; empty for everything. See ``EndedUser`` for users who were
  /// disabled and the like.
  let subject: String

  private init(_ kind: Kind, _ subject: String) {
    self.kind = kind
    self.subject = subject
  }

  /// A user's sessions have ended, or what is known of the user has changed.
  static func user(_ id: String) -> StorageEnd { StorageEnd(.user, id) }
  static func disabled(_ user: EndedUser) -> StorageEnd { StorageEnd(.userDisabled, user.subject) }
  static func enabled(_ user: EndedUser) -> StorageEnd { StorageEnd(.userEnabled, user.subject) }
  static func newPassword(_ user: EndedUser) -> StorageEnd { StorageEnd(.newPassword, user.subject) }
  /// A session has ended.
  static func session(_ key: Data) -> StorageEnd { StorageEnd(.session, key.base64URL) }
  /// What a session carries has changed.
  static func data(ofSession key: Data) -> StorageEnd { StorageEnd(.sessionData, key.base64URL) }
  /// A grant has ended with all its tokens.
  static func family(_ grantID: Int64) -> StorageEnd { StorageEnd(.family, "\(grantID)") }
  /// Some access tokens of a grant have ended.
  static func tokens(ofGrant id: Int64) -> StorageEnd { StorageEnd(.tokens, "\(id)") }
  /// A client has changed or is gone.
  static func client(_ id: String) -> StorageEnd { StorageEnd(.client, id) }
  static func client(_ id: String, isDisabled: Bool) -> StorageEnd {
    StorageEnd(isDisabled ? .clientDisabled : .clientEnabled, id)
  }
  /// Some sessions of clients that have not signed in.
  static let guests = StorageEnd(.guests, "")
  static let everything = StorageEnd(.everything, "")

  /// So many ends a transaction tells one by one: each costs a row and a notice. Of more it tells that everything has ended.
  static let mostTold = 16

  /// Several things one by one, or what they all belong to where they are too many. What another primary may have lost is ended again if it
  /// was told by itself.
  static func each(_ ends: [StorageEnd], orAll whole: StorageEnd) -> [StorageEnd] {
    ends.count <= mostTold ? ends : [whole]
  }
}

/// A user in an end, with the generation since the end: a database that is at an earlier one has lost it.
struct EndedUser: Hashable, Sendable {
  let id: String
  let generation: Int

  init(_ id: String, generation: Int) { (self.id, self.generation) = (id, generation) }

  var subject: String { "\(generation) \(id)" }

  init?(subject: String) {
    let parts = subject.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let generation = Int(parts[0]) else { return nil }
    self.init(String(parts[1]), generation: generation)
  }
}

/// What caches have to forget at once.
struct EndedThings: Sendable {
  private(set) var users: Set<String> = []
  private(set) var sessions: Set<Data> = []
  private(set) var families: Set<Int64> = []
  private(set) var clients: Set<String> = []
  private(set) var endsGuests = false
  /// Whether it is all there is. The others don't count then.
  private(set) var isEverything = false

  mutating func add(_ kind: StorageEnd.Kind, _ subject: String) {
    switch kind {
    case .user: users.insert(subject)
    case .userDisabled, .userEnabled, .newPassword:
      if let user = EndedUser(subject: subject) { users.insert(user.id) } else { isEverything = true }
    case .client, .clientDisabled, .clientEnabled: clients.insert(subject)
    case .session, .sessionData:
      if let key = subject.decodedBase64URL { sessions.insert(Data(key)) } else { isEverything = true }
    case .family, .tokens:
      if let id = Int64(subject) { families.insert(id) } else { isEverything = true }
    case .guests: endsGuests = true
    case .everything: isEverything = true
    }
  }
}
