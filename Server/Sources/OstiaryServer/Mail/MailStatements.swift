/// The statements about mail.
struct MailStatements: StatementSet {
  static let sql = MailStatements()

  let add = StorageStatement(
    "INSERT INTO outbox (id, sealed, attempts, due_at, expires_at) VALUES ($1, $2, 0, $3, $4)")
  let nextDue = StorageStatement(
    "SELECT id, sealed, attempts, expires_at FROM outbox WHERE due_at <= $1 ORDER BY due_at LIMIT 1"
  ).locking("outbox")
  let lease = StorageStatement("UPDATE outbox SET due_at = $1, attempts = attempts + 1 WHERE id = $2")
  let remove = StorageStatement("DELETE FROM outbox WHERE id = $1")
  let postpone = StorageStatement("UPDATE outbox SET due_at = $1 WHERE id = $2")
  let after = StorageStatement("SELECT id, sealed FROM outbox WHERE id > $1 ORDER BY id LIMIT $2").locking("outbox")
  let reseal = StorageStatement("UPDATE outbox SET sealed = $1 WHERE id = $2")
  let firstDue = StorageStatement("SELECT min(due_at) FROM outbox")
  let backlog = StorageStatement("SELECT count(*), min(due_at) FROM outbox")
  let findCount = StorageStatement("SELECT count, since FROM mail_counts WHERE address_key = $1").locking(
    "mail_counts")
  let count = StorageStatement(
    """
    INSERT INTO mail_counts (address_key, count, since) VALUES ($1, $2, $3)
    ON CONFLICT (address_key) DO UPDATE SET count = excluded.count, since = excluded.since
    """)
  let removeOldCounts = StorageStatement(
    """
    DELETE FROM mail_counts WHERE address_key IN (
      SELECT address_key FROM mail_counts WHERE since < $1 ORDER BY since LIMIT 100)
    """)
}
