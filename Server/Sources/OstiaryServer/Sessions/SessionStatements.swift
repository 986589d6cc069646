import Foundation

/// The statements about sessions.
struct SessionStatements: StatementSet {
  static let sql = SessionStatements()

  let byKey = StorageStatement(
    "SELECT sessions.attributes, sessions.created_at, sessions.seen_at, users.id,", UserRow.columns,
    "FROM sessions LEFT JOIN users ON users.id = sessions.user_id WHERE sessions.id_hash = $1")
  /// For a transaction that changes the session depending on the values read.
  let byKeyForUse: StorageStatement
  let insert = StorageStatement(
    """
    INSERT INTO sessions (id_hash, user_id, attributes, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
    """)
  let setAttributes = EndingStatement("UPDATE sessions SET attributes = $1 WHERE id_hash = $2")
  let touch = StorageStatement(
    "UPDATE sessions SET seen_at = $1, expires_at = $2, calls = calls + $3 WHERE id_hash = $4")
  let bind = StorageStatement("UPDATE sessions SET id_hash = $1 WHERE id_hash = $2")
  let end = EndingStatement("DELETE FROM sessions WHERE id_hash = $1 RETURNING id_hash, user_id, calls")
  let endAll = EndingStatement("DELETE FROM sessions WHERE user_id = $1 RETURNING id_hash, user_id, calls")
  let count = StorageStatement("SELECT count(*) FROM sessions")
  // The time has ended these: caches know it without being told.
  let removeExpired = StorageStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    RETURNING id_hash, user_id, calls
    """)
  // A limit without effect: SQLite requires one before an offset, and PostgreSQL allows no negative one.
  let endOldest = EndingStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 9223372036854775807 OFFSET $2)
    RETURNING id_hash, user_id, calls
    """)
  let endOldestGuests = EndingStatement(
    """
    DELETE FROM sessions WHERE id_hash IN (
      SELECT id_hash FROM sessions WHERE user_id IS NULL ORDER BY created_at DESC
      LIMIT 9223372036854775807 OFFSET $1)
    """)

  init() {
    byKeyForUse = byKey.locking("sessions")
  }
}

/// The table of sessions.
enum SessionSchema {
  static let sessions = SchemaStep.tables(
    """
    CREATE TABLE sessions (
      -- The SHA-256 of the id; the id itself is stored nowhere.
      id_hash BLOB PRIMARY KEY,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      attributes TEXT NOT NULL,
      created_at REAL NOT NULL,
      seen_at REAL NOT NULL,
      -- No later than this; a touch moves it on.
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    """)
}

/// Keeps the table of sessions within its bounds. Each new session removes a few rows: the table never needs more room
/// than at its largest, and no separate cleaning job.
enum SessionHousekeeping {
  /// Removes more rows than can have been added since.
  private static let batch = 100

  /// - Returns: whether the user's oldest sessions had to end.
  static func run(
    userID: String?, now: Date, limits: SessionLimits, _ trail: AuditTrail, in db: StorageConnection
  ) throws -> Bool {
    let expired = try db.all(SessionStatements.sql.removeExpired, now, batch) { EndedSession(&$0) }
    try EndedSession.note(expired, .expired, trail, in: db)
    guard let userID else { return false }
    let oldest = try db.all(
      SessionStatements.sql.endOldest, userID, limits.mostPerUser, ends: { _ in [.user(userID)] }
    ) { EndedSession(&$0) }
    try EndedSession.note(oldest, .tooManySessions, trail, in: db)
    return !oldest.isEmpty
  }

  /// Ends the oldest guests above the limit. It reads every guest, so it does not run with every request.
  static func removeOldestGuests(limits: SessionLimits, in db: StorageConnection) throws {
    try db.run(SessionStatements.sql.endOldestGuests, limits.mostGuests, ends: .guests)
  }
}
