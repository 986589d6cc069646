/// The statements about counts of wrong guesses.
struct GuessStatements: StatementSet {
  static let sql = GuessStatements()

  let find = StorageStatement(
    "SELECT part, failures, at FROM guesses WHERE subject = $1 AND part IN ($2, $3, $4, $5)")
  let findForCounting: StorageStatement
  let count = StorageStatement(
    """
    INSERT INTO guesses (subject, part, failures, at, forget_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (subject, part) DO UPDATE
    SET failures = excluded.failures, at = excluded.at, forget_at = excluded.forget_at
    """)
  let takeBack = StorageStatement(
    """
    UPDATE guesses SET failures = CASE WHEN failures > 0 THEN failures - 1 ELSE 0 END,
      at = at - $1, forget_at = forget_at - $1
    WHERE subject = $2 AND part = $3
    """)
  /// The marks of guesses beside a row that no server verifies any more.
  let lost = StorageStatement(
    "SELECT part FROM guesses WHERE subject = $1 AND part > $2 AND part < $3 AND (at <= $4 OR at > $5)")
  let forget = StorageStatement("DELETE FROM guesses WHERE subject = $1 AND part = $2")
  let forgetSubject = StorageStatement("DELETE FROM guesses WHERE subject = $1")
  let latest = StorageStatement("SELECT max(forget_at) FROM guesses")
  let total = StorageStatement("SELECT count(*) FROM guesses")
  let removeForgotten = StorageStatement(
    """
    DELETE FROM guesses WHERE (subject, part) IN (
      SELECT subject, part FROM guesses WHERE forget_at <= $1 ORDER BY forget_at LIMIT $2)
    """)
  let removeSoonest = StorageStatement(
    """
    DELETE FROM guesses WHERE (subject, part) IN (
      SELECT subject, part FROM guesses ORDER BY forget_at LIMIT $1)
    """)

  init() {
    findForCounting = find.locking("guesses")
  }
}
