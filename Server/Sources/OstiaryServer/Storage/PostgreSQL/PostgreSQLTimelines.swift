internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Notes when PostgreSQL is on another timeline than before.
///
/// A connection that can write stays on one timeline, so each one is looked at once. Behind a transaction pooler each transaction may
/// have another server, and is looked at.
final class PostgreSQLTimelines: Sendable {
  static let text = PostgreSQLTimelineStatements.sql.note.text(for: .postgreSQL)

  private let denied = Locked(false)

  /// - Parameter migrations: nil is returned if they make no place for timelines.
  init?(_ migrations: [StorageMigration]) {
    guard migrations.contains(where: { $0.name == TimelineSchema.migration.name }) else { return nil }
  }

  /// Whether the user of the database may ask, as far as is known. A server does not start without the right; one whose user has lost it
  /// does not notice a failover, and is not ready.
  var isAllowed: Bool { !denied.withLock { $0 } }

  /// Looks at a new connection.
  func note(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
    do {
      _ = try session.run(Self.text, [], keepsPrepared: false)
      denied.withLock { $0 = false }
    } catch {
      guard error.kind == .refused, error.state == "42501" else { throw error }
      denied.withLock { $0 = true }
    }
  }
}
