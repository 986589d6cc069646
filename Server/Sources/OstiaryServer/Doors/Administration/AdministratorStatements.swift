/// The statements about administrators.
struct AdministratorStatements: StatementSet {
  static let sql = AdministratorStatements()

  let byHash = StorageStatement("SELECT name, made_at, expires_at FROM administrators WHERE token_hash = $1")
  let all = StorageStatement("SELECT name, made_at, expires_at FROM administrators ORDER BY name")
  let insert = StorageStatement(
    """
    INSERT INTO administrators (name, token_hash, made_at, expires_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING
    """)
  let remove = StorageStatement("DELETE FROM administrators WHERE name = $1")
}
