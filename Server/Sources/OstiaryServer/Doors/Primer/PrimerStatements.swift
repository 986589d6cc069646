/// The door's statements.
struct PrimerStatements: StatementSet {
  static let sql = PrimerStatements()

  // MARK: Who it is

  let standing = StorageStatement(
    """
    SELECT max(is_logged_in), max(has_seen) FROM (
      SELECT is_logged_in, has_seen FROM primer_identities WHERE app = $1 AND anonymous_id = $2
      UNION ALL
      SELECT is_logged_in, has_seen FROM primer_identities WHERE app = $1 AND user_id = $2) AS found
    """)
  let identityForUse = StorageStatement(
    """
    SELECT user_id, is_logged_in, has_seen, properties FROM primer_identities WHERE app = $1 AND anonymous_id = $2
    """
  ).locking("primer_identities")
  let putIdentity = StorageStatement(
    """
    INSERT INTO primer_identities (app, anonymous_id, user_id, is_logged_in, has_seen, properties, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (app, anonymous_id) DO UPDATE SET user_id = excluded.user_id, is_logged_in = excluded.is_logged_in,
      has_seen = excluded.has_seen, properties = excluded.properties, updated_at = excluded.updated_at
    """)
  let countIdentities = StorageStatement("SELECT count(*) FROM primer_identities")
  let removeOldestIdentities = StorageStatement(
    """
    DELETE FROM primer_identities WHERE (app, anonymous_id) IN (
      SELECT app, anonymous_id FROM primer_identities ORDER BY updated_at LIMIT $1)
    """)

  // MARK: Events

  let lastEvent = StorageStatement("SELECT begins_at, event FROM primer_events ORDER BY number DESC LIMIT 1")
  let addEvent = StorageStatement(
    """
    INSERT INTO primer_events (id_hash, app, event, begins_at, received_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
    """)
  let removeOldestEvents = StorageStatement(
    """
    DELETE FROM primer_events WHERE begins_at < $1
      OR number <= (SELECT number FROM primer_events ORDER BY number DESC LIMIT 1 OFFSET $2)
    """)
  let events = StorageStatement("SELECT event FROM primer_events ORDER BY number")
}
