internal import Foundation
internal import OstiaryCore

/// The machine's clock, which a demonstration can put forward.
final class DemoClock: SessionClock {
  private let lead = Locked<TimeInterval>(0)

  var now: Date { Date().addingTimeInterval(lead.withLock { $0 }) }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  /// Puts it forward.
  func advance(by seconds: TimeInterval) { lead.withLock { $0 += seconds } }
}
