import Foundation
internal import OstiaryCore

/// Decides when a feature removes its old rows: after so many calls, or so many seconds. Each server counts for itself: that only
/// means that they tidy up more often.
final class TidyingTurns: Sendable {
  private let calls: Int
  private let seconds: TimeInterval
  private let state = Locked((calls: 0, last: Date.distantPast))

  init(every calls: Int, seconds: TimeInterval) {
    self.calls = calls
    self.seconds = seconds
  }

  /// Counts a call. Returns whether it is time.
  func isDue(now: Date) -> Bool {
    state.withLock { state in
      state.calls += 1
      guard state.calls >= calls || abs(now.timeIntervalSince(state.last)) >= seconds else { return false }
      state = (0, now)
      return true
    }
  }
}
