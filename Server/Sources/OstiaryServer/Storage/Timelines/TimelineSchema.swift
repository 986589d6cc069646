/// The table of timelines.
enum TimelineSchema {
  static let migration = StorageMigration("21: timelines of the database", timelines)

  private static let timelines = SchemaStep.tables(
    """
    -- One row for each stretch of the database's history; see Timeline. The highest number is the current one.
    CREATE TABLE timelines (
      number INTEGER PRIMARY KEY,
      -- See Timeline.Beginning.
      beginning TEXT NOT NULL,
      -- PostgreSQL's system identifier and timeline; null elsewhere, and until a server has noted them.
      system INTEGER,
      timeline INTEGER,
      began_at REAL,
      -- The last commit that is known to have survived; null if none is.
      survived_until REAL,
      -- Whether the audit trail has it.
      told INTEGER NOT NULL DEFAULT 0,
      CHECK ((system IS NULL) = (timeline IS NULL))
    ) STRICT;
    INSERT INTO timelines (number, beginning, told) VALUES (1, 'first', 1);
    """)
}
