import Foundation
internal import GRDB
internal import OstiaryCore

/// A user as the database has it, with what never leaves this module.
struct UserRow: Sendable {
  let user: User
  /// The stored hash; nothing if there is none, or none that can be read.
  var password: PasswordHash? { phc.flatMap(PasswordHash.init(phc:)) }
  /// The stored text of the hash, for comparing before replacing.
  let phc: String?

  /// In the order in which they are read.
  static let columns = """
    users.id AS user_id, users.tenant, users.name, users.display_name, users.email, users.attributes AS user_attributes,
    users.password, users.disabled, users.generation, users.created_at AS user_created_at, users.updated_at
    """

  /// Reads a row that begins with these columns.
  init(_ row: Row) throws {
    var reader = ColumnReader(row)
    try self.init(&reader)
  }

  init(_ reader: inout ColumnReader) throws {
    let (id, tenant, name): (String, String?, String) = (reader.next(), reader.next(), reader.next())
    let (displayName, email, attributes): (String, String?, String) = (reader.next(), reader.next(), reader.next())
    phc = reader.next()
    let (isDisabled, generation): (Bool, Int) = (reader.next(), reader.next())
    let (createdAt, updatedAt): (Double, Double) = (reader.next(), reader.next())
    user = User(
      id: id, tenant: tenant, name: name, displayName: displayName, email: email,
      attributes: try AttributesColumn.decode(attributes), isDisabled: isDisabled, hasPassword: phc != nil,
      createdAt: Date(timeIntervalSince1970: createdAt), updatedAt: Date(timeIntervalSince1970: updatedAt),
      generation: generation)
  }

  static func find(_ key: NameKey, in db: GRDB.Database) throws -> UserRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM users WHERE name_key = ?"), arguments: [key.data]
    ).map(UserRow.init)
  }

  /// The user of a tenant who signs in with that text: the user of that name or, where there is none, the one user with
  /// that e-mail address. Known and unknown names execute the same statements: one that is left out takes less time.
  static func find(loginName: String, tenant: String?, in db: GRDB.Database) throws -> UserRow? {
    let key = NameKey(loginName, tenant: tenant)
    let named = try find(key, in: db)
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT \(columns) FROM users WHERE email_key = ? LIMIT 2"), arguments: [key.data])
    return try named ?? (rows.count == 1 ? UserRow(rows[0]) : nil)
  }

  /// The user without a tenant who signs in with an e-mail address; see ``find(loginName:tenant:in:)``.
  static func owner(ofAddress address: String, in db: GRDB.Database) throws -> UserRow? {
    try find(loginName: address, tenant: nil, in: db)
  }

  static func find(id: String, in db: GRDB.Database) throws -> UserRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM users WHERE id = ?"), arguments: [id]
    ).map(UserRow.init)
  }
}

extension UserRow {
  /// Whether one of the keys is a user's name or e-mail address.
  static func exists(anyOf keys: [NameKey?], in db: GRDB.Database) throws -> Bool {
    for key in keys.compactMap({ $0 }) {
      let isTaken = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT 1 FROM users WHERE name_key = :key OR email_key = :key LIMIT 1"),
        arguments: ["key": key.data])
      if isTaken == true { return true }
    }
    return false
  }

  /// The work of the dearest hash in the database.
  static func mostWork(in db: GRDB.Database) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "SELECT max(password_work) FROM users")) ?? 0
  }

  /// Adds a user. Whether the name and the address are free has been asked in the same transaction.
  /// - Parameter name: Validated.
  /// - Returns: the user's id.
  static func insert(
    name: String, tenant: String?, displayName: String, email: String?, attributes: [String: JSONValue],
    hash: PasswordHash?, now: Date, in db: GRDB.Database
  ) throws -> String {
    let id = RandomBytes.make(16).base64URL
    try db.execute(
      sql: """
        INSERT INTO users
          (id, tenant, name_key, email_key, name, display_name, email, attributes, password, password_work, created_at,
          updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, tenant, NameKey(name, tenant: tenant).data, email.map { NameKey($0, tenant: tenant).data }, name,
        displayName, email, try AttributesColumn.encode(attributes), hash?.phc, hash?.parameters.work ?? 0,
        now.timeIntervalSince1970, now.timeIntervalSince1970,
      ])
    return id
  }

  /// Puts `new` in place of the hash `old`, if it is still there: of two logins that renew it at once one does.
  static func replace(_ old: String, with new: PasswordHash, of id: String, now: Date, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: "UPDATE users SET password = ?, password_work = ?, updated_at = ? WHERE id = ? AND password = ?"
    ).execute(arguments: [new.phc, new.parameters.work, now.timeIntervalSince1970, id, old])
  }
}
