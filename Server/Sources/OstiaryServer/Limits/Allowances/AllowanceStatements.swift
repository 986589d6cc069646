/// The statements about allowances that servers share.
struct AllowanceStatements: StatementSet {
  static let sql = AllowanceStatements()

  let findForUse = StorageStatement("SELECT number, began_at, taken FROM allowances WHERE name = $1")
    .locking("allowances")
  let write = StorageStatement(
    """
    INSERT INTO allowances (name, number, began_at, taken) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, began_at = excluded.began_at, taken = excluded.taken
    """)
}
