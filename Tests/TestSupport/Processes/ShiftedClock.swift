package import Foundation
import OstiaryCore

/// The machine's clock, set ahead: several processes can be told the same time of tomorrow. Waiting takes its time.
package final class ShiftedClock: SessionClock {
  private let offset: Locked<Double>

  package init(ahead: Double = 0) {
    offset = Locked(ahead)
  }

  /// How far it is ahead, in seconds.
  package var ahead: Double {
    get { offset.withLock { $0 } }
    set { offset.withLock { $0 = newValue } }
  }

  package var now: Date { Date().addingTimeInterval(ahead) }

  package func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}
