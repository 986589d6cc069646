import Foundation
internal import Logging

extension ServerStorage {
  /// Writes into the trail between which moments commits may be lost, if there are such; one server does it for all.
  func tellTimelines(_ logger: Logger, at now: Date) async throws(ServerError) {
    let untold = try await read { db in try Timeline.untold(in: db) }
    guard let last = untold.last else { return }
    let told = try await write { [self] db -> [Timeline] in
      var taken = try Timeline.takeUntold(upTo: last.number, in: db)
      for index in taken.indices where taken[index].survivedUntil == nil {
        // The newest event of before is a commit that has survived, at least.
        let newest: Date? = try db.value(AuditStatements.sql.newestBefore, taken[index].beganAt ?? now)
        if let newest { try taken[index].note(survivedUntil: newest, in: db) }
      }
      for timeline in taken {
        let cause: AuditCause = timeline.beginning == .restored ? .restored : .failover
        if let survived = timeline.survivedUntil {
          try AuditTrail(of: self, at: survived).note(AuditEvent(.timelineEnded, cause), in: db)
        }
        try AuditTrail(of: self, at: timeline.beganAt ?? now).note(AuditEvent(.timelineBegun, cause), in: db)
      }
      return taken
    }
    for timeline in told {
      logger.critical(
        "the database went on from an earlier state: changes that were confirmed may be lost",
        metadata: [
          "event": "timeline_begun", "timeline": "\(timeline.number)",
          "cause": "\(timeline.beginning == .restored ? "restored" : "failover")",
          "lost_after": "\(timeline.survivedUntil.map { $0.formatted(.iso8601) } ?? "unknown")",
          "lost_before": "\(timeline.beganAt.map { $0.formatted(.iso8601) } ?? "unknown")",
        ])
    }
  }
}
