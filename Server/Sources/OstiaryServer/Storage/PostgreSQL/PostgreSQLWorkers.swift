import Foundation
internal import OstiaryCore

/// Runs jobs on a bounded number of threads, each with a connection of its own. A thread is made when a job would wait
/// otherwise.
final class PostgreSQLWorkers: Sendable {
  typealias Job = @Sendable (PostgreSQLWorker) -> Void

  private struct State {
    var jobs: [Job] = []
    var next = 0
    /// Threads that wait for a job.
    var idle = 0
    var threads = 0
    var isClosed = false
    var closed: CheckedContinuation<Void, Never>?

    var waiting: Int { jobs.count - next }

    mutating func take() -> Job? {
      guard next < jobs.count else { return nil }
      let job = jobs[next]
      next += 1
      if next == jobs.count || next >= 1024 {
        jobs.removeFirst(next)
        next = 0
      }
      return job
    }
  }

  private let most: Int
  private let mostWaiting: Int
  private let makeWorker: @Sendable () -> PostgreSQLWorker
  private let state = Locked(State())
  private let work = DispatchSemaphore(value: 0)

  init(most: Int, mostWaiting: Int, makeWorker: @escaping @Sendable () -> PostgreSQLWorker) {
    self.most = most
    self.mostWaiting = mostWaiting
    self.makeWorker = makeWorker
  }

  /// The threads, each with a connection, and the jobs that wait.
  var pool: StoragePool {
    state.withLock { state in
      StoragePool(busy: state.threads - state.idle, idle: state.idle, most: most, waiting: state.waiting)
    }
  }

  /// Runs `job` on one of the threads, in order.
  /// - Throws: `overloaded` if too many jobs wait.
  func run(_ job: @escaping Job) throws(ServerError) {
    let (isTaken, isShort) = state.withLock { state in
      guard !state.isClosed, state.waiting < mostWaiting else { return (false, false) }
      state.jobs.append(job)
      let isShort = state.waiting > state.idle && state.threads < most
      if isShort { state.threads += 1 }
      return (true, isShort)
    }
    guard isTaken else {
      throw ServerError(
        .storageOverloaded, "Too many calls wait for the database.", advice: "Try again.", retryAfter: .seconds(1))
    }
    if isShort { startThread() }
    work.signal()
  }

  /// Lets the threads end, and with them their connections, when the jobs that wait are done.
  func end() {
    let threads = state.withLock { state in
      state.isClosed = true
      return state.threads
    }
    for _ in 0..<threads { work.signal() }
  }

  /// As ``end()``, and waits for it.
  func close() async {
    await withCheckedContinuation { continuation in
      let threads = state.withLock { state in
        state.isClosed = true
        if state.threads > 0 { state.closed = continuation }
        return state.threads
      }
      if threads == 0 { return continuation.resume() }
      for _ in 0..<threads { work.signal() }
    }
  }

  private func startThread() {
    let thread = Thread { [self] in
      // The worker, and with it the connection, ends here.
      serve(makeWorker())
      let closed = state.withLock { state in
        state.threads -= 1
        guard state.threads == 0 else { return nil as CheckedContinuation<Void, Never>? }
        defer { state.closed = nil }
        return state.closed
      }
      closed?.resume()
    }
    thread.name = "ostiary.postgresql"
    thread.start()
  }

  private func serve(_ worker: PostgreSQLWorker) {
    while true {
      state.withLock { $0.idle += 1 }
      work.wait()
      let job: Job? = state.withLock { state in
        state.idle -= 1
        return state.take()
      }
      if let job {
        job(worker)
      } else if state.withLock({ $0.isClosed }) {
        return
      }
    }
  }
}
