/// The table of allowances that servers share.
enum AllowanceSchema {
  static let allowances = SchemaStep.tables(
    """
    -- How much of a large limit servers have taken; see AllowanceMachine.
    CREATE TABLE allowances (
      name TEXT PRIMARY KEY,
      -- The number of the window.
      number INTEGER NOT NULL,
      began_at REAL NOT NULL,
      taken INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """)
}
