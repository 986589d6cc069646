import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flows: nobody learns who exists", .timeLimit(.minutes(slowTests ? 240 : 20)))
struct FlowEnumerationTests {
  /// The document with everything masked that is another one in every flow.
  private static func masked(_ outcome: FlowOutcome) throws -> String {
    let text = String(decoding: try DoorResponse.json(outcome.document.json()).body, as: UTF8.self)
    return "\(outcome.status.code) " + text.replacing(outcome.document.id, with: "ID")
  }

  private static func signUp(_ world: FlowWorld, _ email: String) async throws -> FlowOutcome {
    try await world.submit(
      .signup, try world.begin(.signup), .signup,
      ["email": email, "display_name": "N", "password": FlowWorld.newPassword])
  }

  @Test("EN-03: signing up with a taken address shows the same, and its owner gets a mail instead of a code")
  func takenSignUp() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let taken = try await Self.signUp(world, "JANE@example.com")
    let free = try await Self.signUp(world, "free@example.com")
    #expect(try Self.masked(taken) == Self.masked(free))
    let mail = try #require(await world.mails().last)
    #expect(mail.subject == "You have an account at Acme" && mail.code == nil)
    #expect(await world.code(for: "free@example.com") != nil)
    // Guessing a code is answered alike, too, to the end.
    for _ in 0..<6 {
      let one = try await world.submit(.signup, taken.document.id, .checkCode, ["code": "12345678"])
      let other = try await world.submit(.signup, free.document.id, .checkCode, ["code": "12345678"])
      #expect(try Self.masked(one) == Self.masked(other))
    }
    #expect(try await world.identity.users().count == 1)
  }

  @Test("EN-04: a lost password is answered alike for every address, and the mail goes out apart from the answer")
  func recovery() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    try await world.identity.addUser(name: "gone", email: "gone@example.com", password: Secret(FlowWorld.password))
    try await world.identity.disableUser(named: "gone")
    try await world.identity.addUser(name: "mute@example.com", password: Secret(FlowWorld.password))
    var answers: Set<String> = []
    var rows: Set<[String: Int]> = []
    for address in [FlowWorld.address, "nobody@example.com", "gone@example.com", "mute@example.com"] {
      let before = try await world.rows()
      let flow = try world.begin(.recover)
      let outcome = try await world.submit(.recover, flow, .sendCode, ["email": address])
      await world.dispatcher.settle()
      let after = try await world.rows()
      answers.insert(try Self.masked(outcome))
      rows.insert(after.merging(before) { $0 - $1 })
      for step in 0..<6 {
        let guess = try await world.submit(.recover, flow, .checkCode, ["code": "1234567\(step)"])
        answers.insert("\(step) " + (try Self.masked(guess)))
      }
    }
    #expect(answers.count == 7)
    #expect(rows.count == 1)
    #expect(world.mailbox.messages.count == 1)
  }

  @Test("EN-07: names, addresses and lengths of what is sent back don't depend on who exists")
  func lengths() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    for (one, other) in [(FlowWorld.address, "june@example.com"), ("jane", "june")] {
      let known = try await world.submit(
        .login, try world.begin(.login), .login, ["identifier": one, "password": "wrong"])
      let unknown = try await world.submit(
        .login, try world.begin(.login), .login, ["identifier": other, "password": "wrong"])
      let texts = try [known, unknown].map { try Self.masked($0).utf8.count }
      #expect(texts[0] == texts[1])
      #expect(known.document.id.utf8.count == unknown.document.id.utf8.count)
      #expect(known.summary == unknown.summary)
    }
  }

  @Test("EN-03, EN-04: an address that exists and one that doesn't cost the same hashes")
  func sameWork() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    func work(_ body: () async throws -> Void) async throws -> Int {
      _ = world.base.takeHashes()
      try await body()
      return world.base.takeHashes().map(\.work).reduce(0, +)
    }
    for address in [FlowWorld.address, "nobody@example.com"] {
      #expect(
        try await work { _ = try await Self.signUp(world, address) } == IdentityWorld.cheap.work, "sign-up \(address)")
      #expect(
        try await work {
          let flow = try world.begin(.login)
          _ = try await world.submit(.login, flow, .login, ["identifier": address, "password": "a wrong password"])
        } == IdentityWorld.cheap.work, "log-in \(address)")
      #expect(try await work { _ = try await world.askForCode(address) } == 0, "recovery \(address)")
    }
  }

  // MARK: By the clock

  /// The most that what is known may be told from what is not: how far from a half the share of pairs is in which the one
  /// that is known takes longer (Mann–Whitney). Chance alone stays within it in all but one of a thousand runs with 120
  /// samples of each, and by far with 2,000; a hash that is left out makes it a half.
  private static let most = slowTests ? 0.08 : 0.2

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

  private static let rounds = slowTests ? 2000 : 120
  private static let parameters =
    slowTests ? HashParameters.standard : .insecureForDevelopmentOnly(memoryKiB: 2048, iterations: 1)

  /// Refused log-ins, with Jane's name and with nobody's.
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
    let world = try FlowWorld(parameters: Self.parameters)
    try await world.addJane()
    #expect(try await Self.logIns("log-in", in: world, rounds: Self.rounds) < Self.most)
  }

  @Test("EN-04: interleaved, the clock can't tell addresses apart in sign-up and recovery")
  func sameTimeInSignUp() async throws {
    let world = try FlowWorld(parameters: Self.parameters)
    try await world.addJane()
    // An hour later each time, so that mail is not limited.
    func signUp(_ address: String) async throws {
      world.clock.advance(by: .seconds(3600))
      _ = try await Self.signUp(world, address)
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

  /// Nothing is hashed for nothing.
  private struct NoWork: WorkFilling {
    func fill(
      _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
    ) throws(ServerError) {}
  }

  @Test("EN-04: the same measurement tells known from unknown once the hash for nobody is left out")
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
