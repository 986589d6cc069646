/// What has become of the tables, in order. A name is never changed: databases have kept it.
enum Migrations {
  static let all = [
    StorageMigration(
      "1: users, sessions, failures", UserSchema.users, SessionSchema.sessions, ThrottleSchema.failures),
    StorageMigration("2: tenants, e-mail addresses to sign in with", UserSchema.tenants, UserSchema.addresses),
    NewzuluSchema.migration,
    TokenSchema.migration,
    SalesforceSchema.migration,
    StorageMigration("6: self-service flows and mail", FlowSchema.flows, MailSchema.outbox),
    PrimerSchema.migration,
  ]
}
