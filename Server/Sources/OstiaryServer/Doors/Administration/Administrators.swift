internal import Crypto
package import Foundation
package import OstiaryCore

/// A program or a person that may ask the server from elsewhere, by a token.
package struct Administrator: Sendable, Hashable {
  package let name: String
  package let madeAt: Date
  /// The token counts until then.
  package let expiresAt: Date

  init(name: String, madeAt: Date, expiresAt: Date) {
    (self.name, self.madeAt, self.expiresAt) = (name, madeAt, expiresAt)
  }

  init(_ reader: inout ColumnReader) {
    (name, madeAt, expiresAt) = (reader.next(), reader.next(), reader.next())
  }
}

/// An administrator's token: 256 random bits. The subject is the server, as a token names no one.
///
/// What one network guesses makes no other wait, so that no stranger keeps an administrator out.
enum AdministratorTokenGuess: Guessable {
  static let label: StaticString = "administrator's token"

  static func rules(_ limits: LoginLimits) -> GuessRules {
    var rules = GuessRules(.standard)
    rules.calm = GuessRules.Ladder(free: 10, first: 5, longest: 300)
    rules.strict = rules.calm
    return rules
  }
}

/// Those who may ask the server from elsewhere. They are made on its own machine; of a token a keyed hash alone is kept.
package struct Administrators: Sendable {
  /// How long a token counts where nothing else is said.
  package static let standardLifetime = Duration.seconds(90 * 24 * 3600)

  private static let tokenPrefix = "ost_ad_"

  private let storage: ServerStorage
  private let clock: any SessionClock
  private let guesses: GuessService
  private var keys: PurposeKeys { storage.key.keys(for: "administration.tokens") }

  init(_ storage: ServerStorage, clock: any SessionClock) {
    self.storage = storage
    self.clock = clock
    guesses = GuessService(storage, clock: clock)
  }

  private func hash(_ token: String, _ key: SymmetricKey) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: Data(token.utf8), using: key))
  }

  // MARK: On the server's machine

  /// Makes an administrator.
  /// - Returns: the token with it, which is known to no one else and can't be shown again.
  /// - Throws: `administratorExists`, `invalidUserName` or a storage code.
  @discardableResult
  package func add(
    _ name: String, lifetime: Duration = standardLifetime
  ) async throws(ServerError) -> (administrator: Administrator, token: Secret) {
    let now = clock.now
    let made = Administrator(
      name: try UserName.validated(name), madeAt: now, expiresAt: now.addingTimeInterval(lifetime.timeInterval))
    let token = TokenHash.newText(prefix: Self.tokenPrefix)
    let trail = AuditTrail(of: storage, at: now)
    let hash = hash(token, keys.current.key)
    try await storage.write { db in
      guard try db.changed(by: AdministratorStatements.sql.insert, made.name, hash, made.madeAt, made.expiresAt) == 1
      else {
        throw ServerError(
          .administratorExists, "There is an administrator “\(made.name)” already.",
          advice: "Choose another name, or remove that one first with `ostiary admin remove`.")
      }
      try trail.note(AuditEvent(.administratorMade, client: made.name), in: db)
    }
    return (made, Secret(token))
  }

  /// All of them, by name, also those whose token counts no more.
  /// - Throws: a storage code.
  package func all() async throws(ServerError) -> [Administrator] {
    try await storage.read { db in try db.all(AdministratorStatements.sql.all) { Administrator(&$0) } }
  }

  /// Removes an administrator; a running server takes the token no more.
  /// - Throws: `administratorNotFound` or a storage code.
  package func remove(_ name: String) async throws(ServerError) {
    let trail = AuditTrail(of: storage, at: clock.now)
    try await storage.write { db in
      guard try db.changed(by: AdministratorStatements.sql.remove, name) == 1 else {
        throw ServerError(
          .administratorNotFound, "There is no administrator “\(name)”.", advice: "See `ostiary admin list`.")
      }
      try trail.note(AuditEvent(.administratorRemoved, client: name), in: db)
    }
  }

  // MARK: From elsewhere

  /// What becomes of a question.
  enum Admission: Sendable, Hashable {
    /// It is answered.
    /// - Parameter userID: the user whom it is about; nil where there is none of that name, or it is about all.
    case admitted(userID: String?)
    /// The token is missing or unknown.
    case unknown
    /// The token's time is up.
    case expired
    /// There were too many wrong ones; this one was not looked at.
    case wait(Duration)
  }

  /// Looks at a token, and tells the audit trail what has become of it.
  /// - Parameter subject: whom the question is about; nil for all users.
  /// - Throws: a storage code.
  func admit(
    _ token: Secret?, from source: GuessSource, about subject: (name: String, tenant: String?)?
  ) async throws(ServerError) -> Admission {
    guard let token = token?.reveal(), !token.isEmpty, token.utf8.count <= TokenHash.longestText else {
      try await refuse(.unknown)
      return .unknown
    }
    let now = clock.now
    let trail = AuditTrail(of: storage, at: now)
    let guess = Guess<AdministratorTokenGuess>(subject: Data(), source: source)
    let hashes = keys.all.map { hash(token, $0.key) }
    let key = subject.map { NameKey($0.name, tenant: $0.tenant) }
    let admission = try await storage.write { [guesses] db -> Admission in
      var isExpired = false
      let outcome: GuessOutcome<Administrator> = try guesses.look(at: guess, now: now, in: db) { permit in
        let found = try Self.find(hashes, in: db, permit)
        isExpired = found.map { $0.expiresAt <= now } ?? false
        return isExpired ? nil : found
      }
      switch outcome {
      case .right(let administrator):
        let userID = try key.flatMap { try UserRow.find($0, in: db)?.user.id }
        try trail.note(AuditEvent(.trailRead, user: userID, client: administrator.name), in: db)
        return .admitted(userID: userID)
      case .wrong: return isExpired ? .expired : .unknown
      case .wait(let wait): return .wait(wait)
      }
    }
    switch admission {
    case .admitted: break
    case .unknown: try await refuse(.unknown)
    case .expired: try await refuse(.expired)
    case .wait: try await refuse(.tooManyAttempts)
    }
    return admission
  }

  /// Tells the audit trail of a refusal.
  /// - Throws: a storage code.
  func refuse(_ cause: AuditCause) async throws(ServerError) {
    try await storage.noteRefusal(AuditEvent(.administratorRefused, cause), at: clock.now)
  }

  /// Whose token it is. Hashes are keyed, so that the time that a search takes tells nothing of them.
  /// - Parameter hashes: with each key of the server: a token that was made before the key was changed counts on.
  private static func find(
    _ hashes: [Data], in db: StorageConnection, _ permit: borrowing GuessPermit<AdministratorTokenGuess>
  ) throws -> Administrator? {
    for hash in hashes {
      let found = try db.first(AdministratorStatements.sql.byHash, hash) { Administrator(&$0) }
      if let found { return found }
    }
    return nil
  }
}

extension IdentityService {
  /// Those who may ask this server from elsewhere.
  package var administrators: Administrators { Administrators(storage, clock: clock) }
}

extension ServerError.Code {
  /// An administrator of that name exists.
  static let administratorExists = Self("administrator_exists")
  /// No administrator has that name.
  static let administratorNotFound = Self("administrator_not_found")
}
