import Foundation
import OstiaryCore

/// Executes queries in the database.
///
/// `SOQLLimits` bounds a query before the database gets it. A query waits for one of a few places, ends with its client or at its
/// time limit, and reads for its answer only the records of one batch.
struct SalesforceQueries: Sendable {
  /// Counts since the start.
  struct Counts: Sendable, Hashable {
    /// Queries that the database has executed.
    var queries = 0
    /// Records that were read for answers, and their bytes.
    var records = 0
    var bytes = 0
    /// Queries that reached the time limit.
    var late = 0
    /// Queries whose client disconnected.
    var abandoned = 0
  }

  struct Batch: Sendable {
    /// The number of matching records, in all batches.
    let total: Int
    let records: [SalesforceRecord]
  }

  let storage: ServerStorage
  let places = SalesforceQueryPlaces()
  var time = SOQLLimits.time
  private let done = Locked(Counts())

  init(storage: ServerStorage) { self.storage = storage }

  var counts: Counts { done.withLock { $0 } }

  /// Some of the records that match a query.
  /// - Parameter size: The most records; fewer if they have more bytes than a batch may have.
  func batch(_ plan: SOQLPlan, from start: Int, size: Int) async throws -> Batch {
    let (query, object, org) = (plan.query, plan.object, plan.caller.org)
    let count = try plan.count()
    let first = min(query.offset + start, .max / 2)
    let rest = max(0, (query.limit ?? .max) - start)
    let page = try plan.page(from: first, size: min(size, rest))
    let readsRecords = query.fields != nil
    if object.prefix == .user { try await indexUsers() }
    let place = plan.caller.place(object)
    let (total, records, bytes) = try await ask(for: plan.caller.user) { db in
      let total = max(0, min(try db.count(count) - query.offset, query.limit ?? .max))
      guard readsRecords, start < total else { return (total, [SalesforceRecord](), 0) }
      switch object.prefix {
      case .user: return (total, try db.all(page) { SalesforceRecord(try UserRow(&$0).user) }, 0)
      case .organization: return (total, try db.all(page) { _ in SalesforceRecord(org) }, 0)
      default:
        let found = try db.all(page) { reader -> (Int64, Int) in (reader.next(), reader.next()) }
        let (numbers, bytes) = Self.fitting(found)
        return (total, try SalesforceRecords.records(numbers, place, in: db), bytes)
      }
    }
    done.withLock { done in
      done.queries += 1
      done.records += records.count
      done.bytes += bytes
    }
    return Batch(total: total, records: records)
  }

  /// The records for which a batch has room: one at least.
  private static func fitting(_ found: [(Int64, Int)]) -> (numbers: [Int64], bytes: Int) {
    var (numbers, bytes): ([Int64], Int) = ([], 0)
    for (number, size) in found {
      guard numbers.isEmpty || bytes + size <= SOQLLimits.mostBatchBytes else { break }
      numbers.append(number)
      bytes += size
    }
    return (numbers, bytes)
  }

  /// Reads until the query's time limit, or until its client disconnects.
  private func ask<Value: Sendable>(
    for user: User, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await places.withPlace(for: user.id) { try await storage.read(within: time, body) }
    } catch let error as ServerError where error.code == .workTooLong {
      done.withLock { $0.late += 1 }
      throw SalesforceDataFailure.queryTimeout
    } catch is CancellationError {
      done.withLock { $0.abandoned += 1 }
      throw CancellationError()
    }
  }

  /// Makes the missing keys of users: of new users, and of users who have changed.
  private func indexUsers() async throws(ServerError) {
    while true {
      let isComplete = try await storage.read { db in try !db.exists(SalesforceStatements.sql.userWithoutKeys, 1) }
      if isComplete { return }
      try await storage.write { db in
        let found = try db.all(SalesforceStatements.sql.userWithoutKeys, 500) { reader -> [String?] in
          [reader.next(), reader.next(), reader.next(), reader.next()]
        }
        for user in found {
          guard let id = user[0] else { continue }
          try db.run(
            SalesforceStatements.sql.addUserKeys, id, SOQLKey.of(SalesforceRecordID(.user, derivedFrom: id).long),
            user[1].map { SOQLKey.of($0) }, user[2].map { SOQLKey.of($0) }, user[3].map { SOQLKey.of($0) })
        }
      }
    }
  }
}
