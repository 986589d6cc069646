internal import GRDB

/// The tables, and how older ones become today's.
enum Schema {
  static func migrate(_ writer: any DatabaseWriter) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: users, sessions, failures") { db in
      try db.execute(
        sql: """
          CREATE TABLE users (
            id TEXT PRIMARY KEY,
            -- The SHA-256 of the name's comparison form; see UserName.
            name_key BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            display_name TEXT NOT NULL,
            email TEXT,
            attributes TEXT NOT NULL,
            password TEXT,
            -- Memory times passes of the stored hash; see IdentityService on equal work.
            password_work INTEGER NOT NULL DEFAULT 0,
            disabled INTEGER NOT NULL DEFAULT 0,
            -- Counts what ends all sessions; see User.generation.
            generation INTEGER NOT NULL DEFAULT 0,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL
          ) STRICT;
          CREATE INDEX users_by_work ON users (password_work);

          CREATE TABLE sessions (
            -- The SHA-256 of the id; the id itself is stored nowhere.
            id_hash BLOB PRIMARY KEY,
            user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
            attributes TEXT NOT NULL,
            created_at REAL NOT NULL,
            seen_at REAL NOT NULL,
            -- No later than this; a touch moves it on.
            expires_at REAL NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
          CREATE INDEX sessions_by_expiry ON sessions (expires_at);

          CREATE TABLE failures (
            name_key BLOB PRIMARY KEY,
            count INTEGER NOT NULL,
            blocked_until REAL NOT NULL,
            updated_at REAL NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX failures_by_age ON failures (updated_at);
          """)
    }
    migrator.registerMigration("2: tenants, e-mail addresses to sign in with") { db in
      try db.execute(
        sql: """
          ALTER TABLE users ADD COLUMN tenant TEXT;
          -- As name_key, of the e-mail address.
          ALTER TABLE users ADD COLUMN email_key BLOB;
          CREATE INDEX users_by_email ON users (email_key) WHERE email_key IS NOT NULL;
          CREATE INDEX users_by_tenant ON users (tenant) WHERE tenant IS NOT NULL;
          """)
      for row in try Row.fetchAll(db, sql: "SELECT id, email FROM users WHERE email IS NOT NULL") {
        let (id, email): (String, String) = (row["id"], row["email"])
        try db.execute(
          sql: "UPDATE users SET email_key = ? WHERE id = ?", arguments: [NameKey(email).data, id])
      }
    }
    migrator.registerMigration("3: the Newzulu door", migrate: NewzuluSchema.create)
    migrator.registerMigration("4: clients and tokens", migrate: TokenSchema.create)
    migrator.registerMigration("5: the Salesforce door", migrate: SalesforceSchema.create)
    migrator.registerMigration("6: self-service flows and mail", migrate: FlowSchema.create)
    migrator.registerMigration("7: the Primer door", migrate: PrimerSchema.create)
    if try writer.read(migrator.hasBeenSuperseded) {
      throw ServerError(
        .storageTooNew, "The database was written by a newer Ostiary.",
        advice: "Update this one, or use another folder.")
    }
    // Several processes may open a new folder at once. Whoever comes second in a step finds its tables made, and the step done
    // when it looks again.
    for _ in 0..<5 {
      do { return try migrator.migrate(writer) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR
      {}
    }
    try migrator.migrate(writer)
  }
}
