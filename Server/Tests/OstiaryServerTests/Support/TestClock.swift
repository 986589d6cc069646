import Foundation
import OstiaryCore

/// A clock that stands still until it is told to move.
final class TestClock: SessionClock {
  private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }
  func advance(by duration: Duration) {
    time.withLock { $0 += TimeInterval(duration.components.seconds) }
  }
  func sleep(for duration: Duration) async throws {}
}
