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

  /// The response that began it.
  let response: ResponseIdentity
  private let work = SharedWork<Ending>()
  private let forms = Locked(0)

  init(_ response: ResponseIdentity) {
    self.response = response
  }

  /// Whether it has ended.
  var isOver: Bool { work.known != nil }

  /// Whether too many login forms have been submitted for it.
  var isExhausted: Bool { (try? work.known?.get()) == .exhausted }

  /// Whether a login form has been submitted for it.
  var wasFormSubmitted: Bool { forms.withLock { $0 > 0 } }

  /// Notes that a login form is on its way, unless there have been too many of them: that ends it.
  func noteForm(limit: Int) {
    let count = forms.withLock { forms in
      forms += 1
      return forms
    }
    if count > limit { end(.exhausted) }
  }

  /// Ends it, unless it has ended.
  func end(_ ending: Ending) {
    work.finish(.success(ending))
  }

  /// Waits for the end, which the waiting task's own cancellation is, too.
  func ending() async -> Ending {
    if (try? await work.value()) == nil { end(.cancelled) }
    return (try? await work.outcome.get()) ?? .cancelled
  }
}
