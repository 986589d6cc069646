/// The statements about requests that wait for their sender's sign-in.
struct HeldStatements: StatementSet {
  static let sql = HeldStatements()

  let insert = StorageStatement(
    "INSERT INTO held_requests (id, address, size, sealed, expires_at) VALUES ($1, $2, $3, $4, $5)")
  let find = StorageStatement("SELECT sealed FROM held_requests WHERE id = $1 AND expires_at > $2")
  let arm = StorageStatement("UPDATE held_requests SET session = $1 WHERE id = $2 AND expires_at > $3")
  let armed = StorageStatement(
    "SELECT id, sealed FROM held_requests WHERE session = $1 AND expires_at > $2 ORDER BY number")
  let remove = StorageStatement("DELETE FROM held_requests WHERE id = $1")
  let removeExpired = StorageStatement("DELETE FROM held_requests WHERE expires_at <= $1")
  let sizeOfAddress = StorageStatement(
    "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM held_requests WHERE address = $1")
  let oldestOfAddress = StorageStatement("SELECT number, size FROM held_requests WHERE address = $1 ORDER BY number")
  let removeOldestOfAddress = StorageStatement("DELETE FROM held_requests WHERE address = $1 AND number <= $2")
  let size = StorageStatement("SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM held_requests")
  let oldest = StorageStatement("SELECT number, size FROM held_requests ORDER BY number LIMIT 1000")
  let removeOldest = StorageStatement("DELETE FROM held_requests WHERE number <= $1")
}
