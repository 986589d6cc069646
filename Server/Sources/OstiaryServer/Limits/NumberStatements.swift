/// The statements about one-time numbers.
struct NumberStatements: StatementSet {
  static let sql = NumberStatements()

  let take = StorageStatement(
    """
    INSERT INTO one_time_numbers (kind, number, owner, expires_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING
    """)
  let find = StorageStatement("SELECT 1 FROM one_time_numbers WHERE kind = $1 AND number = $2")
  let latest = StorageStatement("SELECT max(expires_at) FROM one_time_numbers")
  let takeOver = StorageStatement(
    """
    UPDATE one_time_numbers SET owner = $1, expires_at = $2 WHERE kind = $3 AND number = $4 AND expires_at <= $5
    """)
  let release = StorageStatement("DELETE FROM one_time_numbers WHERE kind = $1 AND number = $2 AND owner = $3")
  let count = StorageStatement("SELECT count(*) FROM one_time_numbers WHERE kind = $1")
  let removeExpired = StorageStatement(
    """
    DELETE FROM one_time_numbers WHERE (kind, number) IN (
      SELECT kind, number FROM one_time_numbers WHERE kind = $1 AND expires_at <= $2 ORDER BY expires_at LIMIT $3)
    """)
  let removeSoonest = StorageStatement(
    """
    DELETE FROM one_time_numbers WHERE (kind, number) IN (
      SELECT kind, number FROM one_time_numbers WHERE kind = $1 ORDER BY expires_at LIMIT $2)
    """)
}
