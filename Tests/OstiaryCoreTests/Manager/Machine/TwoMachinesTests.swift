import OstiaryTesting
import Testing

@testable import OstiaryCore

/// One session in several processes, without a process: see `SharedWorld`.
@Suite("Two machines on one store") struct TwoMachinesTests {
  enum Setting: String, CaseIterable, CustomTestStringConvertible {
    case tokens, forgivingTokens, tokensInDatabase, cookies, cookiesWithGrace

    var rules: StrictServer.Rules {
      switch self {
      case .tokens: .init()
      case .forgivingTokens: .init(isForgiving: true)
      case .tokensInDatabase: .init(accessCanBeLost: true)
      case .cookies: .init(hasTokens: false)
      case .cookiesWithGrace: .init(hasTokens: false, hasGrace: true, accessCanBeLost: true)
      }
    }
    var testDescription: String { rawValue }
  }

  @Test("No life of two machines loses a session by accident", arguments: Setting.allCases)
  func lives(_ setting: Setting) {
    for seed in Storm.seeds(2_000, full: 100_000, partFrom: 0, variable: "OSTIARY_LIVES") {
      var world = SharedWorld(setting.rules, seed: seed)
      world.live(steps: 150)
      guard let broken = world.broken else { continue }
      var again = SharedWorld(setting.rules, seed: seed, isTracing: true)
      again.live(steps: 150)
      Issue.record("seed \(seed): \(broken)\n\(again.way.joined(separator: "\n"))")
      return
    }
  }
}
