internal import Crypto
import Foundation
internal import Logging
internal import OstiaryCore

/// Chains the committed events, apart from the transactions that wrote them: the chain makes no writer wait for another. Every
/// node may do it.
///
/// The process that holds the row of the chain's end gives a row its number and its seal. The seal is keyed with the server's
/// key: a writer of the database without the key can't make one. The end is signed and stored in two more places: in a row of its
/// own, and in a file beside the database; see `AuditWitness`. An event that has not been sealed yet, which takes a second at
/// most while a server runs, could still be changed without a trace.
final class AuditSealer: Sendable {
  /// The rows sealed in one transaction: other writers wait for a few milliseconds at most.
  private static let batch = 256
  private static let interval = Duration.seconds(1)

  private let storage: ServerStorage
  private let settings: AuditSettings
  private let clock: any SessionClock
  private let logger: Logger
  /// Counts what is sealed.
  private let metrics: AuditMetrics?
  private let worker = Locked<Task<Void, Never>?>(nil)

  init(
    storage: ServerStorage, settings: AuditSettings = AuditSettings(), clock: any SessionClock, logger: Logger,
    metrics: AuditMetrics? = nil
  ) {
    self.metrics = metrics
    self.storage = storage
    self.settings = settings
    self.clock = clock
    self.logger = logger
  }

  /// Seals committed events every second, until ``stop()`` or until the value is released.
  func start() {
    worker.withLock { worker in
      guard worker == nil else { return }
      worker = Task { [weak self] in
        var seen: Int?
        while let version = await self?.pass(seen) {
          seen = version
          try? await Task.sleep(for: Self.interval)
        }
      }
    }
  }

  /// Ends, after a last pass.
  func stop() async {
    let task = worker.withLock { worker in
      defer { worker = nil }
      return worker
    }
    guard let task else { return }
    task.cancel()
    await task.value
  }

  /// Seals the events committed since the last pass.
  /// - Parameter seen: the storage's version at the last pass.
  /// - Returns: the version that is now sealed; nil after the last pass.
  private func pass(_ seen: Int?) async -> Int? {
    let isLast = Task.isCancelled
    // Elsewhere no version shows whether an event was committed.
    let version: Int? = if case .file(let watch) = storage.news { watch.version } else { nil }
    var sealed = seen
    do {
      try await storage.noteCountedRefusals(all: isLast)
      if version == nil || version != seen || isLast {
        try await storage.tellTimelines(logger, at: clock.now)
        try await seal()
        if seen == nil { try await beginWitness() }
        try await removeExpired()
        sealed = version
      }
    } catch {
      guard error.code != .storageClosed else { return nil }
      logger.error("the audit trail can't be sealed", metadata: ["error": "\(error.code)"])
    }
    return isLast ? nil : sealed ?? .min
  }

  /// Begins the file beside the database on a machine that has sealed nothing yet: another server may have sealed all that there is.
  func beginWitness() async throws(ServerError) {
    let keys = AuditKeys.of(storage).seals
    guard let witness = AuditWitness(of: storage), (try? witness.read(keys: keys)) == .absent,
      let end = try await storage.read({ db in try AuditMark.end.find(in: db) }), !end.isBeginning,
      keys.all.contains(where: { AuditMark.end.isGenuine(end, key: $0.key) })
    else { return }
    do {
      try witness.keep(end, keys: keys)
    } catch {
      logger.warning("the end of the audit trail can't be kept beside the database")
    }
  }

  /// Seals all events that are committed now.
  /// - Returns: the number of rows sealed.
  @discardableResult
  func seal() async throws(ServerError) -> Int {
    var total = 0
    while true {
      let number = AuditKeys.of(storage).seals.current.number
      let isDue = try await storage.read { db in
        if try db.exists(AuditStatements.sql.hasUnsealed) { return true }
        return try number > 1 && AuditStretches(in: db).newest < number
      }
      guard isDue else { return total }
      let (rows, end) = try await sealBatch()
      metrics?.count(rows)
      total += rows.count
      if let end, let witness = AuditWitness(of: storage) {
        do {
          try witness.keep(end, keys: AuditKeys.of(storage).seals)
        } catch {
          // The row in the database has the end, too; the next batch writes the file again.
          logger.warning("the end of the audit trail can't be kept beside the database")
        }
      }
      guard rows.count == Self.batch else { return total }
    }
  }

  private func sealBatch() async throws(ServerError) -> ([AuditRecord], AuditMark.Place?) {
    let keys = AuditKeys.of(storage).seals
    return try await storage.write { db in
      guard let end = try AuditMark.end.find(isForUse: true, in: db) else { return ([], nil) }
      let key = try AuditStretches.begin(at: end, keys, in: db)
      var (number, hash) = (end.number, end.hash)
      let rows = try db.all(AuditStatements.sql.unsealed, Self.batch) { AuditRecord(&$0) }
      guard !rows.isEmpty else { return ([], nil) }
      for row in rows {
        number += 1
        hash = row.seal(after: hash, number: number, key: key)
        try db.run(AuditStatements.sql.seal, number, hash, row.id)
      }
      let place = AuditMark.end.place(number: number, hash: hash, key: key)
      try AuditMark.end.set(place, in: db)
      return (rows, place)
    }
  }

  /// Removes events that are too old, a part at a time, and seals the place where the rest begins.
  /// - Returns: the number of rows removed.
  @discardableResult
  func removeExpired() async throws(ServerError) -> Int {
    let keys = AuditKeys.of(storage).seals
    let limit = clock.now.addingTimeInterval(-settings.retention.timeInterval)
    let oldest = try await storage.read { db -> AuditRecord? in
      guard let start = try AuditMark.start.find(in: db) else { return nil }
      return try db.first(AuditStatements.sql.after, start.number, 1) { AuditRecord(&$0) }
    }
    guard let oldest, oldest.date < limit else { return 0 }
    return try await storage.write { db in
      guard let start = try AuditMark.start.find(isForUse: true, in: db) else { return 0 }
      let rows = try db.all(AuditStatements.sql.after, start.number, Self.batch) { AuditRecord(&$0) }
      guard let last = rows.prefix(while: { $0.date < limit }).last, let number = last.number, let seal = last.seal
      else { return 0 }
      guard let key = try AuditStretches(in: db).newestKey(of: keys) else { return 0 }
      try AuditMark.start.set(AuditMark.start.place(number: number, hash: seal, key: key), in: db)
      return try db.changed(by: AuditStatements.sql.removeUpTo, number)
    }
  }
}

/// How long the server keeps events.
package struct AuditSettings: Hashable, Sendable {
  /// How long an event is kept. 400 days by default, which covers a year. Older events are removed from the beginning of the
  /// chain, and the place where the rest begins is sealed.
  package var retention: Duration = .seconds(400 * 24 * 3600)

  /// The defaults.
  package init() {}
}
