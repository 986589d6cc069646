import Dispatch
internal import OstiaryCore

/// The jobs that wait for a `HashPool`'s threads. It is a separate object: the threads must not keep the pool alive.
final class HashQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private let state = Locked(State())
  private let signal = DispatchSemaphore(value: 0)

  private struct State {
    /// The waiting jobs, by rank and, with equal rank, in the order in which they came. At most as many as the pool has places.
    var jobs: [(rank: Int, job: Job)] = []
  }

  /// - Parameter rank: jobs of a lower rank run first.
  func add(rank: Int, _ job: @escaping Job) {
    state.withLock { state in
      let index = state.jobs.lastIndex { $0.rank <= rank }.map { $0 + 1 } ?? 0
      state.jobs.insert((rank, job), at: index)
    }
    signal.signal()
  }

  /// Waits for the next job; nil once the queue is closed and empty.
  func next() -> Job? {
    signal.wait()
    let job: Job? = state.withLock { state in
      state.jobs.isEmpty ? nil : state.jobs.removeFirst().job
    }
    // The queue is closed: wake the next thread too.
    if job == nil { signal.signal() }
    return job
  }

  var count: Int { state.withLock { $0.jobs.count } }

  /// Lets every thread end once the jobs are done. No job may be added afterwards.
  func close() { signal.signal() }
}
