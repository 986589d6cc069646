import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// Notes when PostgreSQL is on another timeline than before.
///
/// A connection that can write stays on one timeline, so each one is looked at once. Behind a transaction pooler each transaction may
/// have another server, and is looked at.
final class PostgreSQLTimelines: Sendable {
  static let text = PostgreSQLTimelineStatements.sql.note.text(for: .postgreSQL)
  private static let age = PostgreSQLTimelineStatements.sql.age.text(for: .postgreSQL)

  private let denied = Locked(false)

  /// - Parameter migrations: nil is returned if they make no place for timelines.
  init?(_ migrations: [StorageMigration]) {
    guard migrations.contains(where: { $0.name == TimelineSchema.migration.name }) else { return nil }
  }

  /// Whether the user of the database may ask, as far as is known. A server does not start without the right; one whose user has lost it
  /// does not notice a failover, and is not ready.
  var isAllowed: Bool { !denied.withLock { $0 } }

  /// Looks at a new connection, before something is written. On a timeline that has just begun, that waits until nothing is believed any
  /// more of what the primary before it tells.
  /// - Parameter terms: nil where nothing of that is believed.
  func note(_ session: PostgreSQLSession, _ terms: LeaseTerms?) throws(PostgreSQLFailure) {
    do {
      let answers = try session.run(
        together: [Self.text, Self.age].map { PostgreSQLStatement($0, keepsPrepared: false) })
      denied.withLock { $0 = false }
      guard let terms, let age = answers.last?.real(0, 0) else { return }
      // This thread is the engine's own.
      Thread.sleep(forTimeInterval: max(0, terms.patience.timeInterval - max(0, age)))
    } catch {
      guard error.kind == .refused, error.state == "42501" else { throw error }
      denied.withLock { $0 = true }
    }
  }
}
