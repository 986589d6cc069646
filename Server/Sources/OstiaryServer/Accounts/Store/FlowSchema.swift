import Foundation

/// The table of the self-service flows.
enum FlowSchema {
  static let flows = SchemaStep.tables(
    """
    -- Flows in which a form was submitted; before that the client has them.
    CREATE TABLE flows (
      id_hash BLOB PRIMARY KEY,
      kind TEXT NOT NULL,
      step TEXT NOT NULL,
      subject BLOB,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      generation INTEGER,
      pending TEXT,
      -- Keyed with what is not in the database; see FlowCode.
      code_hash BLOB,
      code_expires_at REAL NOT NULL,
      attempts INTEGER NOT NULL,
      sends INTEGER NOT NULL,
      sent_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX flows_by_subject ON flows (subject) WHERE subject IS NOT NULL;
    CREATE INDEX flows_by_expiry ON flows (expires_at);
    """)

  /// Adds a code's browser.
  static let migration = StorageMigration(
    "11: codes of browsers",
    .tables(
      """
      -- A hash of the number of the browser that asked for a code.
      ALTER TABLE flows ADD COLUMN browser BLOB;
      -- The flow of the same browser whose code is this one's too.
      ALTER TABLE flows ADD COLUMN code_flow BLOB;
      CREATE INDEX flows_by_browser ON flows (browser, subject) WHERE browser IS NOT NULL;
      """))
}

extension FlowSchema {
  /// Adds the state of a page that is drawn from a document.
  static let conversationMigration = StorageMigration(
    "16: experiences of the account pages",
    .tables(
      """
      -- A person's way through an experience, sealed. No secret is in it.
      ALTER TABLE flows ADD COLUMN conversation BLOB;
      """))
}

/// Keeps the table of flows within bounds. Each stored flow removes a few rows.
enum FlowHousekeeping {
  /// The most flows; the oldest are removed first.
  static let most = 100_000
  private static let batch = 100

  static func run(now: Date, in db: StorageConnection) throws {
    try db.run(FlowStatements.sql.removeExpired, now, batch)
    // Counting is expensive, so it is rare: one flow in 256 does it.
    guard RandomBytes.make(1) == [0] else { return }
    let count = try db.count(FlowStatements.sql.count)
    guard count > most else { return }
    try db.run(FlowStatements.sql.removeOldest, count - most)
  }
}
