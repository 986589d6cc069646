extension UserSchema {
  /// What admission asks of an account.
  ///
  /// Of the accounts of before it isn't known who made them. One whose name is its address looks like those that people make
  /// themselves: it counts as self-made, and its address as not proven, until a code that is mailed there is shown or an
  /// administrator answers for it. The others without a tenant count as an administrator's. The addresses of tenants' users have
  /// been proven to no one.
  static let admissionMigration = StorageMigration(
    "12: proven addresses, accounts that people make themselves", admission)

  private static let admission = SchemaStep.tables(
    """
    -- Whether a mailed code or an administrator has said that the address is the user's.
    ALTER TABLE users ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0;
    -- Whether the user made the account.
    ALTER TABLE users ADD COLUMN self_made INTEGER NOT NULL DEFAULT 0;
    -- Whether an administrator has let such a user in.
    ALTER TABLE users ADD COLUMN admitted INTEGER NOT NULL DEFAULT 0;
    UPDATE users SET self_made = 1 WHERE tenant IS NULL AND email_key = name_key;
    UPDATE users SET email_verified = 1 WHERE tenant IS NULL AND email IS NOT NULL AND self_made = 0;
    """)
}
