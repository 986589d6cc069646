import Foundation
internal import OstiaryCore

/// Whether the database keeps what it has confirmed, as far as it can be asked: a check of `/readyz` that never fails.
enum Durability {
  /// For how long a lost stretch of history is told.
  private static let memory = Duration.seconds(24 * 3600)

  static func state(of storage: ServerStorage, _ clock: any SessionClock) async -> ReadinessState {
    let isPostgreSQL = storage.isShared
    do {
      let (timeline, settings) = try await storage.read { db -> (Timeline?, Settings?) in
        let settings =
          try isPostgreSQL ? db.first(PostgreSQLTimelineStatements.sql.durability) { Settings(&$0) } : nil
        return (try Timeline.newest(in: db), settings)
      }
      let notes = (settings?.notes ?? []) + [timeline.flatMap { lost($0, clock.now) }].compactMap { $0 }
      return notes.isEmpty ? .good : .degraded(cause: notes.joined(separator: " "))
    } catch {
      // The database's own check says why.
      return .degraded(cause: "The database can't be asked.")
    }
  }

  /// The interval whose changes may be lost.
  static func lost(_ timeline: Timeline, _ now: Date) -> String? {
    guard timeline.beginning != .first, let began = timeline.beganAt,
      now < began.addingTimeInterval(memory.timeInterval)
    else { return nil }
    let why = timeline.beginning == .restored ? "A back-up was restored" : "Another database server has taken over"
    let until = began.formatted(.iso8601)
    guard let survived = timeline.survivedUntil else {
      return "\(why): changes that were confirmed shortly before \(until) may be lost."
    }
    return "\(why): changes that were confirmed between \(survived.formatted(.iso8601)) and \(until) may be lost."
  }

  /// What PostgreSQL says of its settings.
  struct Settings: Sendable {
    var writesThrough = true
    var waitsForStandby = true
    var standbys = 0

    init() {}

    init(_ reader: inout ColumnReader) {
      (writesThrough, waitsForStandby, standbys) = (reader.next(), reader.next(), reader.next())
    }

    var notes: [String] {
      var notes: [String] = []
      if !writesThrough { notes.append("PostgreSQL runs with fsync=off: a crash of its machine loses changes.") }
      if standbys > 0, !waitsForStandby {
        notes.append("No standby is synchronous (synchronous_standby_names is empty): a failover may lose changes.")
      }
      return notes
    }
  }
}
