import Foundation
internal import OstiaryCore

/// Keeps refusals that cost the client nothing from filling the disk: of those that are equal but for their moment, the first in a
/// minute is written at once, and how many came after it with the next row.
///
/// Equal are refusals of one kind and cause, at one route, from one network. What is behind in memory is lost with the process, not more
/// than a minute's.
final class AuditFlood: StorageCompanion {
  private static let window = Duration.seconds(60)
  /// More networks than that are counted together.
  private static let capacity = 10_000

  private struct Key: Hashable {
    let kind: AuditKind
    let cause: AuditCause?
    let place: String?
    let network: [UInt8]?
  }

  private struct Entry {
    let since: ContinuousClock.Instant
    /// Those that no row stands for yet, as the last of them was.
    var behind = 0
    var event: AuditEvent
    var trail: AuditTrail
  }

  private let entries = Locked<[Key: Entry]>([:])

  private init() {}

  /// The one of a storage.
  static func of(_ storage: ServerStorage) -> AuditFlood { storage.shared { AuditFlood() } }

  func forgetAll() {
    entries.withLock { $0 = [:] }
  }

  /// Whether an event is to be written now, and for how many it stands; nil where it has been counted and is not.
  func take(_ event: AuditEvent, _ trail: AuditTrail, at now: ContinuousClock.Instant = .now) -> Int? {
    entries.withLock { entries in
      var key = Key(kind: event.kind, cause: event.cause, place: trail.place, network: trail.network)
      if entries[key] == nil, entries.count >= Self.capacity {
        key = Key(kind: event.kind, cause: event.cause, place: nil, network: nil)
      }
      guard let known = entries[key], known.since.duration(to: now) < Self.window else {
        let behind = entries[key]?.behind ?? 0
        entries[key] = Entry(since: now, event: event, trail: trail)
        return behind + 1
      }
      entries[key] = Entry(since: known.since, behind: known.behind + 1, event: event, trail: trail)
      return nil
    }
  }

  /// Takes what has been counted in minutes that are over, or in all.
  func takeBehind(all: Bool, at now: ContinuousClock.Instant = .now) -> [(
    event: AuditEvent, trail: AuditTrail, times: Int
  )] {
    entries.withLock { entries in
      let over = entries.filter { all || $0.value.since.duration(to: now) >= Self.window }
      for key in over.keys { entries[key] = nil }
      return over.values.filter { $0.behind > 0 }.map { ($0.event, $0.trail, $0.behind) }
    }
  }
}

extension ServerStorage {
  /// Writes a refusal that cost the client nothing, or counts it where an equal one was written just now; durable when it returns.
  /// - Throws: a storage code: the outcome must not be told to the client then.
  func noteRefusal(_ event: AuditEvent, _ trail: AuditTrail) async throws(ServerError) {
    guard let times = AuditFlood.of(self).take(event, trail) else { return }
    try await writeTogether { db in try trail.note(event, times: times, in: db) }
  }

  /// As ``noteRefusal(_:_:)``, of the task's own request.
  func noteRefusal(_ event: AuditEvent, at now: Date) async throws(ServerError) {
    try await noteRefusal(event, AuditTrail(of: self, at: now))
  }

  /// Writes what has been counted, once its minute is over.
  func noteCountedRefusals(all: Bool = false) async throws(ServerError) {
    let behind = AuditFlood.of(self).takeBehind(all: all)
    guard !behind.isEmpty else { return }
    try await writeTogether { db in
      for (event, trail, times) in behind { try trail.note(event, times: times, in: db) }
    }
  }
}
