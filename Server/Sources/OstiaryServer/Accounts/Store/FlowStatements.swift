/// The statements about self-service flows.
struct FlowStatements: StatementSet {
  static let sql = FlowStatements()

  let find = StorageStatement(
    """
    SELECT kind, step, subject, user_id, generation, pending, code_hash, code_expires_at, attempts, sends, sent_at,
      browser, code_flow, expires_at, conversation FROM flows WHERE id_hash = $1
    """)
  /// For a transaction that changes the flow depending on the values read.
  let findForUse: StorageStatement
  let insert = StorageStatement(
    """
    INSERT INTO flows (kind, step, subject, user_id, generation, pending, code_hash, code_expires_at, attempts, sends,
      sent_at, browser, code_flow, expires_at, conversation, id_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
    ON CONFLICT DO NOTHING
    """)
  let update = StorageStatement(
    """
    UPDATE flows SET kind = $1, step = $2, subject = $3, user_id = $4, generation = $5, pending = $6, code_hash = $7,
      code_expires_at = $8, attempts = $9, sends = $10, sent_at = $11, browser = $12, code_flow = $13, expires_at = $14,
      conversation = $15
    WHERE id_hash = $16
    """)
  /// The flow of a browser whose code is valid now.
  let withCode = StorageStatement(
    """
    SELECT id_hash FROM flows WHERE browser = $1 AND subject = $2 AND kind = $3 AND step = 'code' AND code_flow IS NULL
      AND code_expires_at > $4 AND id_hash <> $5 ORDER BY code_expires_at DESC LIMIT 1
    """)
  let conversationsAfter = StorageStatement(
    """
    SELECT id_hash, conversation FROM flows WHERE id_hash > $1 AND conversation IS NOT NULL ORDER BY id_hash LIMIT $2
    """
  ).locking("flows")
  let resealConversation = StorageStatement("UPDATE flows SET conversation = $1 WHERE id_hash = $2")
  let latest = StorageStatement("SELECT max(expires_at) FROM flows")
  let removeExpired = StorageStatement(
    """
    DELETE FROM flows WHERE id_hash IN (SELECT id_hash FROM flows WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    """)
  let count = StorageStatement("SELECT count(*) FROM flows")
  let removeOldest = StorageStatement(
    "DELETE FROM flows WHERE id_hash IN (SELECT id_hash FROM flows ORDER BY expires_at LIMIT $1)")

  init() {
    findForUse = find.locking("flows")
  }
}
