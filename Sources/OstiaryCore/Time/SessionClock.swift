public import Foundation

/// Tells the time and waits. Everything in Ostiary that depends on time takes one of these, so that tests can own it.
///
/// A clock must return a wall-clock time that sessions can be compared with, and must throw `CancellationError` from
/// ``sleep(for:)`` when the task is cancelled. It must never return from ``sleep(for:)`` early otherwise.
public protocol SessionClock: Sendable {
  /// The wall-clock time.
  var now: Date { get }

  /// The time since the machine was started, which a user who sets the wall clock does not change; `nil`, the default,
  /// from a clock that does not know it.
  var uptime: Uptime? { get }

  /// Waits for `duration` of this clock's time.
  /// - Throws: `CancellationError` when the calling task is cancelled.
  func sleep(for duration: Duration) async throws
}

extension SessionClock {
  public var uptime: Uptime? { nil }

  /// The wall-clock time and the time since boot, read together.
  package var moment: Moment { Moment(wall: now, uptime: uptime) }
}

/// The machine's clock.
public struct SystemClock: SessionClock {
  /// Makes a view on the machine's clock.
  package init() {}

  public var now: Date { Date() }

  public var uptime: Uptime? { .ofThisMachine }

  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}

extension SessionClock where Self == SystemClock {
  /// The machine's clock.
  public static var system: SystemClock { SystemClock() }
}

extension Duration {
  /// The duration in seconds, for arithmetic with `Date`.
  package var seconds: TimeInterval {
    let parts = components
    return TimeInterval(parts.seconds) + TimeInterval(parts.attoseconds) * 1e-18
  }
}
