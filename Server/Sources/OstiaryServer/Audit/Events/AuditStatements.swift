/// The statements of the audit trail.
struct AuditStatements: StatementSet {
  static let sql = AuditStatements()

  /// In the order in which they are read.
  static let columns: StaticString = """
    id, happened_at, kind, cause, user_id, name_mark, client_id, session_mark, grant_id, calls, times, actor, place, address,
    request_id, number, seal
    """

  let insert = StorageStatement(
    """
    INSERT INTO audit_events
      (happened_at, kind, cause, user_id, name_mark, client_id, session_mark, grant_id, calls, times, actor, place, address,
      request_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    """)

  let unsealed = StorageStatement(
    "SELECT", columns, "FROM audit_events WHERE number IS NULL ORDER BY id LIMIT $1")
  let hasUnsealed = StorageStatement("SELECT 1 FROM audit_events WHERE number IS NULL LIMIT 1")
  let seal = StorageStatement("UPDATE audit_events SET number = $1, seal = $2 WHERE id = $3")
  let after = StorageStatement("SELECT", columns, "FROM audit_events WHERE number > $1 ORDER BY number LIMIT $2")
  let newest = StorageStatement("SELECT happened_at FROM audit_events ORDER BY id DESC LIMIT 1")
  let newestBefore = StorageStatement(
    "SELECT happened_at FROM audit_events WHERE happened_at <= $1 ORDER BY id DESC LIMIT 1")
  let removeUpTo = StorageStatement("DELETE FROM audit_events WHERE number <= $1")
  let count = StorageStatement("SELECT count(*) FROM audit_events")
  let countSealed = StorageStatement("SELECT count(*) FROM audit_events WHERE number IS NOT NULL")

  let mark = StorageStatement("SELECT number, hash, seal FROM audit_marks WHERE name = $1")
  let markForUse: StorageStatement
  /// The places from which on rows were sealed with another key of the server; see AuditStretches.
  let stretches = StorageStatement("SELECT name, number, hash, seal FROM audit_marks WHERE name LIKE 'key %'")
  let setMark = StorageStatement(
    """
    INSERT INTO audit_marks (name, number, hash, seal) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash, seal = excluded.seal
    """)

  /// For a list: the selection decides which fragments are joined.
  let list = StorageFragment("SELECT", columns, "FROM audit_events WHERE id > $1")
  let ofUser = StorageFragment("AND user_id = $1")
  let ofUserOrNames = StorageFragment("AND (user_id = $1 OR name_mark IN")
  let ofNames = StorageFragment("AND (name_mark IN")
  let end = StorageFragment(")")
  let since = StorageFragment("AND happened_at >= $1")
  let ofKinds = StorageFragment("AND kind IN")
  let oldestFirst = StorageFragment("ORDER BY id LIMIT $1")
  let newestFirst = StorageFragment("ORDER BY id DESC LIMIT $1")

  init() {
    markForUse = mark.locking("audit_marks")
  }
}
