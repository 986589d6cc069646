/// The statements about sessions.
struct SessionStatements: StatementSet {
  static let sql = SessionStatements()

  let byKey = StorageStatement(
    "SELECT sessions.attributes, sessions.created_at, sessions.seen_at, users.id,", UserRow.columns,
    "FROM sessions LEFT JOIN users ON users.id = sessions.user_id WHERE sessions.id_hash = $1")
  /// For a transaction that changes the session by what it has read.
  let byKeyForUse: StorageStatement
  let insert = StorageStatement(
    """
    INSERT INTO sessions (id_hash, user_id, attributes, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
    """)
  let setAttributes = StorageStatement("UPDATE sessions SET attributes = $1 WHERE id_hash = $2")
  let touch = StorageStatement(
    "UPDATE sessions SET seen_at = $1, expires_at = $2, calls = calls + $3 WHERE id_hash = $4")
  let bind = StorageStatement("UPDATE sessions SET id_hash = $1 WHERE id_hash = $2")
  let end = StorageStatement("DELETE FROM sessions WHERE id_hash = $1 RETURNING id_hash, user_id, calls")
  let endAll = StorageStatement("DELETE FROM sessions WHERE user_id = $1 RETURNING id_hash, user_id, calls")
  let count = StorageStatement("SELECT count(*) FROM sessions")
  let removeExpired = StorageStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    RETURNING id_hash, user_id, calls
    """)
  // A limit that is none: SQLite wants one before an offset, and PostgreSQL no negative one.
  let endOldest = StorageStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 9223372036854775807 OFFSET $2)
    RETURNING id_hash, user_id, calls
    """)
  let endOldestGuests = StorageStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE user_id IS NULL ORDER BY created_at DESC
      LIMIT 9223372036854775807 OFFSET $1)
    """)

  init() {
    byKeyForUse = byKey.locking("sessions")
  }
}
