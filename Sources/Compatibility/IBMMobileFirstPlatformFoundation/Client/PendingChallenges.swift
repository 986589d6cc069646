internal import Ostiary

/// The state of a challenge handler: its name, its client, and the challenge that it is answering.
///
/// It belongs to the handler, and outlives it only for callers that still wait for its answer.
final class PendingChallenges: Sendable {
  private struct State: Sendable {
    var name: String?
    var pending: PendingChallenge?
  }

  private let state: Locked<State>
  private let registration: Locked<Registration>

  /// Keeps the client without keeping it alive: a client keeps its handlers.
  private struct Registration: Sendable {
    weak var client: WLClient?
  }

  init(name: String?) {
    state = Locked(State(name: name))
    registration = Locked(Registration())
  }

  var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// The client that the handler is registered with; otherwise the process's.
  var client: WLClient {
    get { registration.withLock { $0.client } ?? .shared }
    set { registration.withLock { $0.client = newValue } }
  }

  /// Takes up a challenge. A challenge that is there already is cancelled.
  func open(_ challenge: PendingChallenge) {
    let previous = state.withLock { state -> PendingChallenge? in
      defer { state.pending = challenge }
      return state.pending
    }
    previous?.end(.cancelled)
  }

  /// Notes that a login form is on its way for the challenge in hand.
  /// - Returns: whether it may go: the one after the last that a challenge may take ends that challenge instead.
  func noteForm() -> Bool {
    guard let challenge = state.withLock({ $0.pending }) else { return true }
    challenge.noteForm(limit: client.maximumForms)
    guard challenge.isExhausted else { return true }
    state.withLock { if $0.pending === challenge { $0.pending = nil } }
    return false
  }

  /// Ends the challenge in hand; without one nothing happens.
  func end(_ ending: PendingChallenge.Ending) {
    take()?.end(ending)
  }

  /// Ends the challenge in hand as answered, or as given back if `response` is the one that began it.
  func end(with response: ResponseIdentity?) {
    guard let challenge = take() else { return }
    challenge.end(challenge.response === response ? .givenBack : .answered)
  }

  private func take() -> PendingChallenge? {
    state.withLock { $0.pending.take() }
  }
}
