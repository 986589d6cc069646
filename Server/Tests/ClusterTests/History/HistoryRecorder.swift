import OstiaryCore

/// Collects the history of a cluster's clients, by one clock.
final class HistoryRecorder: Sendable {
  private struct State {
    var history = ClusterHistory()
    /// One copy of each token: half an hour has a million events.
    var texts: Set<String> = []

    mutating func only(_ text: String) -> String { texts.insert(text).memberAfterInsert }
  }

  private let start = ContinuousClock.now
  private let state = Locked(State())

  /// Seconds since it began.
  var now: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  func record(_ event: ClusterEvent) {
    state.withLock { state in
      var event = event
      event.token = state.only(event.token)
      switch event.outcome {
      case .coded(let code): event.outcome = .coded(state.only(code))
      case .issued(let access, let refresh):
        event.outcome = .issued(access: state.only(access), refresh: state.only(refresh))
      case .accepted, .refused, .unavailable, .lost, .fault: break
      }
      state.history.events.append(event)
    }
  }

  func record(_ signOut: ClusterSignOut) { state.withLock { $0.history.signOuts.append(signOut) } }

  var history: ClusterHistory { state.withLock { $0.history } }
}
