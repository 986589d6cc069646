/// The table of requests that wait for their sender's sign-in.
enum HeldSchema {
  static let migration = StorageMigration(
    "20: requests that the gateway holds",
    .tables(
      """
      CREATE TABLE held_requests (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        -- The SHA-256 of the id that the sender has.
        id BLOB NOT NULL UNIQUE,
        -- Keyed with what is not in the database.
        address BLOB NOT NULL,
        size INTEGER NOT NULL,
        -- The whole request, under a key that is not in the database.
        sealed BLOB NOT NULL,
        -- A hash of the session whose next request for the address takes it, once its sender has agreed.
        session BLOB,
        expires_at REAL NOT NULL
      ) STRICT;
      CREATE INDEX held_requests_by_address ON held_requests (address, number, size);
      CREATE INDEX held_requests_by_session ON held_requests (session) WHERE session IS NOT NULL;
      CREATE INDEX held_requests_by_expiry ON held_requests (expires_at);
      """))
}
