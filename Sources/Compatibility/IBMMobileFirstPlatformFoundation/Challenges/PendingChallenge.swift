internal import Ostiary

/// A challenge that a handler has in hand: whoever waits for the handler's word waits here.
final class PendingChallenge: Sendable {
  /// How a challenge ends.
  enum Ending: Sendable {
    /// The handler is satisfied: everybody's requests are sent again.
    case answered
    /// The handler gave the challenge's own response back.
    case givenBack
    /// The handler does not want to go on.
    case cancelled
    /// The handler has gone.
    case abandoned
  }

  private struct State: Sendable {
    var ending: Ending?
    var waiter: CheckedContinuation<Ending, Never>?
    var wasFormSubmitted = false
  }

  /// The response that began it.
  let response: ResponseIdentity
  private let state = Locked(State())

  init(_ response: ResponseIdentity) {
    self.response = response
  }

  /// Whether it has ended.
  var isOver: Bool { state.withLock { $0.ending != nil } }

  /// Whether a login form has been submitted for it.
  var wasFormSubmitted: Bool { state.withLock { $0.wasFormSubmitted } }

  func noteForm() {
    state.withLock { $0.wasFormSubmitted = true }
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
