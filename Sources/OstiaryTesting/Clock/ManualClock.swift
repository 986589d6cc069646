public import Foundation
public import OstiaryCore

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let work = Task { try await retry(clock: clock) }
/// try await clock.waitForSleepers()   // it has failed once and backs off
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: SessionClock {
  private struct Sleeper: Sendable {
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    /// The wall-clock time when nothing has elapsed. Setting the wall clock moves this.
    var origin: Date
    var elapsed: Duration = .zero
    /// How often the machine has been started, and how much had elapsed when it was started last.
    var boot = (number: 1, began: Duration.zero)
    var nextID: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
  }

  private let state: Locked<State>
  private let sleeping = Observed(0)

  /// Makes a clock that shows `now`, by default a Friday in January 2027.
  public init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    state = Locked(State(origin: now))
  }

  public var now: Date { state.withLock { $0.origin.addingTimeInterval($0.elapsed.seconds) } }

  public var uptime: Uptime? {
    state.withLock { state in
      Uptime(boot: "boot \(state.boot.number)", seconds: (state.elapsed - state.boot.began).seconds)
    }
  }

  /// Starts the machine again: the time since boot begins anew, with another name. Sleepers sleep on.
  public func restartMachine() {
    state.withLock { $0.boot = ($0.boot.number + 1, $0.elapsed) }
  }

  /// How many tasks sleep now.
  public var sleepers: Int { sleeping.read { $0 } }

  public func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleepers[id] = Sleeper(deadline: state.elapsed + duration, continuation: continuation)
          sleeping.update { $0 += 1 }
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else { return }
      sleeping.update { $0 -= 1 }
      sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass: moves the wall clock and wakes every task whose time has come, earliest deadline first.
  ///
  /// A task that sleeps again when woken sleeps from the new time; advance in steps to see every round of a loop.
  public func advance(by duration: Duration) {
    guard duration > .zero else { return }
    let due = state.withLock { state in
      state.elapsed += duration
      let due = state.sleepers.filter { $0.value.deadline <= state.elapsed }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    sleeping.update { $0 -= due.count }
    for continuation in due { continuation.resume() }
  }

  /// Sets the wall clock, backwards too, as a user or a time server does. No task wakes: sleeping is not measured by
  /// the wall clock.
  public func set(to date: Date) {
    state.withLock { $0.origin = date.addingTimeInterval(-$0.elapsed.seconds) }
  }

  /// Waits until `count` tasks sleep.
  /// - Throws: ``WaitTimedOut`` when they don't within `limit` of real time.
  public func waitForSleepers(_ count: Int = 1, within limit: Duration = .seconds(120)) async throws {
    _ = try await sleeping.wait(for: "\(count) sleepers", within: limit) { $0 >= count ? true : nil }
  }
}
