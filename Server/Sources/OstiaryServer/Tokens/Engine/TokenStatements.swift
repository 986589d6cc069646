/// The statements about grants and their tokens.
struct TokenStatements: StatementSet {
  static let sql = TokenStatements()

  // MARK: Grants

  let grantByHandle = StorageStatement(
    "SELECT", GrantRow.columns, UserRow.columns, "FROM grants", GrantRow.joins,
    "WHERE grants.handle_hash = $1")
  /// For a transaction that changes the grant depending on the values read.
  let grantByHandleForUse = StorageStatement(
    "SELECT", SuccessorRow.columns, TimelineStatements.current, ",", GrantRow.columns, UserRow.columns, "FROM grants",
    GrantRow.joins, "WHERE grants.handle_hash = $1"
  ).locking("grants")
  let grantByID = StorageStatement(
    "SELECT", GrantRow.columns, UserRow.columns, "FROM grants", GrantRow.joins, "WHERE grants.id = $1")
  let grantsOfUser = StorageStatement(
    "SELECT", GrantRow.columns, UserRow.columns, "FROM grants", GrantRow.joins,
    "WHERE grants.user_id = $1 ORDER BY grants.id")
  let insertGrant = StorageStatement(
    """
    INSERT INTO grants
      (client_id, user_id, user_generation, scopes, attributes, access_prefix, refresh_prefix, handle_hash, leaf_hash,
      successor_seed, successor_mark, issued, created_at, used_at, refresh_ends_at, expires_at, timeline)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13, $14, $15,
    """, TimelineStatements.current, ") RETURNING id")
  let countIssue = StorageStatement("UPDATE grants SET issued = issued + 1 WHERE id = $1")
  let rotate = StorageStatement(
    """
    UPDATE grants SET leaf_hash = $1, successor_seed = $2, successor_mark = $3, timeline = $4,
      rotations = rotations + $5, issued = issued + 1, used_at = $6, refresh_ends_at = $7, expires_at = $8 WHERE id = $9
    """)
  let endGrant = EndingStatement("DELETE FROM grants WHERE id = $1", EndedGrant.columns)
  let endGrantOfBefore = EndingStatement("DELETE FROM grants WHERE id = $1 AND created_at <= $2", EndedGrant.columns)
  let endGrantsOfUser = EndingStatement("DELETE FROM grants WHERE user_id = $1", EndedGrant.columns)
  let endGrantsOfUserToClient = EndingStatement(
    "DELETE FROM grants WHERE user_id = $1 AND client_id = $2", EndedGrant.columns)
  let endGrantsToClient = EndingStatement("DELETE FROM grants WHERE client_id = $1", EndedGrant.columns)
  // A limit without effect: SQLite requires one before an offset, and PostgreSQL allows no negative one.
  let endOldestGrants = EndingStatement(
    """
    DELETE FROM grants WHERE id IN (
      SELECT id FROM grants WHERE user_id IS NOT DISTINCT FROM $1 AND client_id = $2
        AND (CASE WHEN handle_hash IS NULL THEN 0 ELSE 1 END) = $3
      ORDER BY id DESC LIMIT 9223372036854775807 OFFSET $4)
    """, EndedGrant.columns)
  /// For a transaction that issues something to the client: it stays until then.
  let clientIsDisabled = StorageStatement("SELECT disabled FROM clients WHERE id = $1").keeping("clients")

  // MARK: Refresh tokens

  let spentToken = StorageStatement(
    """
    SELECT salt, replay_until FROM spent_refresh_tokens WHERE grant_id = $1 AND token_hash = $2
    """)
  let endReplay = StorageStatement(
    "UPDATE spent_refresh_tokens SET replay_until = $1 WHERE grant_id = $2 AND replay_until IS NULL")
  let spend = StorageStatement(
    "INSERT INTO spent_refresh_tokens (grant_id, token_hash, salt, replay_until) VALUES ($1, $2, $3, $4)")
  /// Those of which the successor was settled with another key of the server.
  let successorsAfter = StorageStatement(
    """
    SELECT id, successor_seed FROM grants WHERE id > $1 AND successor_seed IS NOT NULL
      AND (length(successor_seed) = 16 OR substr(successor_seed, 1, 4) <> $2) ORDER BY id LIMIT $3
    """)
  let resealSuccessor = StorageStatement(
    "UPDATE grants SET successor_seed = $1 WHERE id = $2 AND successor_seed = $3")

  // MARK: Access tokens

  let accessToken = StorageStatement(
    """
    SELECT access_tokens.scopes, access_tokens.created_at, access_tokens.seen_at, access_tokens.idle,
      access_tokens.ends_at,
    """, GrantRow.columns, UserRow.columns,
    "FROM access_tokens JOIN grants ON grants.id = access_tokens.grant_id", GrantRow.joins,
    "WHERE access_tokens.token_hash = $1")
  let insertAccessToken = StorageStatement(
    """
    INSERT INTO access_tokens (token_hash, grant_id, number, scopes, created_at, seen_at, idle, ends_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    """)
  let touch = StorageStatement("UPDATE access_tokens SET seen_at = $1, expires_at = $2 WHERE token_hash = $3")
  let countCalls = StorageStatement("UPDATE grants SET calls = calls + $1 WHERE id = $2")
  /// For a transaction that ends the token.
  let ownerOfAccessToken = StorageStatement(
    """
    SELECT grants.id, grants.client_id FROM access_tokens JOIN grants ON grants.id = access_tokens.grant_id
    WHERE access_tokens.token_hash = $1
    """
  ).locking("grants")
  let endAccessToken = EndingStatement("DELETE FROM access_tokens WHERE token_hash = $1")
  let endOldestAccessTokens = EndingStatement("DELETE FROM access_tokens WHERE grant_id = $1 AND number <= $2")

  // MARK: Housekeeping

  let removeSpent = StorageStatement(
    """
    DELETE FROM spent_refresh_tokens WHERE (grant_id, token_hash) IN (
      SELECT grant_id, token_hash FROM spent_refresh_tokens WHERE replay_until <= $1 ORDER BY replay_until LIMIT $2)
    """)
  let removeCodes = StorageStatement(
    """
    DELETE FROM authorization_codes WHERE code_hash IN (
      SELECT code_hash FROM authorization_codes WHERE remove_at <= $1 ORDER BY remove_at LIMIT $2)
    """)
  let removeDevices = StorageStatement(
    """
    DELETE FROM device_codes WHERE code_hash IN (
      SELECT code_hash FROM device_codes WHERE remove_at <= $1 ORDER BY remove_at LIMIT $2)
    """)
  // The time has ended these: caches know it without being told.
  let removeExpiredAccessTokens = StorageStatement(
    """
    DELETE FROM access_tokens WHERE token_hash IN (
      SELECT token_hash FROM access_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
    RETURNING grant_id
    """)
  let removeGrantWithoutTokens = StorageStatement(
    """
    DELETE FROM grants WHERE id = $1 AND handle_hash IS NULL
      AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE grant_id = grants.id)
    """, EndedGrant.columns)
  /// The same for a list of ids.
  let removeGrantsWithoutTokens = StorageFragment(
    """
    DELETE FROM grants WHERE handle_hash IS NULL
      AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE grant_id = grants.id) AND id IN
    """)
  let endedGrants = StorageFragment(EndedGrant.columns)
  /// Those whose access tokens have not ended wait for these.
  let postponeGrants = StorageStatement(
    """
    UPDATE grants SET expires_at = (
      SELECT max(access_tokens.expires_at) FROM access_tokens
      WHERE access_tokens.grant_id = grants.id AND access_tokens.expires_at > $1)
    WHERE id IN (SELECT id FROM grants WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
      AND EXISTS (SELECT 1 FROM access_tokens WHERE grant_id = grants.id AND access_tokens.expires_at > $1)
    """)
  let removeExpiredGrants = StorageStatement(
    """
    DELETE FROM grants
    WHERE id IN (SELECT id FROM grants WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
      AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE grant_id = grants.id AND access_tokens.expires_at > $1)
    """, EndedGrant.columns)
}
