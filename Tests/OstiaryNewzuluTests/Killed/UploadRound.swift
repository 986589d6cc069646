import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// One upload by several processes, one after the other: each is killed at one step, and the file is changed meanwhile.
struct UploadRound: Sendable {
  /// What happens to one process.
  struct Attempt: Sendable {
    enum Kill: Sendable {
      /// The process kills itself at its step of this number.
      case step(Int)
      /// The platform kills it at its request of this number, before or after it has acted.
      case request(Int, acts: Bool)
      case none
    }

    var kill: Kill
    var change: ChangingFile.Change?
    var keepsDate: Bool
    /// The request at which the file is changed; `nil` for after the end of the process.
    var changeAt: Int?
    /// Of how many requests one is lost, or its answer; 0 loses none.
    var losses: Int
  }

  let seed: UInt64
  let size: Int
  let partSize: Int64
  let parallelParts: Int
  let journalDelay: Double
  let readsWhileSending: Bool
  let canResume: Bool
  /// Whether the disk of the journal becomes full at a request of the first process.
  let fullAt: Int?
  let attempts: [Attempt]

  init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    self.seed = seed
    size = number(300...1500)
    partSize = Int64(number(60...200))
    parallelParts = number(1...3)
    journalDelay = number(0...2) == 0 ? 3600 : 0
    readsWhileSending = number(0...1) == 0
    canResume = number(0...3) > 0
    fullAt = number(0...7) == 0 ? number(1...8) : nil
    let isFull = fullAt != nil
    let killed = number(1...3)
    attempts = (0..<killed + number(0...1)).map { index in
      // The first process is killed in any case; one that goes on may have come to its end before that. The last one may see
      // the file change and live.
      let kill: Attempt.Kill =
        switch (index, number(0...1)) {
        case (killed, _): .none
        case (0, 0): .step(number(16...55))
        case (_, 0): .step(number(8...60))
        case (0, _): .request(number(1...4), acts: number(0...1) == 0)
        default: .request(number(1...6), acts: number(0...1) == 0)
        }
      var change = number(0...1) == 0 ? nil : ChangingFile.Change.allCases.randomElement(using: &generator)
      // Without a journal nothing tells bytes that were written again from those that were published.
      if isFull, change == .rewritten { change = nil }
      return Attempt(
        kill: kill, change: change, keepsDate: !isFull && number(0...1) == 0,
        changeAt: index == killed || number(0...1) == 0 ? number(1...8) : nil, losses: number(0...3) == 0 ? 8 : 0)
    }
  }

  /// Plays the round and judges what is at the platform afterwards.
  func play() async throws {
    try await withTemporaryFolder { folder in
      let world = try UploadWorld(self, in: folder)
      for (index, attempt) in attempts.enumerated() {
        if try await world.run(attempt, seed: seed &+ UInt64(index)) { return try await world.judge() }
        if attempt.changeAt == nil, let change = attempt.change {
          try world.file.change(change, keepsDate: attempt.keepsDate)
        }
      }
      try await world.finish()
      try await world.judge()
    }
  }
}
