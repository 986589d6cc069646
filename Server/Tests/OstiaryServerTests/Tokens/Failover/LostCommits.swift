import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Loses the last commits about tokens: the rows are put back as they were at a moment.
struct LostCommits: Sendable {
  private static let tables = ["grants", "spent_refresh_tokens", "access_tokens"]

  private let storage: ServerStorage

  /// Remembers the rows of now.
  init(after storage: ServerStorage) async throws {
    self.storage = storage
    try await storage.write { db in
      for table in Self.tables {
        try db.test.execute("DROP TABLE IF EXISTS saved_\(table)")
        try db.test.execute("CREATE TABLE saved_\(table) AS SELECT * FROM \(table)")
      }
    }
  }

  /// Puts them back.
  /// - Parameter now: when a new timeline begins; nil if none does.
  func lose(newTimelineAt now: Date?) async throws {
    try await storage.write { db in
      for table in Self.tables.reversed() { try db.test.execute("DELETE FROM \(table)") }
      for table in Self.tables { try db.test.execute("INSERT INTO \(table) SELECT * FROM saved_\(table)") }
    }
    if let now { try await storage.beginTimeline(survivedUntil: now, at: now) }
  }
}
