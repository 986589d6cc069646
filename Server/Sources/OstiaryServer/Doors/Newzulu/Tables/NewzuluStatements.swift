/// The door's statements about accounts, keys and uploads.
struct NewzuluStatements: StatementSet {
  static let sql = NewzuluStatements()

  // MARK: Accounts and keys

  let signIn = StorageStatement(
    """
    INSERT INTO newzulu_accounts (user_id, last_login) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET last_login = excluded.last_login RETURNING number
    """)
  let account = StorageStatement("SELECT number, last_login FROM newzulu_accounts WHERE user_id = $1")
  let addAccount = StorageStatement("INSERT INTO newzulu_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING")
  let userOfNumber = StorageStatement("SELECT user_id FROM newzulu_accounts WHERE number = $1")
  let key = StorageStatement("SELECT api_key FROM newzulu_keys")
  let addKey = StorageStatement("INSERT INTO newzulu_keys (api_key) VALUES ($1)")

  // MARK: Files

  let unfinished = StorageStatement("SELECT count(*) FROM newzulu_files WHERE user_id = $1 AND status = 5")
  let begin = StorageStatement(
    """
    INSERT INTO newzulu_files
      (vhost, user_id, title, message, filename, type, channel, size, part_size, status, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 5, $10, $11) RETURNING id
    """)
  let touch = StorageStatement("UPDATE newzulu_files SET updated_at = $1 WHERE id = $2 AND status = 5")
  let complete = StorageStatement(
    """
    UPDATE newzulu_files SET status = 1, is_moderated = CASE WHEN $1 = 1 THEN 1 ELSE is_moderated END, updated_at = $2
    WHERE id = $3
    """)
  let forgotten = StorageStatement(
    "SELECT id FROM newzulu_files WHERE status = 5 AND updated_at <= $1 ORDER BY updated_at LIMIT $2")
  let giveUp = StorageStatement("UPDATE newzulu_files SET status = 0 WHERE id = $1")
  let removeGivenUp = StorageStatement("DELETE FROM newzulu_files WHERE status = 0 AND updated_at <= $1")
  let moderate = StorageStatement("UPDATE newzulu_files SET is_moderated = $1 WHERE id = $2 AND status <> 0")

  // MARK: Parts

  let parts = StorageStatement("SELECT part, size, etag FROM newzulu_parts WHERE file_id = $1 ORDER BY part")
  let partNames = StorageStatement("SELECT name FROM newzulu_parts WHERE file_id = $1 ORDER BY part")
  let partName = StorageStatement("SELECT name FROM newzulu_parts WHERE file_id = $1 AND part = $2")
  let addPart = StorageStatement(
    """
    INSERT INTO newzulu_parts (file_id, part, size, etag, name) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (file_id, part) DO UPDATE SET size = excluded.size, etag = excluded.etag, name = excluded.name
    """)
  let removeParts = StorageStatement("DELETE FROM newzulu_parts WHERE file_id = $1")
}
