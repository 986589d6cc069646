internal import Ostiary

/// A challenge that a handler is answering. Requests that wait for the handler's answer wait here.
final class PendingChallenge: Sendable {
  /// How a challenge ends.
  enum Ending: Sendable {
    /// The handler has answered the challenge: all waiting requests are sent again.
    case answered
    /// The handler gave the challenge's own response back.
    case givenBack
    /// The handler has submitted too many login forms.
    case exhausted
    /// The handler does not want to go on.
    case cancelled
    /// The handler has gone.
    case abandoned
  }

  private struct State: Sendable {
    var ending: Ending?
    var waiter: CheckedContinuation<Ending, Never>?
    var forms = 0
  }

  /// The response that began it.
  let response: ResponseIdentity
  private let state = Locked(State())

  init(_ response: ResponseIdentity) {
    self.response = response
  }

  /// Whether it has ended.
  var isOver: Bool { state.withLock { $0.ending != nil } }

  /// Whether too many login forms have been submitted for it.
  var isExhausted: Bool { state.withLock { $0.ending == .exhausted } }

  /// Whether a login form has been submitted for it.
  var wasFormSubmitted: Bool { state.withLock { $0.forms > 0 } }

  /// Notes that a login form is on its way, unless there have been too many of them: that ends it.
  func noteForm(limit: Int) {
    let isOneTooMany = state.withLock { state in
      state.forms += 1
      return state.forms > limit
    }
    if isOneTooMany { end(.exhausted) }
  }

  /// Ends it, unless it has ended.
  func end(_ ending: Ending) {
    let waiter = state.withLock { state -> CheckedContinuation<Ending, Never>? in
      guard state.ending == nil else { return nil }
      state.ending = ending
      return state.waiter.take()
    }
    waiter?.resume(returning: ending)
  }

  /// Waits for the end, which the waiting task's own cancellation is, too.
  func ending() async -> Ending {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Ending? in
          if state.ending == nil { state.waiter = continuation }
          return state.ending
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      end(.cancelled)
    }
  }
}
