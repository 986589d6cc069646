import Dispatch
internal import OstiaryCore

/// The call that has ended something, while it waits for the other nodes.
///
/// It returns at the latest when the patience is over, also if the thread that looks at the nodes does nothing any more.
final class EndWaiter: Sendable {
  private struct State {
    var outcome: EndWait.Outcome?
    var continuation: CheckedContinuation<EndWait.Outcome, Never>?
  }

  private let state = Locked(State())
  private let deadline: ContinuousClock.Instant

  init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

  var outcome: EndWait.Outcome {
    get async {
      await withCheckedContinuation { continuation in
        let known: EndWait.Outcome? = state.withLock { state in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome
        }
        if let known { return continuation.resume(returning: known) }
        expire()
      }
    }
  }

  /// Ends the wait; a later outcome counts for nothing.
  func finish(_ outcome: EndWait.Outcome) {
    let continuation: CheckedContinuation<EndWait.Outcome, Never>? = state.withLock { state in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// No node believes any more what it believed before the commit.
  private func expire() {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return finish(.ended) }
    // The other clock may run at another rate. The thread has a turn before.
    let pause = left + .milliseconds(20)
    DispatchQueue.global().asyncAfter(deadline: .now() + pause.timeInterval) { [self] in
      if state.withLock({ $0.outcome == nil }) { expire() }
    }
  }
}
