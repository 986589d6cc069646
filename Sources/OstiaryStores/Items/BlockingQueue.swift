import Dispatch

/// Runs calls that block, one at a time, on a thread that is not needed for Swift's tasks.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs `work`. What was begun is finished, also when the task is cancelled.
  func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
    return try result.get()
  }
}
