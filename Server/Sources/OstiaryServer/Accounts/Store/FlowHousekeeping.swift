import Foundation
internal import GRDB

/// Keeps the table of flows within bounds, a little with each flow that is stored.
enum FlowHousekeeping {
  /// Flows there may be; the oldest make room.
  static let most = 100_000
  private static let batch = 100

  static func run(now: Date, in db: GRDB.Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM flows WHERE id_hash IN (SELECT id_hash FROM flows WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
        """
    ).execute(arguments: [now.timeIntervalSince1970, batch])
    // Seldom enough to be counted: one flow in 256 looks.
    guard RandomBytes.make(1) == [0] else { return }
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM flows")) ?? 0
    guard count > most else { return }
    try db.cachedStatement(
      sql: "DELETE FROM flows WHERE id_hash IN (SELECT id_hash FROM flows ORDER BY expires_at LIMIT ?)"
    ).execute(arguments: [count - most])
  }
}
