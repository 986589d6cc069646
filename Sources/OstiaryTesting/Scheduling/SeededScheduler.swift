import OstiaryCore

/// Runs several tasks step by step in an order that a seed decides, to explore how they can get in each other's way.
///
/// The tasks stop at every ``checkpoint(_:)`` they or the doubles they use pass; the scheduler waits until nothing moves
/// any more, chooses one of those that stand at a checkpoint, and lets it go on to its next.
///
/// ```swift
/// @Test(arguments: 0..<200 as Range<UInt64>)
/// func signOutDuringRenewal(seed: UInt64) async throws {
///   let scheduler = SeededScheduler(seed: seed)
///   let transport = server.transport(checkpoint: scheduler.checkpoint)
///   try await scheduler.run([
///     "renewal": { _ = try? await manager.session() },
///     "sign-out": { await manager.signOut() },
///   ])
///   #expect(server.signedInUsers.isEmpty, "\(scheduler)")
/// }
/// ```
///
/// What goes through checkpoints happens in the chosen order on every machine. What lies between two checkpoints runs
/// freely, so the same seed nearly always, but not by law, gives the same steps. To replay a failure for certain, pass
/// the steps it printed to ``init(replaying:)``.
public final class SeededScheduler: Sendable {
  private struct Parked: Sendable {
    let label: String
    let party: String?
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var isRunning = false
    var living = 0
    var parked: [Parked] = []
    /// Counts arrivals and ends: as long as it changes, something moves.
    var changes = 0
    /// The party that was let go and has not been seen since.
    var moving: String?
    var steps: [String] = []
    var generator: SplitMix64

    mutating func arrived(_ party: String?) {
      changes += 1
      if moving == party { moving = nil }
    }
  }

  /// A schedule that did not end well.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The seed, and the steps so far.
    public let schedule: String
    /// The task that threw, or `nil` when none could go on.
    public let task: String?
    /// What it threw.
    public let underlying: any Error

    public var description: String {
      "\(task.map { "The task \($0) threw" } ?? "The tasks are stuck:") \(underlying) (\(schedule))"
    }
  }

  @TaskLocal private static var party: String?

  /// The seed.
  public let seed: UInt64
  private let script: [String]
  private let settling: Int
  /// How long a task that was let go may stay away before it is taken to wait for another.
  private let patience = Duration.milliseconds(10)
  private let state: Observed<State>

  /// Makes a scheduler.
  /// - Parameters:
  ///   - seed: decides the order.
  ///   - settling: how many times in a row to look away and find nothing changed before a choice is made.
  public init(seed: UInt64, settling: Int = 100) {
    self.seed = seed
    self.settling = settling
    script = []
    state = Observed(State(generator: SplitMix64(seed: seed)))
  }

  /// Makes a scheduler that follows steps recorded in ``steps``.
  public init(replaying steps: [String]) {
    seed = 0
    settling = 100
    script = steps
    state = Observed(State(generator: SplitMix64(seed: 0)))
  }

  /// The choices so far, each as the task's name and the place where it stood.
  public var steps: [String] { state.read(\.steps) }

  /// Stops here until the scheduler chooses this task. Passes when no ``run(_:within:)`` is under way.
  public func checkpoint(_ place: String) async {
    let label = Self.party.map { "\($0): \(place)" } ?? place
    await withCheckedContinuation { continuation in
      let isParked = state.update { state in
        guard state.isRunning else { return false }
        state.parked.append(Parked(label: label, party: Self.party, continuation: continuation))
        state.arrived(Self.party)
        return true
      }
      if !isParked { continuation.resume() }
    }
  }

  /// Runs tasks, each from a checkpoint of its own, until all have ended. Every other task at a checkpoint then goes on
  /// freely.
  /// - Parameter limit: how long of real time to wait for something to move.
  /// - Throws: ``Failure`` when a task throws, or when none can go on.
  public func run(
    _ tasks: KeyValuePairs<String, @Sendable () async throws -> Void>, within limit: Duration = .seconds(120)
  ) async throws {
    state.update { state in
      state.isRunning = true
      state.living = tasks.count
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, body) in tasks {
        group.addTask { try await self.live(name, body) }
      }
      defer { self.open() }
      // Work that was begun before may stand at a checkpoint, too.
      _ = try await state.wait(for: "the tasks to start", within: limit) { state in
        state.parked.count { $0.party != nil } == tasks.count ? true : nil
      }
      while state.read({ $0.living > 0 }) {
        if Task.isCancelled { throw CancellationError() }
        try await step(within: limit)
      }
      try await group.waitForAll()
    }
  }

  private func live(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
    try await Self.$party.withValue(name) {
      defer {
        state.update { state in
          state.living -= 1
          state.arrived(name)
        }
      }
      await checkpoint("starts")
      do {
        try await body()
      } catch {
        throw Failure(schedule: description, task: name, underlying: error)
      }
    }
  }

  private func step(within limit: Duration) async throws {
    let count = state.read(\.steps.count)
    do {
      if count < script.count {
        let next = script[count]
        _ = try await state.wait(for: "“\(next)”", within: limit) { state in
          state.living == 0 || state.parked.contains { $0.label == next } ? true : nil
        }
        // The next may stand there already while the one before has not done its part yet.
        await settle(noChanges: 0)
        choose { parked in parked.firstIndex { $0.label == next } }
      } else {
        _ = try await state.wait(for: "a task at a checkpoint", within: limit) { state in
          state.living == 0 || !state.parked.isEmpty ? true : nil
        }
        await settle(noChanges: settling)
        choose { parked, generator in parked.indices.randomElement(using: &generator) }
      }
    } catch let error as WaitTimedOut {
      throw Failure(schedule: description, task: nil, underlying: error)
    }
  }

  /// Waits until nothing moves any more.
  /// - Parameter noChanges: how many times in a row to look away and find nothing changed.
  private func settle(noChanges: Int) async {
    var changes = state.read(\.changes)
    var quiet = 0
    var since = ContinuousClock.now
    while true {
      // A task that was let go and is not back may still be at work, have its thread put off by the system, or wait for
      // another task: it gets more time.
      let isMoving = state.read { $0.moving != nil }
      if isMoving ? quiet >= 2000 && since.duration(to: .now) > patience : quiet >= noChanges { return }
      await Task.yield()
      let now = state.read(\.changes)
      if now == changes {
        quiet += 1
      } else {
        (quiet, since) = (0, .now)
      }
      changes = now
    }
  }

  private func choose(_ pick: ([Parked]) -> Int?) {
    choose { parked, _ in pick(parked) }
  }

  private func choose(_ pick: ([Parked], inout SplitMix64) -> Int?) {
    let chosen = state.update { state -> Parked? in
      // In the order of their names, so that the choice does not depend on who came first.
      state.parked.sort { $0.label < $1.label }
      guard let index = pick(state.parked, &state.generator) else { return nil }
      let chosen = state.parked.remove(at: index)
      state.steps.append(chosen.label)
      state.moving = chosen.party
      return chosen
    }
    chosen?.continuation.resume()
  }

  /// Lets every task go on.
  private func open() {
    let parked = state.update { state in
      state.isRunning = false
      defer { state.parked = [] }
      return state.parked
    }
    for task in parked { task.continuation.resume() }
  }
}

extension SeededScheduler: CustomStringConvertible {
  /// The seed and the steps: what to print when a test fails.
  public var description: String { "seed \(seed), steps: \(steps)" }
}

/// A place in a test double where a test may hold the task that passes: the argument names the place.
///
/// Pass ``SeededScheduler/checkpoint(_:)``, or a function of your own.
public typealias Checkpoint = @Sendable (String) async -> Void

/// A small random number generator whose numbers depend on the seed alone (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014). For tests; it keeps no secret.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator that always gives the same numbers for the same seed.
  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
