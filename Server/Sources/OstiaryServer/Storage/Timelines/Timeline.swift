package import Foundation

/// The history of the database, numbered: a new timeline begins where commits may have been lost.
///
/// That is where a standby has taken over, and where a back-up was restored. What was written under an earlier timeline may have been
/// changed since by commits that are lost, of which clients know. The numbers are in the database itself: it loses a number only
/// together with all that was written under it.
///
/// PostgreSQL is compared with the last timeline noted whenever a connection is made. A file that is put in the place of SQLite's by
/// hand is not noticed: what restores one calls ``begin(_:survivedUntil:at:in:)``.
package struct Timeline: Sendable, Equatable {
  /// What a timeline began with. The database stores the raw values: none is ever changed.
  package enum Beginning: String, Sendable, CaseIterable {
    /// The database was made, or is older than this table.
    case first
    /// PostgreSQL is on another timeline, or another system.
    case failover
    /// A back-up was restored.
    case restored
  }

  package let number: Int64
  package let beginning: Beginning?
  /// When it was first noted.
  package let beganAt: Date?
  /// The last commit that is known to have survived.
  package private(set) var survivedUntil: Date?

  private static let sql = TimelineStatements.sql

  init(_ reader: inout ColumnReader) {
    number = reader.next()
    beginning = Beginning(rawValue: reader.next())
    (beganAt, survivedUntil) = (reader.next(), reader.next())
  }

  /// The current timeline.
  static func newest(in db: StorageConnection) throws -> Timeline? {
    try db.first(sql.newest) { Timeline(&$0) }
  }

  /// Begins a timeline, in the transaction that puts older content in the place of what there was.
  /// - Parameter survived: when the content was current; nil if that is unknown.
  static func begin(
    _ beginning: Beginning = .restored, survivedUntil survived: Date?, at now: Date, in db: StorageConnection
  ) throws {
    try db.run(sql.begin, beginning.rawValue, now, survived)
  }

  /// Stores a commit that has survived, where none was known.
  mutating func note(survivedUntil survived: Date, in db: StorageConnection) throws {
    survivedUntil = survived
    try db.run(Self.sql.setSurvived, survived, number)
  }

  /// The timelines that the audit trail does not have yet, in order.
  static func untold(in db: StorageConnection) throws -> [Timeline] {
    try db.all(sql.untold) { Timeline(&$0) }
  }

  /// The same up to one of them; from then on the trail has them.
  static func takeUntold(upTo number: Int64, in db: StorageConnection) throws -> [Timeline] {
    try db.all(sql.takeUntold, number) { Timeline(&$0) }.sorted { $0.number < $1.number }
  }
}
