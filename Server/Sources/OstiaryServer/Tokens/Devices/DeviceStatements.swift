/// The statements about devices that wait for approval.
struct DeviceStatements: StatementSet {
  static let sql = DeviceStatements()

  let find = StorageStatement("SELECT", DeviceRow.columns, "FROM device_codes WHERE code_hash = $1")
  /// For a transaction that decides about the device.
  let findForUse: StorageStatement
  let findPending = StorageStatement(
    "SELECT", DeviceRow.columns, "FROM device_codes WHERE user_code_hash = $1 AND state = 0 AND expires_at > $2")
  let withUserCode = StorageStatement("SELECT 1 FROM device_codes WHERE user_code_hash = $1")
  let insert = StorageStatement(
    """
    INSERT INTO device_codes (code_hash, user_code_hash, client_id, request, interval, expires_at, remove_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    """)
  let total = StorageStatement("SELECT count(*) FROM (SELECT 1 FROM device_codes LIMIT $1) AS counted")
  let ofClient = StorageStatement(
    "SELECT count(*) FROM (SELECT 1 FROM device_codes WHERE client_id = $1 LIMIT $2) AS counted")
  let removeEnded = StorageStatement("DELETE FROM device_codes WHERE expires_at <= $1")
  let poll = StorageStatement("UPDATE device_codes SET polled_at = $1, interval = $2 WHERE code_hash = $3")
  let decide = StorageStatement(
    """
    UPDATE device_codes SET state = $1, user_id = $2, user_generation = $3
    WHERE user_code_hash = $4 AND state = 0 AND expires_at > $5
    """)
  let decided = StorageStatement(
    """
    SELECT 1 FROM device_codes
    WHERE user_code_hash = $1 AND state = $2 AND coalesce(user_id, '') = $3 AND expires_at > $4
    """)
  let remove = StorageStatement("DELETE FROM device_codes WHERE code_hash = $1")
  let removeOfUser = StorageStatement("DELETE FROM device_codes WHERE user_id = $1")
  let removeOfUserForClient = StorageStatement("DELETE FROM device_codes WHERE user_id = $1 AND client_id = $2")
  let removeForClient = StorageStatement("DELETE FROM device_codes WHERE client_id = $1")

  init() {
    findForUse = find.locking("device_codes")
  }
}
