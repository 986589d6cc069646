internal import GRDB
internal import OstiaryCore

/// Lets concurrent writes share a transaction: they wait for the disk only once.
///
/// While one transaction is under way the next writes are collected; the next transaction takes them all. If one write
/// fails, the transaction is rolled back and repeated with a savepoint for each write: a failed write does not affect
/// the others. No caller gets its result before the commit is durable.
final class CommitGroup: Sendable {
  /// With more, the first callers would wait too long.
  private static let most = 256

  private let queue = Locked(Queue())

  private struct Queue {
    var waiting: [any GroupMember] = []
    var isRunning = false

    /// Whether there is more to do; if not, the next write begins anew.
    mutating func continues() -> Bool {
      isRunning = !waiting.isEmpty
      return isRunning
    }

    mutating func next() -> [any GroupMember]? {
      guard continues() else { return nil }
      let batch = Array(waiting.prefix(CommitGroup.most))
      waiting.removeFirst(batch.count)
      return batch
    }
  }

  private let habits: StorageHabits

  init(habits: StorageHabits) {
    self.habits = habits
  }

  /// Runs `body` in a transaction of `writer`, perhaps together with other writes. The changes are durable when it returns.
  func write<Value: Sendable>(
    to writer: any DatabaseWriter, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let member = Member(body: body, continuation: continuation)
      let isFirst = queue.withLock { queue in
        queue.waiting.append(member)
        defer { queue.isRunning = true }
        return !queue.isRunning
      }
      if isFirst { commitNext(with: writer) }
    }
  }

  /// Runs the writes that are waiting, on the engine's own thread: between two transactions nothing waits for a thread
  /// of Swift's tasks, which the requests keep busy. Other writers have their turn after each transaction.
  private func commitNext(with writer: any DatabaseWriter) {
    writer.asyncWriteWithoutTransaction { [self] db in
      guard let batch = queue.withLock({ $0.next() }) else { return }
      commit(batch, in: db)
      if queue.withLock({ $0.continues() }) { commitNext(with: writer) }
    }
  }

  private func commit(_ batch: [any GroupMember], in db: GRDB.Database) {
    do {
      do {
        try db.inTransaction {
          for member in batch {
            do { try member.run(in: db, habits) } catch { throw MemberFailure(underlying: error) }
          }
          return .commit
        }
      } catch let failure as MemberFailure {
        // Savepoints cost as much as the work itself, and failures are rare.
        guard batch.count > 1 else { throw failure.underlying }
        try db.inTransaction {
          for member in batch { try member.runInSavepoint(of: db, habits) }
          return .commit
        }
      }
      for member in batch { member.finish() }
    } catch {
      for member in batch { member.fail(error) }
    }
  }

  /// One member's work has failed, not the transaction.
  private struct MemberFailure: Error {
    let underlying: any Error
  }
}

private protocol GroupMember: Sendable {
  /// Runs the work; an error ends the transaction.
  func run(in db: GRDB.Database, _ habits: StorageHabits) throws
  /// Runs the work, and rolls back only this work if it fails; throws if the whole transaction has ended.
  func runInSavepoint(of db: GRDB.Database, _ habits: StorageHabits) throws
  /// The work is durable, or its own failure is final.
  func finish()
  /// The transaction has failed.
  func fail(_ error: any Error)
}

private final class Member<Value: Sendable>: GroupMember {
  private let body: @Sendable (StorageConnection) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private let result = Locked<Result<Value, any Error>?>(nil)

  init(
    body: @escaping @Sendable (StorageConnection) throws -> Value, continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(in db: GRDB.Database, _ habits: StorageHabits) throws {
    let value = try habits.write(in: db, body)
    result.withLock { $0 = .success(value) }
  }

  func runInSavepoint(of db: GRDB.Database, _ habits: StorageHabits) throws {
    do {
      try db.inSavepoint {
        try run(in: db, habits)
        return .commit
      }
    } catch {
      // A full disk ends the transaction, not only the savepoint: the next member's work would be in no transaction.
      guard db.isInsideTransaction else { throw error }
      result.withLock { $0 = .failure(error) }
    }
  }

  func finish() {
    guard let result = result.withLock({ $0 }) else { return fail(CancellationError()) }
    continuation.resume(with: result)
  }

  func fail(_ error: any Error) {
    continuation.resume(throwing: error)
  }
}
