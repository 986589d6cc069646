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
