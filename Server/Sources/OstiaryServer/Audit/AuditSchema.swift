/// The tables of the audit trail.
enum AuditSchema {
  static let migration = StorageMigration("9: the audit trail", events, marks, firstMarks, counts)

  private static let firstMarks = SchemaStep.fill { db in
    for mark in [AuditMark.start, .end] { try mark.set(.beginning, in: db) }
  }

  private static let events = SchemaStep.tables(
    """
    CREATE TABLE audit_events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      happened_at REAL NOT NULL,
      -- See AuditKind and AuditCause.
      kind TEXT NOT NULL,
      cause TEXT,
      -- No reference: the event remains when the user is removed.
      user_id TEXT,
      -- A keyed hash of the name that was given, where no user is known.
      name_mark TEXT,
      client_id TEXT,
      session_mark TEXT,
      grant_id INTEGER,
      calls INTEGER,
      -- The number of equal outcomes that the row counts.
      times INTEGER NOT NULL,
      actor TEXT NOT NULL,
      place TEXT,
      address TEXT,
      request_id TEXT,
      -- Its place in the chain, and what holds it there; null until it is sealed. See AuditSealer.
      number INTEGER,
      seal BLOB
    ) STRICT;
    CREATE UNIQUE INDEX audit_events_by_number ON audit_events (number) WHERE number IS NOT NULL;
    CREATE INDEX audit_events_unsealed ON audit_events (id) WHERE number IS NULL;
    CREATE INDEX audit_events_by_user ON audit_events (user_id, id) WHERE user_id IS NOT NULL;
    """)

  private static let marks = SchemaStep.tables(
    """
    -- Where the chain begins, after what was removed for its age, and where it ends.
    CREATE TABLE audit_marks (
      name TEXT PRIMARY KEY,
      number INTEGER NOT NULL,
      hash BLOB NOT NULL,
      seal BLOB NOT NULL
    ) STRICT;
    """)

  /// Accepted calls are counted here; they get no events of their own.
  private static let counts = SchemaStep.tables(
    """
    ALTER TABLE sessions ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE grants ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
    """)
}
