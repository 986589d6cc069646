/// The statements about clients.
struct ClientStatements: StatementSet {
  static let sql = ClientStatements()

  let find = StorageStatement(
    """
    SELECT id, name, is_confidential, redirect_uris, scopes, policy, attributes, disabled, created_at FROM clients
    WHERE id = $1
    """)
  /// For a transaction that changes the client.
  let findForUse: StorageStatement
  let ids = StorageStatement("SELECT id FROM clients ORDER BY name, id")
  let insert = StorageStatement(
    """
    INSERT INTO clients (name, redirect_uris, scopes, policy, attributes, id, is_confidential, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    """)
  let update = EndingStatement(
    "UPDATE clients SET name = $1, redirect_uris = $2, scopes = $3, policy = $4, attributes = $5 WHERE id = $6")
  let setDisabled = EndingStatement("UPDATE clients SET disabled = $1 WHERE id = $2")
  let remove = EndingStatement("DELETE FROM clients WHERE id = $1")
  let secrets = StorageStatement("SELECT secret_hash, expires_at FROM client_secrets WHERE client_id = $1 ORDER BY id")
  let addSecret = EndingStatement("INSERT INTO client_secrets (client_id, secret_hash) VALUES ($1, $2)")
  let removeCodes = StorageStatement("DELETE FROM authorization_codes WHERE client_id = $1")
  let removeDevices = StorageStatement("DELETE FROM device_codes WHERE client_id = $1")
  let endGrants = EndingStatement("DELETE FROM grants WHERE client_id = $1", EndedGrant.columns)
  let keepNewestSecret = EndingStatement(
    """
    DELETE FROM client_secrets WHERE client_id = $1
      AND id < (SELECT max(id) FROM client_secrets WHERE client_id = $1)
    """)
  let endSecrets = EndingStatement("UPDATE client_secrets SET expires_at = $1 WHERE client_id = $2")

  init() {
    findForUse = find.locking("clients")
  }
}
