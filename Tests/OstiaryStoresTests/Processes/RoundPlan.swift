import Foundation
import OstiaryTesting
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What befalls the processes in one round. It depends on the seed alone.
struct RoundPlan: CustomStringConvertible, Sendable {
  enum Moment: Sendable {
    /// This one, so many milliseconds after the start.
    case later(Int, victim: Int)
    /// The first that comes to this step, or to it after another one.
    case step(String, after: String? = nil)
    /// The one whose renewal the server has done and not yet answered.
    case beforeAnswer
  }

  /// What a process that renews passes, and the moments after the answer that matter most.
  private static let steps: [(String, after: String?)] = [
    ("load begins", nil), ("load done", nil), ("lock begins", nil), ("locked", nil), ("save begins", nil),
    ("save done", nil), ("/renew begins", nil), ("/renew done", nil), ("save begins", "/renew done"),
    ("save done", "/renew done"), ("unlock begins", "/renew done"), ("unlocked", "/renew done"),
  ]

  let seed: UInt64
  /// Whether the session is past its date, or only the server knows that it has expired.
  let isPastItsDate: Bool
  let moment: Moment
  let kills: Bool
  /// How long a stopped process is left so, in milliseconds.
  let pause: Int

  init(seed: UInt64, processes: Int) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    isPastItsDate = Bool.random(using: &random)
    kills = Bool.random(using: &random)
    pause = Int.random(in: 1...120, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let victim = Int.random(in: 0..<processes, using: &random)
      moment = .later(Int.random(in: 0...60, using: &random), victim: victim)
    case 2: moment = .beforeAnswer
    default:
      let (step, earlier) = Self.steps[Int.random(in: Self.steps.indices, using: &random)]
      moment = .step(step, after: earlier)
    }
  }

  var signal: CInt { kills ? SIGKILL : SIGSTOP }

  /// The trap that each process gets.
  func trap(token: String) -> StepTrap.Trap? {
    guard case .step(let name, let earlier) = moment else { return nil }
    return StepTrap.Trap(.step(name, after: earlier), signal: signal, token: token)
  }

  var description: String {
    "seed \(seed): \(isPastItsDate ? "past its date" : "refused"), \(kills ? "killed" : "stopped \(pause) ms") \(moment)"
  }
}
