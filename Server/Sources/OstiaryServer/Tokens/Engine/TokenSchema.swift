/// The tables of clients and tokens.
enum TokenSchema {
  static let migration = StorageMigration(
    "4: clients and tokens", clients, tokens, pending, epoch,
    advance("users_changed_for_tokens", after: .update, on: "users"),
    advance("users_deleted_for_tokens", after: .delete, on: "users"),
    advance("clients_changed_for_tokens", after: .update, on: "clients"),
    advance("clients_deleted_for_tokens", after: .delete, on: "clients"),
    advance("secrets_added_for_tokens", after: .insert, on: "client_secrets"),
    advance("secrets_changed_for_tokens", after: .update, on: "client_secrets"),
    advance("secrets_deleted_for_tokens", after: .delete, on: "client_secrets"))

  /// Null where an older server has issued the token, until the next use.
  static let successorMigration = StorageMigration(
    "22: successors of refresh tokens",
    .tables(
      """
      -- Both belong to the live token; see SuccessorRow.
      ALTER TABLE grants ADD COLUMN successor_seed BLOB;
      ALTER TABLE grants ADD COLUMN successor_mark BLOB;
      -- The number of the timeline under which the live token was written.
      ALTER TABLE grants ADD COLUMN timeline INTEGER;
      """))

  private static let clients = SchemaStep.tables(
    """
    CREATE TABLE clients (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      is_confidential INTEGER NOT NULL,
      redirect_uris TEXT NOT NULL,
      scopes TEXT NOT NULL,
      policy TEXT NOT NULL,
      attributes TEXT NOT NULL,
      disabled INTEGER NOT NULL DEFAULT 0,
      created_at REAL NOT NULL
    ) STRICT;

    CREATE TABLE client_secrets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      -- The SHA-256 of the secret.
      secret_hash BLOB NOT NULL,
      expires_at REAL
    ) STRICT;
    CREATE INDEX client_secrets_by_client ON client_secrets (client_id, id);
    """)

  private static let tokens = SchemaStep.tables(
    """
    CREATE TABLE grants (
      -- Never given twice: an old token must not find another's grant.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      -- The user's generation, where a new password ends the grant; see TokenPolicy.endsWithPassword.
      user_generation INTEGER,
      scopes TEXT NOT NULL,
      attributes TEXT NOT NULL,
      access_prefix TEXT NOT NULL,
      refresh_prefix TEXT NOT NULL,
      -- The SHA-256 of what all refresh tokens of the grant have in common; null where there are none.
      handle_hash BLOB UNIQUE,
      -- The SHA-256 of the one refresh token that is live: there is room for one only.
      leaf_hash BLOB,
      -- How often refresh tokens have been rotated, and access tokens issued.
      rotations INTEGER NOT NULL DEFAULT 0,
      issued INTEGER NOT NULL DEFAULT 0,
      created_at REAL NOT NULL,
      used_at REAL NOT NULL,
      refresh_ends_at REAL,
      -- When to look whether the row can go; null where it goes with its last access token.
      expires_at REAL
    ) STRICT;
    CREATE INDEX grants_by_user ON grants (user_id, client_id, id);
    CREATE INDEX grants_by_client ON grants (client_id);
    CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE spent_refresh_tokens (
      grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
      token_hash BLOB NOT NULL,
      -- Yields the successor, together with the token itself; see RefreshTokenText.successor.
      salt BLOB NOT NULL,
      -- Null until the successor is used; see TokenPolicy.replaysUntilSuccessorIsUsed.
      replay_until REAL,
      PRIMARY KEY (grant_id, token_hash)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX spent_refresh_tokens_by_expiry ON spent_refresh_tokens (replay_until) WHERE replay_until IS NOT NULL;

    CREATE TABLE access_tokens (
      token_hash BLOB PRIMARY KEY,
      grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
      -- Counts the grant's access tokens.
      number INTEGER NOT NULL,
      -- Null for the grant's.
      scopes TEXT,
      created_at REAL NOT NULL,
      seen_at REAL NOT NULL,
      -- Seconds without a use after which it ends, where uses matter.
      idle REAL,
      -- When it ends at the latest.
      ends_at REAL,
      -- When the row can go; a touch moves it on.
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id, number);
    CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);
    """)

  private static let pending = SchemaStep.tables(
    """
    CREATE TABLE authorization_codes (
      code_hash BLOB PRIMARY KEY,
      client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      user_generation INTEGER,
      -- See PendingGrant.
      request TEXT NOT NULL,
      redirect_uri TEXT,
      challenge TEXT,
      expires_at REAL NOT NULL,
      spent INTEGER NOT NULL DEFAULT 0,
      -- The grant that it was redeemed for; no reference, because the code stays spent when the grant has ended.
      grant_id INTEGER,
      remove_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX authorization_codes_by_removal ON authorization_codes (remove_at);
    CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
    CREATE INDEX authorization_codes_by_client ON authorization_codes (client_id);

    CREATE TABLE device_codes (
      code_hash BLOB PRIMARY KEY,
      user_code_hash BLOB NOT NULL UNIQUE,
      client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      user_generation INTEGER,
      request TEXT NOT NULL,
      -- 0 pending, 1 approved, 2 denied.
      state INTEGER NOT NULL DEFAULT 0,
      interval REAL NOT NULL,
      polled_at REAL,
      expires_at REAL NOT NULL,
      remove_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_codes_by_removal ON device_codes (remove_at);
    CREATE INDEX device_codes_by_user ON device_codes (user_id);
    CREATE INDEX device_codes_by_client ON device_codes (client_id);
    """)

  private static let epoch = SchemaStep.tables(
    """
    -- One row. Its number changes whenever a token that caches may have has ended, or its data has changed; see
    -- TokenFreshness.
    CREATE TABLE token_epoch (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL) STRICT;
    INSERT INTO token_epoch (id, number) VALUES (1, 0);
    """)

  private static func advance(_ name: StaticString, after event: SchemaEvent, on table: StaticString) -> SchemaStep {
    // Servers that share PostgreSQL are told what has ended. The row would be in the way of all who change something there.
    .trigger(name, after: event, on: table, run: "UPDATE token_epoch SET number = number + 1", isForFile: true)
  }
}
