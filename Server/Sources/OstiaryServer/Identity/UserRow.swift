import Foundation
internal import OstiaryCore

/// A user as the database has it, with the hash, which never leaves this module.
struct UserRow: Sendable {
  let user: User
  /// The stored hash; nil if there is none, or if it can't be read.
  var password: PasswordHash? { phc.flatMap(PasswordHash.init(phc:)) }
  /// The stored text of the hash, for comparing before it is replaced.
  let phc: String?

  /// In the order in which `init(_:)` reads them.
  static let columns: StaticString = """
    users.id AS user_id, users.tenant, users.name, users.display_name, users.email, users.attributes AS user_attributes,
    users.password, users.disabled, users.generation, users.created_at AS user_created_at, users.updated_at,
    users.email_verified, users.self_made, users.admitted
    """

  /// Reads these columns.
  init(_ reader: inout ColumnReader) throws {
    let (id, tenant, name): (String, String?, String) = (reader.next(), reader.next(), reader.next())
    let (displayName, email, attributes): (String, String?, String) = (reader.next(), reader.next(), reader.next())
    phc = reader.next()
    let (isDisabled, generation): (Bool, Int) = (reader.next(), reader.next())
    let (createdAt, updatedAt): (Double, Double) = (reader.next(), reader.next())
    let (isEmailVerified, isSelfMade, isAdmitted): (Bool, Bool, Bool) = (reader.next(), reader.next(), reader.next())
    user = User(
      id: id, tenant: tenant, name: name, displayName: displayName, email: email,
      attributes: try AttributesColumn.decode(attributes), isDisabled: isDisabled, hasPassword: phc != nil,
      createdAt: Date(timeIntervalSince1970: createdAt), updatedAt: Date(timeIntervalSince1970: updatedAt),
      generation: generation, isEmailVerified: isEmailVerified && email != nil, isSelfMade: isSelfMade,
      isAdmitted: isAdmitted || !isSelfMade)
  }

  static func find(_ key: NameKey, in db: StorageConnection) throws -> UserRow? {
    try db.first(UserStatements.sql.byKey, key.data) { try UserRow(&$0) }
  }

  /// The user of a tenant who signs in with that text: the user of that name or, if there is none, the one user with
  /// that e-mail address. Known and unknown names execute the same statements: a statement left out would show in the
  /// time.
  static func find(loginName: String, tenant: String?, in db: StorageConnection) throws -> UserRow? {
    let key = NameKey(loginName, tenant: tenant)
    let named = try find(key, in: db)
    let rows = try db.all(UserStatements.sql.byAddress, key.data) { try UserRow(&$0) }
    return named ?? (rows.count == 1 ? rows[0] : nil)
  }

  /// The user without a tenant who signs in with an e-mail address; see ``find(loginName:tenant:in:)``.
  static func owner(ofAddress address: String, in db: StorageConnection) throws -> UserRow? {
    try find(loginName: address, tenant: nil, in: db)
  }

  static func find(id: String, in db: StorageConnection) throws -> UserRow? {
    try db.first(UserStatements.sql.byID, id) { try UserRow(&$0) }
  }

  /// The user, for a transaction that changes them, or begins something that the end of all their sessions has to find.
  static func findForUse(id: String, in db: StorageConnection) throws -> UserRow? {
    try db.first(UserStatements.sql.byIDForUse, id) { try UserRow(&$0) }
  }

  static func findForUse(_ key: NameKey, in db: StorageConnection) throws -> UserRow? {
    try db.first(UserStatements.sql.byKeyForUse, key.data) { try UserRow(&$0) }
  }
}

extension UserRow {
  /// Whether one of the keys is a user's name or e-mail address.
  static func exists(anyOf keys: [NameKey?], in db: StorageConnection) throws -> Bool {
    for key in keys.compactMap({ $0 }) {
      if try db.exists(UserStatements.sql.withKey, key.data) { return true }
    }
    return false
  }

  /// The work of the most expensive hash in the database.
  static func mostWork(in db: StorageConnection) throws -> Int {
    try db.value(UserStatements.sql.mostWork) ?? 0
  }

  /// Adds a user. The same transaction has checked that the name and the address are free.
  /// - Parameter name: Validated, or a `MailAddress`.
  /// - Returns: the user's id.
  static func insert(
    name: String, tenant: String?, displayName: String, email: String?, attributes: [String: JSONValue],
    hash: PasswordHash?, origin: AccountOrigin, now: Date, in db: StorageConnection
  ) throws -> String {
    let id = RandomBytes.make(16).base64URL
    try db.run(
      UserStatements.sql.insert, id, tenant, NameKey(name, tenant: tenant).data,
      email.map { NameKey($0, tenant: tenant).data }, name, displayName, email,
      try AttributesColumn.encode(attributes), hash?.phc, hash?.parameters.work ?? 0, now, now,
      email != nil && origin.isEmailVerified, origin.isSelfMade)
    return id
  }

  /// Ends all sessions of a user.
  static func endSessions(
    ofUser id: String, _ cause: AuditCause, _ trail: AuditTrail, in db: StorageConnection
  ) throws {
    let ended = try db.all(UserStatements.sql.endSessions, id, ends: { _ in [.user(id)] }) { reader -> (Data, Int) in
      (reader.next(), reader.next())
    }
    for (hash, calls) in ended {
      let mark = AuditEvent.mark(ofSession: hash)
      try trail.note(AuditEvent(.sessionEnded, cause, user: id, session: mark, calls: calls), in: db)
    }
  }

  /// Replaces the hash `old` by `new`, if it is still stored: of two logins that renew it at once one does.
  static func replace(_ old: String, with new: PasswordHash, of id: String, now: Date, in db: StorageConnection) throws
  {
    try db.run(UserStatements.sql.replaceHash, new.phc, new.parameters.work, now, id, old, ends: .user(id))
  }
}
