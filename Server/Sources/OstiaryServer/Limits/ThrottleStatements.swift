/// The statements about counts of wrong passwords.
struct ThrottleStatements: StatementSet {
  static let sql = ThrottleStatements()

  let find = StorageStatement("SELECT count, blocked_until FROM failures WHERE name_key = $1")
  let findForCounting: StorageStatement
  let shorten = StorageStatement("UPDATE failures SET blocked_until = $1 WHERE name_key = $2")
  let count = StorageStatement(
    """
    INSERT INTO failures (name_key, count, blocked_until, updated_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name_key) DO UPDATE
    SET count = excluded.count, blocked_until = excluded.blocked_until, updated_at = excluded.updated_at
    """)
  let reset = StorageStatement("DELETE FROM failures WHERE name_key = $1")
  let countAll = StorageStatement("SELECT count(*) FROM failures")
  let removeOldest = StorageStatement(
    """
    DELETE FROM failures WHERE name_key IN (
      SELECT name_key FROM failures WHERE name_key NOT IN (SELECT name_key FROM users)
      ORDER BY updated_at LIMIT $1)
    """)

  init() {
    findForCounting = find.locking("failures")
  }
}
