/// Lets one piece of asynchronous work run at a time, in the order of arrival.
///
/// Unlike an actor it does not let another piece in while the first one waits. Unlike ``KeyedAsyncLock`` it refuses
/// no work: work runs although its caller is cancelled meanwhile. So entering can't fail, and ``run(_:)`` throws only what
/// the work throws.
package final class AsyncSerialQueue: Sendable {
  private struct State {
    var isBusy = false
    var queue: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Makes an empty queue.
  package init() {}

  /// Runs `work` when everything before it is done.
  package func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async rethrows -> Result {
    await enter()
    defer { leave() }
    return try await work()
  }

  private func enter() async {
    await withCheckedContinuation { continuation in
      let goesNow = state.withLock { state in
        if state.isBusy {
          state.queue.append(continuation)
          return false
        }
        state.isBusy = true
        return true
      }
      if goesNow { continuation.resume() }
    }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.queue.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.queue.removeFirst()
    }
    next?.resume()
  }
}
