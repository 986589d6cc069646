/// The statements about counts of wrong guesses.
struct GuessStatements: StatementSet {
  static let sql = GuessStatements()

  /// In the order in which rows are locked and changed everywhere: otherwise log-ins from one network would wait for each other.
  let find = StorageStatement(
    "SELECT part, failures, at FROM guesses WHERE subject = $1 AND part IN ($2, $3, $4, $5) ORDER BY part")
  let findForCounting: StorageStatement
  /// A count that says nothing: only a row that is there can be locked.
  let open = StorageStatement(
    """
    INSERT INTO guesses (subject, part, failures, at, forget_at) VALUES ($1, $2, 0, $3, $3)
    ON CONFLICT (subject, part) DO NOTHING
    """)
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
    """
    SELECT part FROM guesses WHERE subject = $1 AND part > $2 AND part < $3 AND (at <= $4 OR at > $5)
    ORDER BY part
    """)
  /// Whether there is a mark, which stays until the transaction ends.
  let markForUse = StorageStatement("SELECT 1 FROM guesses WHERE subject = $1 AND part = $2").locking("guesses")
  let forget = StorageStatement("DELETE FROM guesses WHERE subject = $1 AND part = $2")
  let forgetSubject = StorageStatement("DELETE FROM guesses WHERE subject = $1")
  /// Until when counts say something. Marks of guesses under way, which outlive all of them, are none.
  let latest = StorageStatement("SELECT max(forget_at) FROM guesses WHERE failures > 0")
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
