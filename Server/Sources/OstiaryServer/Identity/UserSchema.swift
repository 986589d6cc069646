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

  /// Gives the users of earlier versions their address keys.
  static let addresses = SchemaStep.fill { db in
    let found = try db.all(UserStatements.sql.addresses) { reader -> (String, String) in (reader.next(), reader.next())
    }
    for (id, email) in found { try db.run(UserStatements.sql.setAddressKey, NameKey(email).data, id) }
  }
}

extension UserSchema {
  /// The columns that admission needs.
  ///
  /// Accounts of earlier versions don't record who made them. An account whose name is its address looks like a self-made one: it
  /// counts as self-made, and its address as not proven, until a code that is mailed to it is shown or an administrator vouches
  /// for it. The others without a tenant count as made by an administrator. The addresses of tenants' users count as not proven.
  static let admissionMigration = StorageMigration(
    "12: proven addresses, accounts that people make themselves", admission)

  private static let admission = SchemaStep.tables(
    """
    -- Whether a mailed code or an administrator has confirmed that the address is the user's.
    ALTER TABLE users ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0;
    -- Whether the user made the account.
    ALTER TABLE users ADD COLUMN self_made INTEGER NOT NULL DEFAULT 0;
    -- Whether an administrator has let such a user in.
    ALTER TABLE users ADD COLUMN admitted INTEGER NOT NULL DEFAULT 0;
    UPDATE users SET self_made = 1 WHERE tenant IS NULL AND email_key = name_key;
    UPDATE users SET email_verified = 1 WHERE tenant IS NULL AND email IS NOT NULL AND self_made = 0;
    """)
}
