import Foundation
import OstiaryCore
import OstiaryTesting
import TokenTestSupport

/// Carries out and records calls about some families, against a program that does what commands say.
final class TokenHistory: Sendable {
  typealias Server = @Sendable (TokenCommand) async -> TokenAnswer?

  struct Family: Sendable {
    let first: String
    var operations: [TokenOperation] = []
    /// All tokens that a client has seen.
    var tokens: [String]
    var accessTokens: [String] = []
  }

  private struct State {
    var families: [Family]
    var moment = 0
    var commands = 0
    var time: Double
    /// Calls under way, and those that wait until there are none.
    var running = 0
    var leaping = 0

    /// Begins a call; nothing if it has to wait.
    mutating func begin(
      _ action: TokenOperation.Action, _ token: String, passing: Double
    ) -> (command: TokenCommand, start: Int)? {
      guard passing <= TokenHistory.step ? leaping == 0 : running == 0 else { return nil }
      if passing > TokenHistory.step { leaping -= 1 }
      running += 1
      time += passing
      commands += 1
      moment += 1
      let command = TokenCommand(
        id: commands, action: action == .refresh ? .refresh : .revoke, token: token, time: time)
      return (command, moment)
    }
  }

  /// Seconds that may pass while calls are under way.
  private static let step = 0.25

  private let state: Locked<State>
  private let server: Server

  /// - Parameters:
  ///   - firsts: the families' first tokens.
  ///   - server: answers a command, or nothing if it was killed first.
  init(_ firsts: [String], time: Double, server: @escaping Server) {
    state = Locked(State(families: firsts.map { Family(first: $0, tokens: [$0]) }, time: time))
    self.server = server
  }

  var families: [Family] { state.withLock { $0.families } }
  var time: Double { state.withLock { $0.time } }

  /// Uses a token of a family.
  /// - Parameters:
  ///   - passing: seconds that pass before.
  ///   - isLost: the client never hears the answer.
  /// - Returns: the answer, if the client hears it.
  func call(
    _ action: TokenOperation.Action, _ token: String, family: Int, passing: Double, isLost: Bool
  ) async -> TokenAnswer? {
    // All servers have nearly the same time: it makes no leap while a call is under way.
    if passing > Self.step { state.withLock { $0.leaping += 1 } }
    var begun = state.withLock { $0.begin(action, token, passing: passing) }
    if begun == nil {
      try? await waitUntil("a leap of time") {
        begun = state.withLock { $0.begin(action, token, passing: passing) }
        return begun != nil
      }
    }
    guard let (command, start) = begun else { return nil }
    var answer = await server(command)
    if isLost || answer?.failure != nil { answer = nil }
    state.withLock { [answer] state in
      state.moment += 1
      state.running -= 1
      state.families[family].operations.append(
        TokenOperation(
          action: action, token: token, time: command.time, start: start, end: answer == nil ? .max : state.moment,
          outcome: Self.outcome(answer)))
      if let next = answer?.refreshToken, !state.families[family].tokens.contains(next) {
        state.families[family].tokens.append(next)
      }
      if let access = answer?.accessToken { state.families[family].accessTokens.append(access) }
    }
    return answer
  }

  private static func outcome(_ answer: TokenAnswer?) -> TokenOperation.Outcome {
    guard let answer else { return .unknown }
    if let token = answer.refreshToken { return .issued(token) }
    if let refusal = answer.refusal { return .refused(refusal) }
    return answer.found.map { .found($0) } ?? .unknown
  }

  /// The families whose history no order explains.
  func unexplained(window: Double) -> [Int] {
    families.indices.filter { index in
      var checker = HistoryChecker(families[index].operations, window: window)
      return !checker.isLinearizable(first: families[index].first)
    }
  }

  /// One client that does as it likes with the families' tokens: uses the newest it has seen, or an old one, after a short
  /// or a long time; loses answers; seldom signs out.
  func misbehave(calls: Int, seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    for _ in 0..<calls {
      let family = Int(random.next() % UInt64(families.count))
      let tokens = families[family].tokens
      let age = Int(random.next() % 10)
      let token = age < 7 ? tokens[tokens.count - 1] : tokens[max(0, tokens.count - 1 - age % 3)]
      let passing: Double = random.next() % 12 == 0 ? 45 : 0.25
      _ = await call(
        random.next() % 40 == 0 ? .revoke : .refresh, token, family: family, passing: passing,
        isLost: random.next() % 5 == 0)
    }
  }
}
