import OstiaryTesting

/// One life, whose order a seed decides.
package protocol SimulatedLife {
  /// How many requests were judged so far.
  var judged: Int { get }
  /// Lives, and returns what was wrong.
  func run() -> [String]
}

/// Lives of one kind, one after another on one thread.
package enum Lives {
  /// What came of them.
  package struct Outcome: Sendable {
    /// The first things that were wrong in each broken life: three lives at most.
    package var broken: [String] = []
    package var judged = 0
  }

  /// Lives as many lives as a run of the tests wants; `OSTIARY_TWO_USERS` gives it another number.
  /// - Parameters:
  ///   - part: how many lives the tests have, from the first seed on.
  ///   - full: how many lives the storms have.
  ///   - requests: how many requests a life has on average, at least.
  /// - Returns: what was wrong: the broken lives, or why nothing was tested.
  package static func broken(
    of part: Int, full: Int, requests: Double = 1,
    _ make: @escaping @Sendable (UInt64, TaskCapture) throws -> any SimulatedLife
  ) async -> [String] {
    guard TaskCapture.isAvailable else { return ["The runtime has no hook for enqueueing; nothing was tested."] }
    let seeds = Storm.seeds(part, full: full, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let outcome = await live(seeds, make)
    let isEnough = Double(outcome.judged) > requests * Double(seeds.count) || seeds.count < 100
    return isEnough || !outcome.broken.isEmpty ? outcome.broken : ["too few requests were judged: \(outcome.judged)"]
  }

  package static func live(
    _ seeds: Range<UInt64>, _ make: @escaping @Sendable (UInt64, TaskCapture) throws -> any SimulatedLife
  ) async -> Outcome {
    await TaskCapture.onThread { capture in
      var outcome = Outcome()
      for seed in seeds where outcome.broken.count < 3 {
        do {
          let life = try make(seed, capture)
          let violations = life.run()
          outcome.judged += life.judged
          if !violations.isEmpty { outcome.broken.append(violations.prefix(3).joined(separator: "\n")) }
        } catch {
          outcome.broken.append("seed \(seed): \(error)")
        }
      }
      return outcome
    }
  }
}
