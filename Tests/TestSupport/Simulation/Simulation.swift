package import Foundation
package import OstiaryCore
import OstiaryTesting

/// Decides the order of everything in one life by its seed: tasks stop at checkpoints, and when none can move, one of
/// them is chosen to go on, or time passes until the next sleeper's.
///
/// With ``TaskCapture`` all of it is on one thread, so a seed gives one order.
package final class Simulation: SessionClock, @unchecked Sendable {
  // Used by the thread of the life alone.
  private struct Parked {
    let label: String
    let continuation: CheckedContinuation<Void, Never>
  }
  private struct Sleeper {
    let id: Int
    let deadline: Double
    let continuation: CheckedContinuation<Void, any Error>
  }

  package let seed: UInt64
  private let capture: TaskCapture
  private var generator: SplitMix64
  private var parked: [Parked] = []
  private var sleepers: [Sleeper] = []
  private var lastSleeper = 0
  /// Whether checkpoints hold.
  private var isOpen = false
  package private(set) var steps: [String] = []
  /// Called after each step.
  package var afterStep: () -> Void = {}

  /// The time that really passes, in seconds: the servers' and the machine's since boot.
  package private(set) var elapsed = 0.0
  /// How far the wall clock of the machine is off.
  package var wallOffset = 0.0
  /// How often the machine was started, and when last.
  private var starts = 1
  private var startedAt = 0.0
  /// How much time has passed while something could have moved. Short waits alone end then.
  private var early = 0.0

  package static let start = Date(timeIntervalSince1970: 1_800_000_000)

  package init(seed: UInt64, capture: TaskCapture) {
    self.seed = seed
    self.capture = capture
    generator = SplitMix64(seed: seed)
  }

  // MARK: Chance

  package func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < probability }
  package func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  package func one<Choice>(of choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &generator)]
  }

  package func note(_ text: @autoclosure () -> String) { steps.append(text()) }

  // MARK: The clock

  /// The servers' time.
  package var trueTime: Date { Self.start.addingTimeInterval(elapsed) }
  package var now: Date { trueTime.addingTimeInterval(wallOffset) }
  package var uptime: Uptime? { Uptime(boot: "boot \(starts)", seconds: elapsed - startedAt) }

  package func pass(_ seconds: Double) { elapsed += seconds }

  /// The machine is started again. No moment of before can be compared with one of after by the time since boot.
  package func restartMachine() {
    starts += 1
    startedAt = elapsed
  }

  package func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    lastSleeper += 1
    let id = lastSleeper
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        sleepers.append(Sleeper(id: id, deadline: elapsed + duration.seconds, continuation: continuation))
      }
    } onCancel: {
      guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return }
      sleepers.remove(at: index).continuation.resume(throwing: CancellationError())
    }
  }

  // MARK: Steps

  /// Stops here until the seed chooses to go on.
  package func checkpoint(_ label: String) async {
    if isOpen { return }
    await withCheckedContinuation { parked.append(Parked(label: label, continuation: $0)) }
  }

  /// Lives until `isOver`, or until nothing can move and no sleeper's time comes within `horizon` seconds.
  /// - Returns: whether it was over.
  package func live(until isOver: () -> Bool = { false }, horizon: Double = 7_200, limit: Int = 20_000) -> Bool {
    var waited = 0.0
    for _ in 0..<limit {
      capture.drain()
      // No two steps happen at one instant: which of two sign-ins came first can be told.
      elapsed += 1e-6
      afterStep()
      if isOver() { return true }
      let first = sleepers.min { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
      if !parked.isEmpty {
        let wait = max(0, (first?.deadline ?? .infinity) - elapsed)
        if wait <= 3, early + wait <= 20, chance(0.1), let first {
          early += wait
          wake(first)
        } else {
          let chosen = parked.remove(at: Int.random(in: parked.indices, using: &generator))
          steps.append(chosen.label)
          chosen.continuation.resume()
        }
        continue
      }
      early = 0
      guard let first else { return false }
      waited += max(0, first.deadline - elapsed)
      guard waited <= horizon else { return false }
      wake(first)
    }
    note("too many steps")
    return false
  }

  private func wake(_ sleeper: Sleeper) {
    elapsed = max(elapsed, sleeper.deadline)
    sleepers.removeAll { $0.id == sleeper.id }
    sleeper.continuation.resume()
  }

  /// Lets everything go on and ends every sleep, so that nothing of the life is left.
  package func dissolve() {
    isOpen = true
    for _ in 0..<1_000 {
      capture.drain()
      guard !parked.isEmpty || !sleepers.isEmpty else { return }
      let (tasks, sleeping) = (parked, sleepers)
      (parked, sleepers) = ([], [])
      for task in tasks { task.continuation.resume() }
      for sleeper in sleeping { sleeper.continuation.resume(throwing: CancellationError()) }
    }
  }
}
