package import Foundation

/// The migrations of the tables, in order. A name is never changed: databases have stored it, with the number that it begins with.
enum Migrations {
  /// The migrations of the features.
  private static let features = [
    StorageMigration(
      "1: users, sessions, failures", UserSchema.users, SessionSchema.sessions, GuessSchema.failures),
    StorageMigration("2: tenants, e-mail addresses to sign in with", UserSchema.tenants, UserSchema.addresses),
    TokenSchema.migration,
    StorageMigration("6: self-service flows and mail", FlowSchema.flows, MailSchema.outbox),
    AuditSchema.migration,
    LastBackup.migration,
    GuessSchema.migration,
    FlowSchema.migration,
    UserSchema.admissionMigration,
    SubmissionSchema.migration,
    FlowSchema.conversationMigration,
    KeyCheck.migration,
    LeaseSchema.migration,
    StorageMigration("19: numbers and allowances of several servers", NumberSchema.numbers, AllowanceSchema.allowances),
    TimelineSchema.migration,
    TokenSchema.successorMigration,
    KeySchema.migration,
    SilentWriterSchema.migration,
  ]

  /// The migrations of a server with these kinds of doors.
  static func all(of kinds: [any DoorModule.Type]) -> [StorageMigration] {
    (features + kinds.flatMap { $0.migrations }).sorted { $0.number < $1.number }
  }
}

extension StorageMigration {
  /// Its number in the order of all migrations.
  fileprivate var number: Int { Int(name.prefix { $0 != ":" }) ?? .max }
}

/// The statements of all features.
enum ServerStatements {
  private static let features: [any StatementSet.Type] = [
    LastBackupStatements.self,
    UserStatements.self, SessionStatements.self, GuessStatements.self, MailStatements.self, FreshnessStatements.self,
    TokenStatements.self, ClientStatements.self, CodeStatements.self, DeviceStatements.self, FlowStatements.self,
    SubmissionStatements.self, AuditStatements.self, KeyCheckStatements.self, NumberStatements.self,
    AllowanceStatements.self, TimelineStatements.self, KeyStatements.self,
  ]

  static let all = features + houseDoors.flatMap { $0.statements }

  /// Statements that PostgreSQL alone understands.
  static let postgreSQLOnly: [any StatementSet.Type] = [
    LeaseStatements.self, PostgreSQLTimelineStatements.self, KeyTimeStatements.self,
  ]
}

extension ServerStorage {
  /// Opens a server's storage.
  /// - Parameter keys: The places that may have the server's key.
  package convenience init(
    _ place: ServerConfiguration.Storage, keys: ServerKeySources = ServerKeySources()
  ) throws(ServerError) {
    try self.init(place, migrations: Migrations.all(of: houseDoors), keys: keys)
  }

  convenience init(
    _ place: ServerConfiguration.Storage, migrations: [StorageMigration], keys: ServerKeySources
  ) throws(ServerError) {
    switch place {
    case .memory: try self.init(inMemory: migrations)
    case .folder(let folder): try self.init(folder: folder, migrations: migrations, keys: keys)
    case .postgreSQL(let database): try self.init(database, migrations: migrations, keys: keys)
    }
  }

  /// Opens the database in `folder`, which is made (mode 0700) if it does not exist. Files are made with mode 0600.
  /// - Parameter keys: The places that may have the server's key.
  /// - Throws: `storageDenied` if the folder can't be used or other users may write to it, `storageCorrupt`,
  ///   `storageTooNew`, or another storage code; `serverKeyIsAnother` for another key than the database's.
  package convenience init(folder: URL, keys: ServerKeySources = ServerKeySources()) throws(ServerError) {
    try self.init(folder: folder, migrations: Migrations.all(of: houseDoors), keys: keys)
  }

  /// As ``init(folder:keys:)``, with `busyTimeout` seconds to wait for another process that writes.
  convenience init(folder: URL, busyTimeout: TimeInterval) throws(ServerError) {
    try self.init(folder: folder, migrations: Migrations.all(of: houseDoors), busyTimeout: busyTimeout)
  }

  /// A database in memory, which exists as long as the value: for tests and demonstrations.
  package static func inMemory() throws(ServerError) -> ServerStorage {
    try ServerStorage(inMemory: Migrations.all(of: houseDoors))
  }
}

extension StorageCopy {
  /// Moves all tables.
  /// - Parameters:
  ///   - target: is newly made, and has no users.
  ///   - place: what the source says of where its content is.
  /// - Returns: the tables, in the order in which they were copied.
  package static func move(
    from source: ServerStorage, to target: ServerStorage, movedTo place: String
  ) async throws(ServerError) -> [TableCount] {
    try await move(from: source, to: target, movedTo: place, migrations: Migrations.all(of: houseDoors))
  }
}
