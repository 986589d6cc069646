internal import OstiaryCore
internal import OstiaryPostgreSQL

/// PostgreSQL. A transaction that writes is `SERIALIZABLE`: it has the same result as if all transactions ran one after the
/// other, whichever server they come from.
///
/// Bodies run on threads of the engine, each with its own connection. Where transactions conflict a body is run again. A
/// change that a call has confirmed is durable as far as the server's settings `fsync` and `synchronous_commit` say.
final class PostgreSQLEngine: StorageEngine {
  let news: StorageNews
  private let keeper: LeaseKeeper
  private let workers: PostgreSQLWorkers
  private let connector: PostgreSQLConnector

  /// Connects, and makes the tables.
  /// - Parameter opening: is settled in the transaction in which the tables are made, which may be run again.
  init(
    _ database: PostgreSQLDatabase, migrations: [StorageMigration], habits: StorageHabits,
    opening: any StorageOpening
  ) throws {
    let connector = PostgreSQLConnector(database, answerTimeout: habits.answerTime)
    self.connector = connector
    try PostgreSQLSchema.migrate(PostgreSQLWorker(connector.patient, StorageHabits()), with: migrations, opening)
    let keeper = try LeaseKeeper(
      habits.leases, connect: { try connector.forLeases(habits.leases.terms) }, other: { try connector() })
    self.keeper = keeper
    news = .leases(keeper)
    let timelines = PostgreSQLTimelines(migrations)
    workers = PostgreSQLWorkers(most: database.connections, mostWaiting: database.mostWaiting) {
      PostgreSQLWorker(connector, habits, keeper, timelines)
    }
  }

  deinit {
    workers.end()
    keeper.end()
  }

  func read<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value {
    try await run(.read, nil, body)
  }

  func readUntilCancelled<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    let control = PostgreSQLJobControl()
    return try await withTaskCancellationHandler {
      do {
        return try await run(.read, control, body)
      } catch  where control.isCancelled {
        throw CancellationError()
      }
    } onCancel: {
      control.cancel()
    }
  }

  func write<Value: Sendable>(_ body: @escaping @Sendable (StorageConnection) throws -> Value) async throws -> Value {
    try await run(.write, nil, body)
  }

  func writeOnce<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    // With a connection of its own, on which no statement has a time limit.
    try await settled { [connector] _ in
      try PostgreSQLWorker(connector.patient, StorageHabits()).run(.long, nil, nil, body)
    }
  }

  func writeEnd<Value: Sendable>(
    together: Bool, _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await run(.end, nil, body)
  }

  /// PostgreSQL lets transactions that commit at the same time wait for the disk together.
  func writeTogether<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    try await run(.write, nil, body)
  }

  func close() async {
    await workers.close()
    await keeper.close()
  }

  var pool: StoragePool? { workers.pool }

  private func run<Value: Sendable>(
    _ kind: PostgreSQLTransaction.Kind, _ control: PostgreSQLJobControl?,
    _ body: @escaping @Sendable (StorageConnection) throws -> Value
  ) async throws -> Value {
    // The engine's threads have no task.
    let call = StorageCall.current
    return try await settled { worker in try worker.run(kind, control, call, body) }
  }

  /// Runs a transaction on one of the threads, and waits until every server knows what has ended by it.
  private func settled<Value: Sendable>(
    _ job: @escaping @Sendable (PostgreSQLWorker) throws -> PostgreSQLWorker.Committed<Value>
  ) async throws -> Value {
    let committed = try await onThread(job)
    if let ends = committed.ends, await keeper.settle(ends) == .unknown {
      throw PostgreSQLTransaction.UnknownOutcome(cause: nil)
    }
    return committed.value
  }

  /// Runs a job on one of the threads, and waits for it.
  private func onThread<Value: Sendable>(
    _ job: @escaping @Sendable (PostgreSQLWorker) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try workers.run { worker in
          continuation.resume(with: Result { try job(worker) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
