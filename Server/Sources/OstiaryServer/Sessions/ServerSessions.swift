import Foundation
package import OstiaryCore

/// The sessions of the server's clients.
///
/// An id is 256 random bits; the database has its SHA-256 only. Signing in always gives a new id and ends the session
/// before it. An id that the server did not issue finds no session and is never adopted. Expired rows are removed when
/// new sessions begin.
///
/// The sessions of one service have one purpose: an id of one service, or a value derived from it, finds nothing in another
/// service. The sessions of earlier versions have no purpose. Each gets the purpose of the first service that is asked for it,
/// and no other service finds it afterwards.
package final class ServerSessions: Sendable {
  private let storage: ServerStorage
  private let limits: SessionLimits
  private let clock: any SessionClock
  private let purpose: StaticString
  private let guestsBegun = Locked(0)
  /// Shared by all services over the storage.
  private let cache: SessionCache

  /// Makes the service over `storage`.
  package convenience init(
    storage: ServerStorage, limits: SessionLimits = .standard, clock: any SessionClock = .system
  ) {
    self.init(storage: storage, limits: limits, clock: clock, purpose: "server")
  }

  /// - Parameter purpose: The purpose of the sessions, such as the name of the door that begins them.
  init(storage: ServerStorage, limits: SessionLimits, clock: any SessionClock, purpose: StaticString) {
    self.storage = storage
    cache = SessionCache.of(storage)
    self.limits = limits
    self.clock = clock
    self.purpose = purpose
  }

  /// Begins a session for a client that has not signed in.
  /// - Throws: `attributesTooLarge` or a storage code.
  package func beginGuest(attributes: [String: JSONValue] = [:]) async throws(ServerError) -> IssuedSession {
    try await begin(ServerSessionKey.make(for: purpose), user: nil, replacing: nil, attributes: attributes)
  }

  /// Begins a session for the user whose login was accepted.
  /// - Parameters:
  ///   - old: the id that the client presented; that session ends, even if it belonged to another user.
  ///   - attributes: the attributes of the new session; the old session's are not copied.
  /// - Throws: `userChanged` if the user was disabled or given a new password since, `attributesTooLarge` or a storage
  ///   code.
  package func begin(
    for user: User, replacing old: Secret? = nil, attributes: [String: JSONValue] = [:]
  ) async throws(ServerError) -> IssuedSession {
    try await begin(ServerSessionKey.make(for: purpose), user: user, replacing: old, attributes: attributes)
  }

  /// As ``begin(for:replacing:attributes:)``, under an id that a door has derived from a proof of its own: 43
  /// characters of base64url that can't be guessed. The derivation is one-way: the derived id is no proof at another
  /// door.
  func begin(
    for user: User, derivedID: Secret, attributes: [String: JSONValue]
  ) async throws(ServerError) -> ServerSession {
    guard let key = ServerSessionKey(derivedID.reveal(), for: purpose) else { throw Self.unusableID }
    return try await begin((derivedID, key), user: user, replacing: nil, attributes: attributes).session
  }

  /// As ``begin(for:derivedID:attributes:)``, in the transaction of what the session follows from: also after a crash there is
  /// one if and only if the other is there. Once that is durable, call ``hasBegun(for:)``.
  func begin(
    for user: User, derivedID: Secret, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> ServerSession {
    guard let key = ServerSessionKey(derivedID.reveal(), for: purpose) else { throw Self.unusableID }
    let now = clock.now
    let session = ServerSession(user: user, attributes: [:], createdAt: now, endsAt: end(of: user, now))
    try demand(user, in: db)
    _ = try insert(session, key, trail, in: db)
    return session
  }

  /// A session has begun in another's transaction: the user's oldest ones may have been removed.
  func hasBegun(for user: User) { cache.remove(userID: user.id) }

  private static let unusableID = ServerError(
    .sessionIDRefused, "A session can't have that id.", advice: "Derive it with SHA-256.")

  private func end(of user: User?, _ now: Date) -> Date {
    now.addingTimeInterval(limits.absolute(isGuest: user == nil).timeInterval)
  }

  /// Refuses a user who was disabled or given a new password, and keeps the user as they are until the transaction ends. Sessions are
  /// locked afterwards: see `StorageStatement.locking`.
  private func demand(_ user: User, in db: StorageConnection) throws {
    let latest = try UserRow.findForUse(id: user.id, in: db)?.user
    guard let latest, !latest.isDisabled, latest.generation == user.generation else {
      throw ServerError(
        .userChanged, "The user was disabled, or given a new password, meanwhile.", advice: "Sign in again.")
    }
  }

  /// Stores a session. Its user was locked before.
  /// - Returns: whether the user's oldest sessions had to end.
  private func insert(
    _ session: ServerSession, _ key: ServerSessionKey, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Bool {
    let (user, now) = (session.user, session.createdAt)
    let expiry = SessionRecord.expiry(seenAt: now, endsAt: session.endsAt, isGuest: user == nil, limits: limits)
    try db.run(
      SessionStatements.sql.insert, key.data, user?.id, try Self.column(session.attributes, limits: limits), now, now,
      expiry)
    if let user { try trail.note(AuditEvent(.sessionBegun, user: user.id, session: key.mark), in: db) }
    return try SessionHousekeeping.run(userID: user?.id, now: now, limits: limits, trail, in: db)
  }

  /// The session of that id, if it exists and may still be used; this counts as a use.
  /// - Throws: a storage code: the session's state is unknown then, and no user has been signed out.
  package func find(_ id: Secret) async throws(ServerError) -> ServerSession? {
    guard let key = ServerSessionKey(id.reveal(), for: purpose) else { return nil }
    let now = clock.now
    // Both are read before the database is: a change committed meanwhile counts as later.
    let stamp = storage.stamp
    if let stamp, let session = cached(key, stamp, now: now) { return session }
    let epoch = cache.epoch
    let (known, earlier) = try await storage.read { [limits] db -> (SessionRecord?, ServerSessionKey?) in
      if let record = try SessionRecord.find(key, now: now, limits: limits, in: db) { return (record, nil) }
      guard let earlier = ServerSessionKey(withoutPurpose: id.reveal()),
        let record = try SessionRecord.find(earlier, now: now, limits: limits, in: db)
      else { return (nil, nil) }
      return (record, earlier)
    }
    var found = known
    if let earlier, try await !bind(earlier, to: key) { found = nil }
    guard var record = found else {
      cache.remove(key)
      return nil
    }
    // The cache may know of a later use than the database, and so of an earlier end.
    if let known = cache.takeCount(key) {
      record.seenAt = max(record.seenAt, known.seenAt)
      record.uncounted = known.uncounted
      guard record.isAlive(at: now, limits: limits) else { return nil }
    }
    record.seenAt = max(record.seenAt, now)
    record.uncounted += 1
    if needsTouch(record, now: now) {
      record.storedSeenAt = now
      // A failed write is no reason to refuse: the session is valid, and a later use tries again.
      if (try? await touch(key, record)) != nil { record.uncounted = 0 }
    }
    cache.insert(record, for: key, readAt: epoch, stamp: stamp)
    return record.session
  }

  /// Gives a session of an earlier version the purpose of this service.
  /// - Returns: whether no other service has been asked for it before.
  private func bind(_ earlier: ServerSessionKey, to key: ServerSessionKey) async throws(ServerError) -> Bool {
    try await storage.write { db in
      try db.changed(by: SessionStatements.sql.bind, key.data, earlier.data) > 0
    }
  }

  /// Changes a session's attributes in one transaction.
  /// - Parameter change: gets the current attributes; its result is returned. It may be called twice, and only the last call
  ///   counts.
  /// - Returns: nil if there is no such session.
  /// - Throws: `attributesTooLarge` or a storage code.
  @discardableResult
  package func update<Value: Sendable>(
    _ id: Secret, _ change: @escaping @Sendable (inout [String: JSONValue]) -> Value
  ) async throws(ServerError) -> Value? {
    guard let key = ServerSessionKey(id.reveal(), for: purpose) else { return nil }
    let now = clock.now
    defer { cache.remove(key) }
    return try await storage.writeEnd { [limits] db in
      let found = try SessionRecord.find(key, isForUse: true, now: now, limits: limits, in: db)
      guard let record = found else { return nil }
      var attributes = record.session.attributes
      let value = change(&attributes)
      try db.run(
        SessionStatements.sql.setAttributes, try Self.column(attributes, limits: limits), key.data,
        ends: .data(ofSession: key.data))
      return value
    }
  }

  /// Ends a session. After this returns, no request with its id is accepted.
  /// - Returns: whether there was such a session.
  @discardableResult
  package func end(_ id: Secret) async throws(ServerError) -> Bool {
    try await end(id, .requestedByApp)
  }

  /// As ``end(_:)``, for another cause than the user's request.
  @discardableResult
  func end(_ id: Secret, _ cause: AuditCause) async throws(ServerError) -> Bool {
    guard let key = ServerSessionKey(id.reveal(), for: purpose) else { return false }
    let keys = [key] + [ServerSessionKey(withoutPurpose: id.reveal())].compactMap { $0 }
    let trail = AuditTrail(of: storage, at: clock.now)
    let count = try await storage.writeEnd { db in try Self.end(keys, cause, trail, in: db) }
    cache.remove(key)
    return count > 0
  }

  /// Ends sessions that the database has forgotten the end of.
  /// - Parameter ended: the keys of ended sessions.
  func endAgain(_ ended: [Data]) async throws(ServerError) {
    // In one order, as other servers may do it at the same time.
    let keys = ended.sorted { $0.lexicographicallyPrecedes($1) }.map { ServerSessionKey($0) }
    let trail = AuditTrail(of: storage, at: clock.now)
    _ = try await storage.writeEnd { db in try Self.end(keys, .requestedByApp, trail, in: db) }
    for key in keys { cache.remove(key) }
  }

  private static func end(
    _ keys: [ServerSessionKey], _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Int {
    let ended = try keys.flatMap { key in
      try db.all(SessionStatements.sql.end, key.data, ends: { _ in [.session(key.data)] }) { EndedSession(&$0) }
    }
    try EndedSession.note(ended, cause, trail, in: db)
    return ended.count
  }

  /// Ends all sessions of a user.
  /// - Returns: how many there were.
  @discardableResult
  package func endAll(forUserID userID: String) async throws(ServerError) -> Int {
    let trail = AuditTrail(of: storage, at: clock.now)
    let count = try await storage.writeEnd { db in
      _ = try UserRow.findForUse(id: userID, in: db)
      let ended = try db.all(
        SessionStatements.sql.endAll, userID,
        ends: { (ended: [EndedSession]) in StorageEnd.each(ended.map(\.end), orAll: .user(userID)) }
      ) { EndedSession(&$0) }
      try EndedSession.note(ended, .administrator, trail, in: db)
      return ended.count
    }
    cache.remove(userID: userID)
    return count
  }

  /// How many sessions are stored, of users and guests.
  package func count() async throws(ServerError) -> Int {
    try await storage.read { db in try db.count(SessionStatements.sql.count) }
  }

  /// The session if the database has not changed since it was read, and there is nothing to write.
  private func cached(_ key: ServerSessionKey, _ stamp: CacheStamp, now: Date) -> ServerSession? {
    let session: ServerSession? = cache.use(key) { record in
      guard record.validity == stamp.validity, record.isAlive(at: now, limits: limits), !needsTouch(record, now: now)
      else { return nil }
      record.seenAt = max(record.seenAt, now)
      record.uncounted += 1
      return record.session
    }
    return cache.uses.noted(session)
  }

  private func needsTouch(_ record: SessionRecord, now: Date) -> Bool {
    let interval = limits.touchInterval(isGuest: record.session.isGuest)
    return now.timeIntervalSince(record.storedSeenAt) >= interval.timeInterval
  }

  private func touch(_ key: ServerSessionKey, _ record: SessionRecord) async throws(ServerError) {
    let isGuest = record.session.isGuest
    let expiry = SessionRecord.expiry(
      seenAt: record.seenAt, endsAt: record.session.endsAt, isGuest: isGuest, limits: limits)
    try await storage.write { db in
      try db.run(SessionStatements.sql.touch, record.seenAt, expiry, record.uncounted, key.data)
    }
  }

  private func begin(
    _ new: (id: Secret, key: ServerSessionKey), user: User?, replacing old: Secret?, attributes: [String: JSONValue]
  ) async throws(ServerError) -> IssuedSession {
    let (id, key) = new
    let oldKey = old.flatMap { ServerSessionKey($0.reveal(), for: purpose) }
    let now = clock.now
    let isGuest = user == nil
    let session = ServerSession(user: user, attributes: attributes, createdAt: now, endsAt: end(of: user, now))
    // At the first session, for guests of an earlier run, and then at every tenth of the limit.
    let countsGuests =
      isGuest
      && guestsBegun.withLock { count in
        defer { count = (count + 1) % max(limits.mostGuests / 10, 1) }
        return count == 0
      }
    let trail = AuditTrail(of: storage, at: now)
    let oldKeys = [oldKey, old.flatMap { ServerSessionKey(withoutPurpose: $0.reveal()) }].compactMap { $0 }
    let endedSome = try await beginning(user, trail) { [self] db in
      if let user { try demand(user, in: db) }
      _ = try Self.end(oldKeys, .signedInAgain, trail, in: db)
      let endedSome = try insert(session, key, trail, in: db)
      if countsGuests { try SessionHousekeeping.removeOldestGuests(limits: limits, in: db) }
      return endedSome
    }
    if let oldKey { cache.remove(oldKey) }
    // The user's oldest sessions were removed to stay below the limit.
    if let user, endedSome { cache.remove(userID: user.id) }
    if countsGuests { cache.removeAll() }
    return IssuedSession(id: id, session: session)
  }

  /// Runs the transaction in which a session begins, and records a refusal.
  ///
  /// It is serializable, as a new password that its user sets is: that one has a snapshot from before it waits for the user's row, in
  /// which it would not find the session of a transaction that has only locked the row.
  private func beginning(
    _ user: User?, _ trail: AuditTrail, _ body: @escaping @Sendable (StorageConnection) throws -> Bool
  ) async throws(ServerError) -> Bool {
    do {
      return try await storage.write(body)
    } catch {
      if let user, error.code == .userChanged {
        let event = AuditEvent(.sessionRefused, .userChanged, user: user.id)
        try await storage.writeTogether { db in try trail.note(event, in: db) }
      }
      throw error
    }
  }

  private static func column(_ attributes: [String: JSONValue], limits: SessionLimits) throws -> String {
    let text = try AttributesColumn.encode(attributes)
    guard text.utf8.count <= limits.mostAttributeBytes else {
      throw ServerError(
        .attributesTooLarge, "A session can't carry that much.",
        advice: "Keep its attributes below \(limits.mostAttributeBytes) bytes.")
    }
    return text
  }
}
