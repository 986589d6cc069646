/// The statements about authorization codes.
struct CodeStatements: StatementSet {
  static let sql = CodeStatements()

  let find = StorageStatement(
    """
    SELECT client_id, user_id, user_generation, request, expires_at, spent, grant_id, redirect_uri, challenge
    FROM authorization_codes WHERE code_hash = $1
    """)
  /// For a transaction that redeems the code.
  let findForUse: StorageStatement
  let insert = StorageStatement(
    """
    INSERT INTO authorization_codes
      (code_hash, client_id, user_id, user_generation, request, redirect_uri, challenge, expires_at, remove_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    """)
  let spend = StorageStatement("UPDATE authorization_codes SET spent = 1, grant_id = $1 WHERE code_hash = $2")
  let removeOfUser = StorageStatement("DELETE FROM authorization_codes WHERE user_id = $1")
  let removeOfUserForClient = StorageStatement("DELETE FROM authorization_codes WHERE user_id = $1 AND client_id = $2")
  let removeForClient = StorageStatement("DELETE FROM authorization_codes WHERE client_id = $1")

  init() {
    findForUse = find.locking("authorization_codes")
  }
}
