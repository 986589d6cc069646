/// What has become of the tables, in order. A name is never changed: databases have kept it, with the number that it begins with.
enum Migrations {
  /// The features' own.
  private static let features = [
    StorageMigration(
      "1: users, sessions, failures", UserSchema.users, SessionSchema.sessions, GuessSchema.failures),
    StorageMigration("2: tenants, e-mail addresses to sign in with", UserSchema.tenants, UserSchema.addresses),
    TokenSchema.migration,
    StorageMigration("6: self-service flows and mail", FlowSchema.flows, MailSchema.outbox),
    AuditSchema.migration,
    GuessSchema.migration,
    FlowSchema.migration,
    UserSchema.admissionMigration,
  ]

  /// Those of a server with these kinds of doors.
  static func all(of kinds: [any DoorModule.Type]) -> [StorageMigration] {
    (features + kinds.flatMap { $0.migrations }).sorted { $0.number < $1.number }
  }
}

extension StorageMigration {
  /// Its place among all.
  fileprivate var number: Int { Int(name.prefix { $0 != ":" }) ?? .max }
}
