internal import Ostiary
internal import OstiaryPega
internal import PMAuthentication

/// What both kinds of view controller do.
extension PMSnapStartViewController {
  /// How long an action may take.
  package static nonisolated let timeout = Duration.seconds(20)

  /// Begins an action in place of the one that is under way.
  /// - Returns: the action's number.
  func begin(_ action: PMSnapStartAction) -> Int {
    if let older = turns.begin(action) {
      let error = OstiaryError(.interactionCancelled, "A newer action has taken the place of this one.")
      tell(.failed(PMAuthenticationError.nsError(error)), of: older)
    }
    tell(.started, of: action)
    return turns.newest
  }

  /// Ends an action, unless it has ended before.
  func end(_ turn: Int, with error: (any Error)? = nil) {
    guard let action = turns.end(turn) else { return }
    tell(error.map { .failed(PMAuthenticationError.nsError($0)) } ?? .finished, of: action)
  }

  /// Tells the delegate. In Objective-C its methods are optional.
  private func tell(_ event: Event, of action: PMSnapStartAction) {
    switch event {
    case .started: delegate?.snapStartController(self, didStartAction: action)
    case .finished: delegate?.snapStartController(self, didFinishAction: action)
    case .failed(let error): delegate?.snapStartController(self, didFailAction: action, withError: error)
    }
  }

  /// What becomes of an action.
  private enum Event {
    case started
    case finished
    case failed(any Error)
  }
}
