import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flows: nobody learns who exists", .timeLimit(.minutes(20)))
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
    // The client's own count is there from its first request on.
    _ = try await world.askForCode("first@example.com")
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

  // MARK: By counting

  /// Users of every kind, and what counts the server's work for them.
  private static func crowd(equalWork: (any WorkFilling)? = nil) async throws -> (world: FlowWorld, meter: WorkMeter) {
    let world = try FlowWorld(equalWork: equalWork)
    try await world.addJane()
    try await world.identity.addUser(name: "gone", email: "gone@example.com", password: Secret(FlowWorld.password))
    try await world.identity.disableUser(named: "gone")
    try await world.identity.addUser(name: "mute@example.com", password: Secret(FlowWorld.password))
    try await world.identity.addUser(name: "open", email: "open@example.com")
    return (world, try await WorkMeter(world.base))
  }

  private static let names = [
    "nobody", "nobody@example.com", "jane", FlowWorld.address, "gone", "gone@example.com", "mute@example.com", "open",
    "open@example.com",
  ]
  private static let addresses = names.filter { $0.contains("@") }

  /// Expects every name to cost what the first one costs, in each of the steps that `steps` takes.
  private static func expectEqualWork(
    _ names: [String], _ steps: (String) async throws -> [Work], location: SourceLocation = #_sourceLocation
  ) async throws {
    let unknown = try await steps(names[0])
    for name in names.dropFirst() {
      for (number, pair) in zip(unknown, try await steps(name)).enumerated() {
        #expect(pair.0 == pair.1, "step \(number) of \(names[0]) and of \(name)", sourceLocation: location)
      }
    }
  }

  /// Wrong passwords until the name has to wait, and once more.
  private static func logIns(_ name: String, _ world: FlowWorld, _ meter: WorkMeter) async throws -> [Work] {
    var steps: [Work] = []
    // Wrong passwords are limited by address, too: an hour gives it all of them back.
    world.clock.advance(by: .seconds(3600))
    for user in ["jane", "gone", "open"] { try await world.identity.unlock(userNamed: user) }
    // What has worn off meanwhile is removed with the first attempt, from any client.
    _ = await world.identity.verify(
      username: "first of all", password: "wrong", address: ClientAddress("192.0.2.1"), pathway: "test")
    for attempt in 0..<7 {
      let flow = try world.begin(.login)
      steps.append(
        try await meter.measure(settle: world.dispatcher.settle) {
          let outcome = try await world.submit(
            .login, flow, .login, ["identifier": name, "password": "a wrong password"])
          #expect(outcome.problem == (attempt < 5 ? .credentialsWrong : .wait))
        })
    }
    return steps
  }

  /// A code that is asked for, guessed until no guess is looked at any more, and asked for again.
  private static func codes(
    _ kind: FlowKind, _ world: FlowWorld, _ meter: WorkMeter, ask: (String) async throws -> FlowOutcome
  ) async throws -> [Work] {
    // What has worn off meanwhile is removed with the first attempt, from any client.
    _ = await world.identity.verify(
      username: "first of all", password: "wrong", address: ClientAddress("192.0.2.1"), pathway: "test")
    let flow = try world.begin(kind)
    var steps = [try await meter.measure(settle: world.dispatcher.settle) { _ = try await ask(flow) }]
    for guess in 0..<7 {
      steps.append(
        try await meter.measure(settle: world.dispatcher.settle) {
          _ = try await world.submit(kind, flow, .checkCode, ["code": "1234567\(guess)"])
        })
    }
    world.clock.advance(by: .seconds(120))
    steps.append(
      try await meter.measure(settle: world.dispatcher.settle) {
        _ = try await world.submit(kind, flow, .resend)
      })
    return steps
  }

  @Test(
    "Bug-C21, EN-04: a wrong password is the same hashes, statements and rows for every name and address",
    TestDatabase.forSQLite)
  func sameWorkInLogin() async throws {
    let (world, meter) = try await Self.crowd()
    try await Self.expectEqualWork(Self.names) { name in
      let steps = try await Self.logIns(name, world, meter)
      #expect(steps.map(\.hashes) == Array(repeating: IdentityWorld.cheap.work, count: 5) + [0, 0], "\(name)")
      return steps
    }
  }

  @Test(
    "Bug-C21, EN-03, EN-04: signing up is the same hashes, statements, rows and mails for every address",
    TestDatabase.forSQLite)
  func sameWorkInSignUp() async throws {
    let (world, meter) = try await Self.crowd()
    try await Self.expectEqualWork(Self.addresses) { address in
      let steps = try await Self.codes(.signup, world, meter) { flow in
        try await world.submit(
          .signup, flow, .signup, ["email": address, "display_name": "N", "password": FlowWorld.newPassword])
      }
      #expect(steps.first?.hashes == IdentityWorld.cheap.work && steps.first?.mails == 1, "\(address)")
      return steps
    }
  }

  @Test(
    "Bug-C21, EN-04: a lost password is the same statements, rows and mails for every address",
    TestDatabase.forSQLite)
  func sameWorkInRecovery() async throws {
    let (world, meter) = try await Self.crowd()
    try await Self.expectEqualWork(Self.addresses) { address in
      let steps = try await Self.codes(.recover, world, meter) { flow in
        try await world.submit(.recover, flow, .sendCode, ["email": address])
      }
      #expect(steps.first?.hashes == 0 && steps.first?.mails == 1, "\(address)")
      return steps
    }
  }

  /// Nothing is hashed for nothing.
  private struct NoWork: WorkFilling {
    func fill(
      _ work: Int, own: HashParameters?, spent: Duration, hash: (HashParameters) throws(ServerError) -> Void
    ) throws(ServerError) {}
  }

  @Test(
    "Bug-C21, EN-04: the same count tells known from unknown once the hash for an unknown name is left out",
    TestDatabase.forSQLite)
  func countTells() async throws {
    let (world, meter) = try await Self.crowd(equalWork: NoWork())
    let known = try await Self.logIns(FlowWorld.address, world, meter)
    let unknown = try await Self.logIns("nobody@example.com", world, meter)
    #expect(known[0].hashes == IdentityWorld.cheap.work && unknown[0].hashes == 0)
    #expect(known[0].statements == unknown[0].statements)
  }
}
