import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Whether the tests that measure clocks were asked for: `make bench-server` runs them, one after the other and beside
/// nothing else. Beside other tests a clock tells more about the others.
let slowTests = ProcessInfo.processInfo.environment["OSTIARY_SLOW_TESTS"] != nil

/// What FlowEnumerationTests and EnumerationTests count, by the clock and at full cost.
@Suite(
  "Clocks: known and unknown names take the same time", .enabled(if: slowTests), .serialized,
  .timeLimit(.minutes(240)))
struct EnumerationClockTests {
  /// The most that what is known may be told from what is not: how far from a half the share of pairs is in which the one
  /// that is known takes longer (Mann–Whitney). Chance alone stays within it by far with this many samples; a hash that
  /// is left out makes it a half.
  private static let most = 0.08
  private static let rounds = 500

  /// How far from a half is the share of pairs in which the first takes longer than the second, interleaved.
  private static func effect(
    _ name: String, _ rounds: Int, _ one: (Int) async throws -> Void, _ other: (Int) async throws -> Void
  ) async throws -> Double {
    var times: [[Duration]] = [[], []]
    for round in 0..<rounds {
      // Which comes first changes, so that neither is the one that warms up.
      for which in round % 2 == 0 ? [0, 1] : [1, 0] {
        let start = ContinuousClock.now
        try await which == 0 ? one(round) : other(round)
        times[which].append(ContinuousClock.now - start)
      }
    }
    let sorted = times.map { $0.sorted() }
    let wins = sorted[0].map { time in Double(sorted[1].partitioningIndex { $0 >= time }) }.reduce(0, +)
    let share = wins / Double(rounds * rounds)
    let medians = sorted.map { String(format: "%.3f ms", $0[rounds / 2] / .milliseconds(1)) }
    print(
      "EN-04 \(name): P(known takes longer than unknown) = \(share) of \(rounds) interleaved samples of each, medians \(medians)"
    )
    return abs(share - 0.5)
  }

  /// Refused log-ins, with Jane's name and with unknown ones.
  private static func logIns(_ name: String, in world: FlowWorld, rounds: Int) async throws -> Double {
    func logIn(_ name: String, _ round: Int) async throws {
      try await world.identity.unlock(userNamed: "jane")
      try await world.identity.unlock(userNamed: name)
      let client = FlowClient(
        browser: nil, user: nil, address: "2001:db8:\(String(round, radix: 16))::1", requestID: "test")
      let outcome = try await world.submit(
        .login, try world.begin(.login), .login, ["identifier": name, "password": "a wrong password"], client)
      #expect(outcome.problem == .credentialsWrong)
    }
    return try await effect(
      name, rounds, { try await logIn(FlowWorld.address, $0) }, { try await logIn("u\($0)@example.com", $0) })
  }

  @Test("EN-04: interleaved, the clock can't tell addresses apart in log-in")
  func sameTimeInLogin() async throws {
    let world = try FlowWorld(parameters: .standard)
    try await world.addJane()
    #expect(try await Self.logIns("log-in", in: world, rounds: Self.rounds) < Self.most)
  }

  @Test("EN-04: interleaved, the clock can't tell addresses apart in sign-up and recovery")
  func sameTimeInSignUp() async throws {
    let world = try FlowWorld(parameters: .standard)
    try await world.addJane()
    // An hour later each time, so that mail is not limited.
    func signUp(_ address: String) async throws {
      world.clock.advance(by: .seconds(3600))
      _ = try await world.submit(
        .signup, try world.begin(.signup), .signup,
        ["email": address, "display_name": "N", "password": FlowWorld.newPassword])
    }
    func recover(_ address: String) async throws {
      world.clock.advance(by: .seconds(3600))
      _ = try await world.askForCode(address)
    }
    let signUps = try await Self.effect(
      "sign-up", Self.rounds, { _ in try await signUp(FlowWorld.address) },
      { _ in try await signUp("free@example.com") })
    #expect(signUps < Self.most)
    let recoveries = try await Self.effect(
      "recovery", Self.rounds, { _ in try await recover(FlowWorld.address) },
      { _ in try await recover("free@example.com") })
    #expect(recoveries < Self.most)
  }

  @Test("EN-02: the clock can't tell either, at full cost")
  func sameTime() async throws {
    let server = try await EnumerationTests.server(
      current: .standard, old: HashParameters(memoryKiB: 19_456, iterations: 2))
    let names = ["unknown", "current", "old", "disabled", "without"]
    var times: [String: [Duration]] = [:]
    for _ in 0..<60 {
      for name in names {
        try await server.identity.unlock(userNamed: name)
        let start = ContinuousClock.now
        _ = await server.verify(name, "a wrong password")
        times[name, default: []].append(ContinuousClock.now - start)
      }
    }
    let unknown = try #require(times["unknown"])
    for name in names.dropFirst() {
      let other = try #require(times[name])
      // Mann–Whitney: how often one is longer than the other. Half of the time is no difference.
      let longer = unknown.flatMap { one in other.map { one > $0 ? 1 : 0 } }.reduce(0, +)
      let effect = Double(longer) / Double(unknown.count * other.count)
      let median = (unknown.sorted()[30], other.sorted()[30])
      print("EN-02 \(name): P(unknown > \(name)) = \(effect), medians \(median)")
      #expect((0.3...0.7).contains(effect), "\(name)")
    }
  }

  /// Nothing is hashed for nothing.
  private struct NoWork: WorkFilling {
    func fill(
      _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
    ) throws(ServerError) {}
  }

  @Test("EN-04: the same measurement tells known from unknown once the hash for an unknown name is left out")
  func measurementTells() async throws {
    let world = try FlowWorld(
      parameters: .insecureForDevelopmentOnly(memoryKiB: 8192, iterations: 1), equalWork: NoWork())
    try await world.addJane()
    #expect(try await Self.logIns("log-in without equal work", in: world, rounds: 120) > 0.2)
  }
}

extension Array {
  /// The index of the first element that fits, where all after it do.
  fileprivate func partitioningIndex(where fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
