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
  let fieldsForUse = StorageStatement(
    """
    SELECT fields FROM salesforce_records
    WHERE number = $1 AND org = $2 AND object = $3 AND (CAST($4 AS TEXT) IS NULL OR user_id = $4)
    """
  ).locking("salesforce_records")
  let update = StorageStatement("UPDATE salesforce_records SET fields = $1, updated_at = $2 WHERE number = $3")
  let recordsAfter = StorageStatement(
    """
    SELECT number, org, object, user_id, fields, created_at, updated_at FROM salesforce_records WHERE number > $1
    ORDER BY number LIMIT $2
    """)
  let addFilters = StorageStatement(
    """
    INSERT INTO salesforce_filters (number, org, object, user_id, created_at, updated_at, owner, bytes, is_closed, subject,
      status, priority, origin, type, reason, supplied_name, supplied_email, supplied_phone, supplied_company, contact, account,
      connection_token, service_type, application_bundle, network, cipher_name)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
      $26)
    """)
  let recordForFilters = StorageStatement(
    """
    SELECT number, org, object, user_id, fields, created_at, updated_at FROM salesforce_records WHERE number = $1
    """)
  let removeFilters = StorageStatement("DELETE FROM salesforce_filters WHERE number = $1")
  let userWithoutKeys = StorageStatement(
    """
    SELECT users.id, users.name, users.display_name, users.email FROM users
    LEFT JOIN salesforce_users ON salesforce_users.user_id = users.id WHERE salesforce_users.user_id IS NULL LIMIT $1
    """)
  let addUserKeys = StorageStatement(
    """
    INSERT INTO salesforce_users (user_id, id, username, name, email) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
    """)
  let delete = StorageStatement(
    """
    DELETE FROM salesforce_records
    WHERE number = $1 AND org = $2 AND object = $3 AND (CAST($4 AS TEXT) IS NULL OR user_id = $4)
    """)
}
