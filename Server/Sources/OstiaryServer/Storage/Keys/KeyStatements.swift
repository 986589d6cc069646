/// The statements about the keys of the server.
struct KeyStatements: StatementSet {
  static let sql = KeyStatements()

  private static let columns: StaticString = """
    number, check_value, stage, offered_at, used_at, settled_at, needed_until, resealed_at, under_former, former_under, remains
    """

  let all = StorageStatement("SELECT", columns, "FROM server_keys ORDER BY number")
  /// For a transaction that decides by them.
  let allForUse: StorageStatement
  let current = StorageStatement("SELECT number FROM server_keys WHERE stage = 'current'")
  let newest = StorageStatement("SELECT max(number) FROM server_keys")
  let insert = StorageStatement(
    """
    INSERT INTO server_keys (number, check_value, stage, offered_at, used_at, under_former, former_under)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    """)
  let use = StorageStatement("UPDATE server_keys SET stage = 'current', used_at = $1 WHERE number = $2")
  let follow = StorageStatement("UPDATE server_keys SET stage = 'former' WHERE stage = 'current' AND number < $1")
  /// What a server of a version that knows one key compares its own with.
  let check = StorageStatement(
    "UPDATE key_check SET check_value = (SELECT check_value FROM server_keys WHERE number = $1) WHERE id = 1")
  let settle = StorageStatement("UPDATE server_keys SET settled_at = $1, needed_until = $2 WHERE number = $3")
  let retire = StorageStatement(
    """
    UPDATE server_keys SET stage = 'retired', under_former = NULL, former_under = NULL WHERE number = $1
    """)
  let forget = StorageStatement("UPDATE server_keys SET under_former = NULL, former_under = NULL WHERE number = $1")
  let keepRemains = StorageStatement("UPDATE server_keys SET remains = $1 WHERE number = $2")
  let removeAll = StorageStatement("DELETE FROM server_keys")

  // Sealing again.
  let reseal = StorageStatement(
    """
    UPDATE server_keys SET resealer = $1, resealer_until = $2
    WHERE number = $3 AND resealed_at IS NULL AND (resealer = $1 OR resealer_until < $4)
    RETURNING resealed_part, resealed_place
    """)
  let isResealing = StorageStatement(
    """
    SELECT 1 FROM server_keys WHERE number = $1 AND resealed_at IS NULL AND (resealer = $2 OR resealer_until < $3)
    """)
  let resealed = StorageStatement("UPDATE server_keys SET resealed_part = $1, resealed_place = $2 WHERE number = $3")
  let resealedAll = StorageStatement("UPDATE server_keys SET resealed_at = $1, resealer = NULL WHERE number = $2")

  // Servers.
  let register = StorageStatement(
    """
    INSERT INTO key_nodes (id, version, seen_at, known, used, kept) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, known = excluded.known, used = excluded.used,
      kept = excluded.kept
    """)
  let leave = StorageStatement("DELETE FROM key_nodes WHERE id = $1")
  /// A server that is idle may be seen by its row in `nodes` alone.
  let removeUnseen = StorageStatement(
    """
    DELETE FROM key_nodes WHERE seen_at < $1
      AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = key_nodes.id AND nodes.seen_at >= $1)
    """)
  /// A server of a version that knows nothing of this has a row in `nodes` alone.
  let nodes = StorageStatement(
    """
    SELECT key_nodes.id, key_nodes.version, key_nodes.seen_at, nodes.seen_at, key_nodes.known, key_nodes.used, key_nodes.kept
    FROM key_nodes LEFT JOIN nodes ON nodes.id = key_nodes.id
    UNION ALL
    SELECT nodes.id, nodes.version, nodes.seen_at, NULL, NULL, NULL, NULL FROM nodes
    WHERE NOT EXISTS (SELECT 1 FROM key_nodes WHERE key_nodes.id = nodes.id)
    ORDER BY 1
    """)

  init() {
    allForUse = all.locking("server_keys")
  }
}

/// The statement about the time that only PostgreSQL runs.
struct KeyTimeStatements: StatementSet {
  static let sql = KeyTimeStatements()

  let now = StorageStatement("SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision)")
}
