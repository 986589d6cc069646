import Foundation

/// The tables of users.
enum UserSchema {
  static let users = SchemaStep.tables(
    """
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
    """)

  static let tenants = SchemaStep.tables(
    """
    ALTER TABLE users ADD COLUMN tenant TEXT;
    -- As name_key, of the e-mail address.
    ALTER TABLE users ADD COLUMN email_key BLOB;
    CREATE INDEX users_by_email ON users (email_key) WHERE email_key IS NOT NULL;
    CREATE INDEX users_by_tenant ON users (tenant) WHERE tenant IS NOT NULL;
    """)

  /// Gives the users of before their address keys.
  static let addresses = SchemaStep.fill { db in
    let found = try db.all(UserStatements.sql.addresses) { reader -> (String, String) in (reader.next(), reader.next()) }
    for (id, email) in found { try db.run(UserStatements.sql.setAddressKey, NameKey(email).data, id) }
  }
}
