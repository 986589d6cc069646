import Foundation

/// Keeps the table of flows within bounds, a little with each flow that is stored.
enum FlowHousekeeping {
  /// Flows there may be; the oldest make room.
  static let most = 100_000
  private static let batch = 100

  static func run(now: Date, in db: StorageConnection) throws {
    try db.run(FlowStatements.sql.removeExpired, now, batch)
    // Seldom enough to be counted: one flow in 256 looks.
    guard RandomBytes.make(1) == [0] else { return }
    let count = try db.count(FlowStatements.sql.count)
    guard count > most else { return }
    try db.run(FlowStatements.sql.removeOldest, count - most)
  }
}
