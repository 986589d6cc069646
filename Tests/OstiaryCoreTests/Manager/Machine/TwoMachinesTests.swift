import OstiaryTesting
import Testing

@testable import OstiaryCore

/// One session in several processes, without a process: see `SharedWorld`.
@Suite("Two machines on one store") struct TwoMachinesTests {
  enum Setting: String, CaseIterable, CustomTestStringConvertible {
    case tokens, forgivingTokens, tokensInDatabase, cookies, cookiesWithGrace
    case tokensWithCookies, returningCookies, putBack, olderVersion, everything

    /// - Parameter seed: chooses the rules of a life that can have any.
    func rules(_ seed: UInt64) -> StrictServer.Rules {
      switch self {
      case .tokens: .init()
      case .forgivingTokens: .init(isForgiving: true)
      case .tokensInDatabase: .init(accessCanBeLost: true)
      case .cookies: .init(hasTokens: false, rolls: true, endsByGoodProof: true)
      case .cookiesWithGrace: .init(hasTokens: false, rolls: true, hasGrace: true, accessCanBeLost: true)
      case .tokensWithCookies: .init(rolls: true, accessCanBeLost: true, signsInAnew: true)
      case .returningCookies: .init(hasTokens: false, rolls: true, returns: true, endsByGoodProof: true)
      case .putBack: .init(rolls: true, putsBack: true)
      case .olderVersion: .init(accessCanBeLost: true, hasOlderVersion: true, signsInAnew: true)
      case .everything: .any(seed)
      }
    }
    var testDescription: String { rawValue }
  }

  @Test("No life of two machines loses a session by accident", arguments: Setting.allCases)
  func lives(_ setting: Setting) {
    for seed in Storm.seeds(1_000, full: 100_000, partFrom: 0, variable: "OSTIARY_LIVES") {
      var world = SharedWorld(setting.rules(seed), seed: seed)
      world.live(steps: 150)
      guard let broken = world.broken else { continue }
      var again = SharedWorld(setting.rules(seed), seed: seed, isTracing: true)
      again.live(steps: 150)
      Issue.record("seed \(seed): \(broken)\n\(again.way.joined(separator: "\n"))")
      return
    }
  }
}
