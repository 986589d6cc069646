import Foundation

/// What has ended or changed by a transaction, so that the caches of every process have to forget it.
struct StorageEnd: Hashable, Sendable {
  /// What the caches have to forget.
  enum Kind: String, CaseIterable, Sendable {
    case user, session, family, client
    /// A session that goes on, and a grant of which some tokens have ended.
    case sessionData = "session-data"
    case tokens
    /// The oldest sessions of clients that have not signed in.
    case guests
    /// All there is.
    case everything
  }

  let kind: Kind
  /// The id of the user, the client or the grant, or the session's key; empty for everything.
  let subject: String

  private init(_ kind: Kind, _ subject: String) {
    self.kind = kind
    self.subject = subject
  }

  /// A user's sessions have ended, or what is known of the user has changed.
  static func user(_ id: String) -> StorageEnd { StorageEnd(.user, id) }
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
  /// Some sessions of clients that have not signed in.
  static let guests = StorageEnd(.guests, "")
  static let everything = StorageEnd(.everything, "")
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
    case .client: clients.insert(subject)
    case .session, .sessionData:
      if let key = subject.decodedBase64URL { sessions.insert(Data(key)) } else { isEverything = true }
    case .family, .tokens:
      if let id = Int64(subject) { families.insert(id) } else { isEverything = true }
    case .guests: endsGuests = true
    case .everything: isEverything = true
    }
  }
}
