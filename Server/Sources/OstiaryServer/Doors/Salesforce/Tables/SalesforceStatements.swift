/// The door's statements.
struct SalesforceStatements: StatementSet {
  static let sql = SalesforceStatements()

  let addKey = StorageStatement("INSERT INTO salesforce_keys (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING")
  let key = StorageStatement("SELECT value FROM salesforce_keys WHERE name = $1")

  let count = StorageStatement("SELECT count(*) FROM salesforce_records WHERE org = $1")
  let insert = StorageStatement(
    """
    INSERT INTO salesforce_records (org, object, user_id, fields, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6) RETURNING number
    """)
  let find = StorageStatement(
    """
    SELECT number, user_id, fields, created_at, updated_at FROM salesforce_records
    WHERE number = $1 AND org = $2 AND object = $3 AND (CAST($4 AS TEXT) IS NULL OR user_id = $4)
    """)
  let list = StorageStatement(
    """
    SELECT number, user_id, fields, created_at, updated_at FROM salesforce_records
    WHERE org = $1 AND object = $2 AND (CAST($3 AS TEXT) IS NULL OR user_id = $3) ORDER BY number
    """)
  let fieldsForUse = StorageStatement(
    """
    SELECT fields FROM salesforce_records
    WHERE number = $1 AND org = $2 AND object = $3 AND (CAST($4 AS TEXT) IS NULL OR user_id = $4)
    """
  ).locking("salesforce_records")
  let update = StorageStatement("UPDATE salesforce_records SET fields = $1, updated_at = $2 WHERE number = $3")
  let delete = StorageStatement(
    """
    DELETE FROM salesforce_records
    WHERE number = $1 AND org = $2 AND object = $3 AND (CAST($4 AS TEXT) IS NULL OR user_id = $4)
    """)
}
