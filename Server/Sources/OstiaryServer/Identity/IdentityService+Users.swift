import Foundation
public import OstiaryCore

/// Administration: no session or request of a user can call these.
extension IdentityService {
  /// Adds a user.
  /// - Parameters:
  ///   - name: 1 to 256 characters; compared after NFKC and without regard to case.
  ///   - tenant: the tenant in which the name is unique. Neither the name nor the e-mail address may be another user's
  ///     name or address there. Without a tenant the name is unique among the users without one.
  ///   - displayName: the name to show; by default `name`.
  ///   - password: the user's password; a user without one can't sign in.
  ///   - attributes: values for the doors.
  /// - Throws: `userExists`, `invalidUserName`, `invalidTenant`, a password code, `overloaded` or a storage code.
  @discardableResult
  public func addUser(
    name: String, tenant: String? = nil, displayName: String? = nil, email: String? = nil, password: Secret? = nil,
    attributes: [String: JSONValue] = [:]
  ) async throws(ServerError) -> User {
    try await addUser(
      name: name, tenant: tenant, displayName: displayName, email: email, password: password, attributes: attributes,
      origin: .administrator)
  }

  /// As ``addUser(name:tenant:displayName:email:password:attributes:)``, with who makes the account.
  func addUser(
    name: String, tenant: String?, displayName: String? = nil, email: String?, password: Secret?,
    attributes: [String: JSONValue], origin: AccountOrigin
  ) async throws(ServerError) -> User {
    let name = try UserName.validated(name)
    let tenant = try tenant.map(TenantName.validated)
    let key = NameKey(name, tenant: tenant)
    let emailKey = email.map { NameKey($0, tenant: tenant) }
    var hash: PasswordHash?
    if let password {
      hash = try await newHash(password, refusal: AuditEvent(.accountRefused, .overloaded, name: key))
    }
    let now = clock.now
    let trail = AuditTrail(of: storage, at: now)
    do {
      return try await storage.write { [self, hash] db in
        guard try UserRow.find(key, in: db) == nil else {
          throw ServerError(.userExists, "A user of that name exists.", advice: "Choose another name.")
        }
        if tenant != nil, try UserRow.exists(anyOf: [key, emailKey], in: db) {
          throw ServerError(
            .userExists, "A user of that name or e-mail address exists.", advice: "Choose another name and address.")
        }
        let id = try UserRow.insert(
          name: name, tenant: tenant, displayName: displayName ?? name, email: email, attributes: attributes,
          hash: hash, origin: origin, now: now, in: db)
        try forgetGuesses(at: name, in: db)
        try trail.note(AuditEvent(.accountMade, user: id), in: db)
        return try Self.existing(try UserRow.find(id: id, in: db))
      }
    } catch {
      if error.code == .userExists {
        try await storage.noteRefusal(AuditEvent(.accountRefused, .alreadyTaken, name: key), trail)
      }
      throw error
    }
  }

  /// All users, by name.
  public func users() async throws(ServerError) -> [User] {
    try await storage.read { db in
      try db.all(UserStatements.sql.byName) { try UserRow(&$0).user }
    }
  }

  /// The user of that name, if there is one.
  public func user(named name: String, tenant: String? = nil) async throws(ServerError) -> User? {
    let key = NameKey(name, tenant: tenant)
    return try await storage.read { db in try UserRow.find(key, in: db)?.user }
  }

  /// The user who signs in with that text at one of the tenants; the first tenant that has one counts. The text is a
  /// name or, if no user has that name, an e-mail address that exactly one user has.
  func user(loginName: String, tenants: [String?]) async throws(ServerError) -> User? {
    try await storage.read { db in
      // All tenants are searched, also after a match.
      let found = try tenants.map { try UserRow.find(loginName: loginName, tenant: $0, in: db)?.user }
      return found.lazy.compactMap { $0 }.first
    }
  }

  /// Whether the tenant has a user.
  func hasUsers(tenant: String) async throws(ServerError) -> Bool {
    try await storage.read { db in
      try db.exists(UserStatements.sql.ofTenant, tenant)
    }
  }

  /// The user of that id, if there is one.
  public func user(id: String) async throws(ServerError) -> User? {
    try await storage.read { db in try UserRow.find(id: id, in: db)?.user }
  }

  /// Disables a user: all their sessions end with this call, and no login under way begins another.
  /// - Throws: `userNotFound` or a storage code.
  @discardableResult
  public func disableUser(named name: String, tenant: String? = nil) async throws(ServerError) -> User {
    try await change(name, tenant, .accountDisabled, ending: .userDisabled) { db, user, now in
      try db.run(UserStatements.sql.disable, now, user.id, ends: .disabled(user.nextGeneration))
    }
  }

  /// Enables a user again.
  /// - Throws: `userNotFound` or a storage code.
  @discardableResult
  public func enableUser(named name: String, tenant: String? = nil) async throws(ServerError) -> User {
    try await change(name, tenant, .accountEnabled) { db, user, now in
      try db.run(
        UserStatements.sql.enable, now, user.id, ends: .enabled(EndedUser(user.id, generation: user.generation)))
    }
  }

  /// Admits a user who made the account themselves, as if an administrator had made it.
  /// - Parameter answersForAddress: Whether the address counts as proven from now on.
  /// - Throws: `userNotFound` or a storage code.
  @discardableResult
  package func admitUser(
    named name: String, tenant: String? = nil, answersForAddress: Bool
  ) async throws(ServerError) -> User {
    try await change(name, tenant, .accountAdmitted) { db, user, now in
      try db.run(UserStatements.sql.admit, now, user.id, ends: .user(user.id))
      if answersForAddress { try db.run(UserStatements.sql.verifyEmail, now, user.id, ends: .user(user.id)) }
    }
  }

  /// Gives a user a new password: all their sessions end, and the count of wrong passwords is reset.
  /// - Throws: `userNotFound`, a password code, `overloaded` or a storage code.
  @discardableResult
  public func setPassword(
    _ password: Secret, forUserNamed name: String, tenant: String? = nil
  ) async throws(ServerError) -> User {
    let key = NameKey(name, tenant: tenant)
    let hash = try await newHash(password, refusal: AuditEvent(.passwordRefused, .overloaded, name: key))
    return try await change(name, tenant, .passwordChanged, ending: .passwordChanged, resetsCount: true) {
      db, user, now in
      try db.run(
        UserStatements.sql.setPassword, hash.phc, hash.parameters.work, now, user.id,
        ends: .newPassword(user.nextGeneration))
    }
  }

  /// Resets the counts of wrong passwords, for a name with or without a user.
  public func unlock(userNamed name: String, tenant: String? = nil) async throws(ServerError) {
    let key = NameKey(name, tenant: tenant)
    let trail = AuditTrail(of: storage, at: clock.now)
    try await storage.write { [self] db in
      let user = try UserRow.find(key, in: db)?.user
      try forgetGuesses(at: name, in: db)
      if let email = user?.email { try forgetGuesses(at: email, in: db) }
      try trail.note(
        AuditEvent(.accountUnlocked, .administrator, user: user?.id, name: user == nil ? key : nil), in: db)
    }
  }

  /// The hash of a password that the policy accepts.
  /// - Parameters:
  ///   - address: Who asks for it, where that is a stranger: one has a share of the places alone.
  ///   - refusal: What the audit trail is told where there is no place to hash it.
  func newHash(
    _ password: Secret, from address: ClientAddress? = nil, refusal: AuditEvent
  ) async throws(ServerError) -> PasswordHash {
    let password = try NormalizedPassword(password)
    try configuration.passwordPolicy.check(password)
    do {
      return try await hasher.pool.withPlace(for: PoolShare(account: nil, address: address)) {
        place async throws(ServerError) in
        try await hasher.hash(password, place)
      }
    } catch {
      if error.code == .overloaded { try await storage.noteRefusal(refusal, at: clock.now) }
      throw error
    }
  }

  private func change(
    _ name: String, _ tenant: String?, _ kind: AuditKind, ending cause: AuditCause? = nil, resetsCount: Bool = false,
    _ update: @escaping @Sendable (StorageConnection, _ user: User, _ now: Date) throws -> Void
  ) async throws(ServerError) -> User {
    let key = NameKey(name, tenant: tenant)
    let now = clock.now
    let trail = AuditTrail(of: storage, at: now)
    let user = try await storage.writeEnd { [self] db in
      let old = try Self.existing(try UserRow.findForUse(key, in: db))
      let id = old.id
      try update(db, old, now)
      try trail.note(AuditEvent(kind, .administrator, user: id), in: db)
      if let cause { try UserRow.endSessions(ofUser: id, cause, trail, in: db) }
      let user = try Self.existing(try UserRow.find(id: id, in: db))
      if resetsCount { for name in [user.name, user.email].compactMap({ $0 }) { try forgetGuesses(at: name, in: db) } }
      return user
    }
    changes.sessionsEnded(ofUser: user.id)
    return user
  }

  private static func existing(_ row: UserRow?) throws(ServerError) -> User {
    guard let row else {
      throw ServerError(.userNotFound, "There is no user of that name.", advice: "List the users to see their names.")
    }
    return row.user
  }
}
