/// The statements about users.
struct UserStatements: StatementSet {
  static let sql = UserStatements()

  let byKey = StorageStatement("SELECT", UserRow.columns, "FROM users WHERE name_key = $1")
  let byAddress = StorageStatement("SELECT", UserRow.columns, "FROM users WHERE email_key = $1 LIMIT 2")
  let byID = StorageStatement("SELECT", UserRow.columns, "FROM users WHERE id = $1")
  /// For a transaction that changes the user, or begins something that the user's end has to find.
  let byIDForUse: StorageStatement
  let byKeyForUse: StorageStatement
  let byName = StorageStatement("SELECT", UserRow.columns, "FROM users ORDER BY name")
  let ofTenant = StorageStatement("SELECT 1 FROM users WHERE tenant = $1 LIMIT 1")
  let withKey = StorageStatement("SELECT 1 FROM users WHERE name_key = $1 OR email_key = $1 LIMIT 1")
  let mostWork = StorageStatement("SELECT max(password_work) FROM users")
  let insert = StorageStatement(
    """
    INSERT INTO users
      (id, tenant, name_key, email_key, name, display_name, email, attributes, password, password_work, created_at,
      updated_at, email_verified, self_made)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    """)
  let replaceHash = EndingStatement(
    "UPDATE users SET password = $1, password_work = $2, updated_at = $3 WHERE id = $4 AND password = $5")
  let setPassword = EndingStatement(
    """
    UPDATE users SET password = $1, password_work = $2, generation = generation + 1, updated_at = $3 WHERE id = $4
    """)
  let setDisplayName = EndingStatement(
    "UPDATE users SET display_name = $1, updated_at = $2 WHERE id = $3 AND disabled = 0")
  let disable = EndingStatement(
    "UPDATE users SET disabled = 1, generation = generation + 1, updated_at = $1 WHERE id = $2")
  let advance = EndingStatement("UPDATE users SET generation = generation + 1, updated_at = $1 WHERE id = $2")
  let enable = EndingStatement("UPDATE users SET disabled = 0, updated_at = $1 WHERE id = $2")
  let verifyEmail = EndingStatement(
    "UPDATE users SET email_verified = 1, updated_at = $1 WHERE id = $2 AND email IS NOT NULL")
  let admit = EndingStatement("UPDATE users SET admitted = 1, updated_at = $1 WHERE id = $2")
  let endSessions = EndingStatement("DELETE FROM sessions WHERE user_id = $1 RETURNING id_hash, calls")
  let addresses = StorageStatement("SELECT id, email FROM users WHERE email IS NOT NULL")
  let setAddressKey = StorageStatement("UPDATE users SET email_key = $1 WHERE id = $2")

  init() {
    byIDForUse = byID.locking("users")
    byKeyForUse = byKey.locking("users")
  }
}
