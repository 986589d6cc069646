import Dispatch
internal import OstiaryCore

/// The jobs that wait for a ``HashPool``'s threads. Its own object, so that the threads don't keep the pool alive.
final class HashQueue: Sendable {
  typealias Job = @Sendable () -> Void

  private let state = Locked(State())
  private let signal = DispatchSemaphore(value: 0)

  private struct State {
    var jobs: [Job] = []
    var next = 0
  }

  func add(_ job: @escaping Job) {
    state.withLock { $0.jobs.append(job) }
    signal.signal()
  }

  /// Waits for the next job, in the order they came; nothing once the queue is closed and empty.
  func next() -> Job? {
    signal.wait()
    let job: Job? = state.withLock { state in
      guard state.next < state.jobs.count else { return nil }
      let job = state.jobs[state.next]
      state.next += 1
      // Drop what is done, seldom enough to cost nothing.
      if state.next >= 64 || state.next == state.jobs.count {
        state.jobs.removeFirst(state.next)
        state.next = 0
      }
      return job
    }
    // Closed: pass the word on to the next thread.
    if job == nil { signal.signal() }
    return job
  }

  /// Lets every thread go once the jobs are done. Nothing may be added afterwards.
  func close() { signal.signal() }
}
