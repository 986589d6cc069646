internal import Dispatch

/// Work that blocks its thread, such as reading a file. The threads that run tasks are few, and must not be blocked.
package enum BlockingWork {
  /// Does the work on a thread of its own.
  /// - Throws: what the work throws.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }
}
