import OstiaryCore

/// What a check has to work with.
struct StoreSurroundings: Sendable {
  let limit: Duration
  let outage: StoreOutage?
  let open: StoreCheck.Opener

  /// How much longer than its patience a store may take to give up: machines are loaded.
  var slack: Duration { min(.seconds(30), limit / 4) }

  /// Runs `body`, but not longer than `limit`. What hangs is cancelled and left behind.
  static func bounded(
    _ limit: Duration, _ failure: String, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let waiting = Locked<CheckedContinuation<Void, any Error>?>(nil)
    let tasks = Locked<[Task<Void, Never>]>([])
    @Sendable func finish(_ result: Result<Void, any Error>) {
      let waiter = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      waiter?.resume(with: result)
    }
    defer { for task in tasks.withLock({ $0 }) { task.cancel() } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting.withLock { $0 = continuation }
        let work = Task {
          do {
            try await body()
            finish(.success(()))
          } catch {
            finish(.failure(error))
          }
        }
        let timer = Task {
          guard (try? await Task.sleep(for: limit)) != nil else { return }
          finish(.failure(StoreCheckFailure(failure)))
        }
        tasks.withLock { $0 = [work, timer] }
      }
    } onCancel: {
      for task in tasks.withLock({ $0 }) { task.cancel() }
      finish(.failure(CancellationError()))
    }
  }
}
