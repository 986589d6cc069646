/// Exclusive access to a store, held by a body that runs the session's store actions until it is let go.
///
/// A store may know by the task, a task-local value for example, who has exclusive access. So the actions run in the body's
/// own task. Cancelling that task changes nothing: the access is held until ``release()``.
final class HeldAccess: Sendable {
  typealias Work = @Sendable () async -> Void

  private struct State: Sendable {
    var work: [Work] = []
    var isReleased = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Runs the work in the body.
  /// - Returns: `false` when the access has been let go; the work is not run then.
  func submit(_ work: @escaping Work) -> Bool {
    let (isTaken, waiting) = state.withLock { state in
      guard !state.isReleased else { return (false, CheckedContinuation<Void, Never>?.none) }
      state.work.append(work)
      return (true, state.waiting.take())
    }
    waiting?.resume()
    return isTaken
  }

  /// Lets the access go after the work that has been submitted.
  func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  /// Runs what is submitted, in order, until the access is let go.
  func run() async {
    while true {
      let (work, isOver) = state.withLock { state in
        state.work.isEmpty ? (Work?.none, state.isReleased) : (state.work.removeFirst(), false)
      }
      if let work {
        await work()
      } else if isOver {
        return
      } else {
        await wait()
      }
    }
  }

  private func wait() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard state.work.isEmpty, !state.isReleased else { return true }
        state.waiting = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}
