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
