import Dispatch
internal import OstiaryCore

/// The jobs that wait for a `HashPool`'s threads. Its own object, so that the threads don't keep the pool alive.
final class HashQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private let state = Locked(State())
  private let signal = DispatchSemaphore(value: 0)

  private struct State {
    /// Those that wait, by rank and, among equals, in the order they came. No more than the pool has places.
    var jobs: [(rank: Int, job: Job)] = []
  }

  /// - Parameter rank: those of a lower one go first.
  func add(rank: Int, _ job: @escaping Job) {
    state.withLock { state in
      let index = state.jobs.lastIndex { $0.rank <= rank }.map { $0 + 1 } ?? 0
      state.jobs.insert((rank, job), at: index)
    }
    signal.signal()
  }

  /// Waits for the next job; nothing once the queue is closed and empty.
  func next() -> Job? {
    signal.wait()
    let job: Job? = state.withLock { state in
      state.jobs.isEmpty ? nil : state.jobs.removeFirst().job
    }
    // Closed: pass the word on to the next thread.
    if job == nil { signal.signal() }
    return job
  }

  var count: Int { state.withLock { $0.jobs.count } }

  /// Lets every thread go once the jobs are done. Nothing may be added afterwards.
  func close() { signal.signal() }
}
