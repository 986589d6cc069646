/// The statements about submissions that have been acted upon.
struct SubmissionStatements: StatementSet {
  static let sql = SubmissionStatements()

  let ofFlow = StorageStatement(
    """
    SELECT turn, digest, form, is_accepted, misses, next_turn, outcome FROM repeated_submissions WHERE flow = $1
    ORDER BY next_turn
    """)
  let take = StorageStatement(
    """
    INSERT INTO repeated_submissions (flow, turn, digest, form, is_accepted, next_turn, expires_at)
    VALUES ($1, $2, $3, $4, 0, $5, $6)
    ON CONFLICT DO NOTHING
    """)
  let keep = StorageStatement(
    """
    UPDATE repeated_submissions SET is_accepted = $1, outcome = $2 WHERE flow = $3 AND turn = $4 AND digest = $5
    """)
  let miss = StorageStatement(
    "UPDATE repeated_submissions SET misses = misses + 1 WHERE flow = $1 AND form = $2 AND is_accepted = 1")
  let release = StorageStatement("DELETE FROM repeated_submissions WHERE flow = $1 AND turn = $2 AND digest = $3")
  let removeOld = StorageStatement("DELETE FROM repeated_submissions WHERE flow = $1 AND next_turn <= $2")
  let removeExpired = StorageStatement(
    """
    DELETE FROM repeated_submissions WHERE (flow, turn, digest) IN (
      SELECT flow, turn, digest FROM repeated_submissions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    """)
  let count = StorageStatement("SELECT count(*) FROM repeated_submissions")
  let removeSoonest = StorageStatement(
    """
    DELETE FROM repeated_submissions WHERE (flow, turn, digest) IN (
      SELECT flow, turn, digest FROM repeated_submissions ORDER BY expires_at LIMIT $1)
    """)
}
