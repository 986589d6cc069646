import Foundation
internal import OstiaryCore

/// Keeps refusals that cost the client nothing from filling the disk. Of equal refusals, the first in a minute is written at
/// once; the next row has the count of the others.
///
/// Refusals of one kind and cause, at one route, from one network are equal. A crash of the process loses the counts in memory,
/// which are those of one minute at most.
final class AuditFlood: StorageCompanion {
  private static let window = Duration.seconds(60)
  /// Further networks are counted together.
  private static let capacity = 10_000

  private struct Key: Hashable {
    let kind: AuditKind
    let cause: AuditCause?
    let place: String?
    let network: [UInt8]?
  }

  private struct Entry {
    let since: ContinuousClock.Instant
    /// Refusals that no row counts yet, with the data of the last one.
    var behind = 0
    var event: AuditEvent
    var trail: AuditTrail
  }

  private let entries = Locked<[Key: Entry]>([:])

  private init() {}

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> AuditFlood { storage.shared { AuditFlood() } }

  func forgetAll() {
    entries.withLock { $0 = [:] }
  }

  /// Whether an event is written now, and how many it counts; nil if it has only been counted.
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

  /// Takes the counts of past minutes, or all counts.
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
  /// Writes a refusal that cost the client nothing, or counts it if an equal one was written just now; durable when it returns.
  /// - Throws: a storage code: the client must not be given the outcome then.
  func noteRefusal(_ event: AuditEvent, _ trail: AuditTrail) async throws(ServerError) {
    guard let times = AuditFlood.of(self).take(event, trail) else { return }
    try await writeTogether { db in try trail.note(event, times: times, in: db) }
  }

  /// As ``noteRefusal(_:_:)``, for the task's own request.
  func noteRefusal(_ event: AuditEvent, at now: Date) async throws(ServerError) {
    try await noteRefusal(event, AuditTrail(of: self, at: now))
  }

  /// Writes the counts of a minute once it is over.
  func noteCountedRefusals(all: Bool = false) async throws(ServerError) {
    let behind = AuditFlood.of(self).takeBehind(all: all)
    guard !behind.isEmpty else { return }
    try await writeTogether { db in
      for (event, trail, times) in behind { try trail.note(event, times: times, in: db) }
    }
  }
}
