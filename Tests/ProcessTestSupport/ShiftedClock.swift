public import Foundation
public import OstiaryCore

/// The machine's clock, set ahead: several processes can be told the same time of tomorrow. Waiting takes its time.
public final class ShiftedClock: SessionClock {
  private let offset: Locked<Double>

  public init(ahead: Double = 0) {
    offset = Locked(ahead)
  }

  /// How far it is ahead, in seconds.
  public var ahead: Double {
    get { offset.withLock { $0 } }
    set { offset.withLock { $0 = newValue } }
  }

  public var now: Date { Date().addingTimeInterval(ahead) }

  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}
