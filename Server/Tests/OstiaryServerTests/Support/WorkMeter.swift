import Foundation
import GRDB
import OstiaryCore

@testable import OstiaryServer

/// What the server did for one call, counted. Two calls with equal counts can't be told apart by the time that they take,
/// and counting them depends on no clock.
struct Work: Hashable, Sendable, CustomStringConvertible {
  /// The sum of the hashes' work (memory times passes).
  var hashes = 0
  /// How often each statement was executed. Values are left out; those of known and unknown names differ.
  var statements: [String: Int] = [:]
  /// Rows inserted, updated and deleted.
  var rows = 0
  /// Mails put into the outbox, blanks included.
  var mails = 0

  var description: String {
    let list = statements.sorted { $0.key < $1.key }.map { "  \($0.value) × \($0.key.prefix(100))" }
    return "\(hashes) of hashes, \(rows) rows, \(mails) mails, statements:\n" + list.joined(separator: "\n")
  }
}

/// Counts the work of calls. The storage is one in memory: it has a single connection, which this watches.
final class WorkMeter: Sendable {
  /// Executed for one flow and one submission in 256, chosen by chance, of any user; see FlowHousekeeping.
  private static let byChance: Set = ["SELECT count(*) FROM flows", "SELECT count(*) FROM repeated_submissions"]

  /// How often each transaction's statements are executed.
  private static let runs = StorageHabits.standard.rehearses ? 2 : 1

  private let base: IdentityWorld
  private let statements = Locked<[String: Int]>([:])

  init(_ base: IdentityWorld) async throws {
    self.base = base
    let statements = statements
    try await base.storage.write { db in
      try db.sqlite.trace(options: .statement) { event in
        guard case .statement(let statement) = event, !Self.byChance.contains(statement.sql) else { return }
        statements.withLock { $0[statement.sql, default: 0] += 1 }
      }
    }
  }

  /// The work of `body` and of what it leaves to others, which `settle` waits for.
  func measure(
    settle: () async -> Void = {}, _ body: () async throws -> Void
  ) async throws -> Work {
    // Whether a refusal is written or counted depends on those before it, and not on the name that they were about.
    try await base.storage.noteCountedRefusals(all: true)
    let before = try await changes()
    _ = base.takeHashes()
    statements.withLock { $0 = [:] }
    try await body()
    await settle()
    let counted = statements.withLock { $0 }
    return Work(
      hashes: base.takeHashes().map(\.work).reduce(0, +), statements: counted, rows: try await changes() - before,
      mails: counted.filter { $0.key.hasPrefix("INSERT INTO outbox") }.values.reduce(0, +) / Self.runs)
  }

  private func changes() async throws -> Int {
    try await base.storage.read { db in try db.sqlite.totalChangesCount }
  }
}
