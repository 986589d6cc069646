import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// What counts of a guess whose server is gone, or seems to be.
@Suite("Guesses of servers that are gone", .timeLimit(.minutes(5)))
struct LostGuessTests {
  private static func guess(_ subject: String, from address: String = "192.0.2.1") -> Guess<PasswordGuess> {
    Guess(subject: Data(subject.utf8), source: GuessSource(address: ClientAddress(address)))
  }

  /// A guess, in a word. It is verified when `verify` returns.
  static func look(
    _ service: GuessService, _ subject: String, from address: String = "192.0.2.1", isRight: Bool = false,
    _ verify: @escaping @Sendable () async throws(ServerError) -> Void = { () async throws(ServerError) in }
  ) async throws -> String {
    let outcome: GuessOutcome<Bool> = try await service.look(
      at: guess(subject, from: address), account: { _ -> (found: Bool, account: String?) in (true, nil) },
      verify: { permit, isFound async throws(ServerError) in
        try await verify()
        if isRight { return .right({ _ in isFound }) }
        return .wrong({ _ in true })
      })
    return switch outcome {
    case .right: "right"
    case .wrong: "wrong"
    case .wait(let wait): "wait \(wait.components.seconds)"
    }
  }

  /// Counts guesses as a server does that is killed while it verifies them.
  static func abandon(_ subjects: [String], at storage: ServerStorage, _ clock: TestClock) async throws {
    let (table, now) = (GuessTable(storage.key), clock.now)
    for subject in subjects {
      try await storage.write { db in
        _ = try table.reserveForLater(
          Self.guess(subject), device: nil, GuessBudget(rules: PasswordGuess.rules(.standard)), table.onlyKey, now: now,
          in: db)
      }
    }
  }

  private static func marks(_ storage: ServerStorage) async throws -> Int? {
    try await storage.read { db in try db.test.first(Int.self, "SELECT count(*) FROM guesses WHERE length(part) > 16") }
  }

  /// Guesses that are under way until they are let go on.
  private struct Slow {
    let isOpen = Locked(false)
    let outcomes: Task<[String], any Error>

    init(
      _ service: GuessService, _ subject: String, count: Int = 5, isFirstRight: Bool = false,
      failing error: ServerError? = nil
    ) async {
      let (isOpen, begun) = (self.isOpen, Locked(0))
      outcomes = Task {
        try await withThrowingTaskGroup(of: String.self) { group in
          for number in 0..<count {
            group.addTask {
              do {
                return try await LostGuessTests.look(service, subject, isRight: isFirstRight && number == 0) {
                  () async throws(ServerError) in
                  begun.withLock { $0 += 1 }
                  try? await waitUntil { isOpen.withLock { $0 } }
                  if let error { throw error }
                }
              } catch let error as ServerError {
                return error.code.rawValue
              }
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      try? await waitUntil { begun.withLock { $0 } >= count }
    }

    func goOn() async throws -> [String] {
      isOpen.withLock { $0 = true }
      return try await outcomes.value
    }
  }

  @Test("LO-04: guesses of a server that is gone count until they can't be verified any more, and no longer")
  func gone() async throws {
    try await ThreeNodes.run { nodes async throws in
      let clock = TestClock()
      let services = nodes.storages.map { GuessService($0, clock: clock) }
      try await Self.abandon(Array(repeating: "ada", count: 5), at: nodes.storages[0], clock)
      #expect(try await Self.look(services[1], "ada", isRight: true) == "wait 30")
      clock.advance(by: .seconds(9))
      #expect(try await Self.look(services[1], "ada", isRight: true) == "wait 21")
      #expect(try await services[1].wait(Self.guess("ada"), account: { _ in nil }) == .seconds(21))
      clock.advance(by: .seconds(1))
      #expect(try await services[1].wait(Self.guess("ada"), account: { _ in nil }) == nil)
      // As many as if it had never been.
      for _ in 0..<5 { #expect(try await Self.look(services[2], "ada") == "wrong") }
      #expect(try await Self.look(services[1], "ada", isRight: true) == "wait 30")
      #expect(try await Self.marks(nodes.storages[1]) == 0)

      // Those at many names, for the others of their network: 20 in all.
      try await Self.abandon((0..<15).map { "user \($0)" }, at: nodes.storages[0], clock)
      #expect(try await Self.look(services[1], "bob", isRight: true).hasPrefix("wait"))
      clock.advance(by: .seconds(10))
      #expect(try await Self.look(services[1], "bob", isRight: true) == "right")
      for number in 0..<15 { #expect(try await Self.look(services[2], "other \(number)") == "wrong") }
      #expect(try await Self.look(services[1], "bob", isRight: true).hasPrefix("wait"))
      #expect(try await Self.marks(nodes.storages[1]) == 0)
    }
  }

  @Test("LO-04: a server that was only slow tells no outcome beyond the budget, not even that of a right guess")
  func late() async throws {
    try await ThreeNodes.run { nodes async throws in
      let clock = TestClock()
      let services = nodes.storages.map { GuessService($0, clock: clock) }
      let slow = await Slow(services[0], "ada", isFirstRight: true)
      clock.advance(by: .seconds(10))
      // Others take their places.
      for _ in 0..<5 { #expect(try await Self.look(services[1], "ada") == "wrong") }
      #expect(try await slow.goOn() == Array(repeating: "wait 30", count: 5))
      #expect(try await Self.look(services[2], "ada", isRight: true) == "wait 30")

      // Where there is room they have their outcome, and count.
      let others = await Slow(services[0], "bob")
      clock.advance(by: .seconds(10))
      #expect(try await Self.look(services[1], "bob") == "wrong")
      #expect(try await others.goOn().sorted() == ["wait 30", "wrong", "wrong", "wrong", "wrong"])
      #expect(try await Self.look(services[2], "bob", isRight: true) == "wait 30")
      #expect(try await Self.marks(nodes.storages[1]) == 0)
    }
  }

  @Test("LO-04: a guess that could not be verified is taken back once, by its own server or by others")
  func failed() async throws {
    try await ThreeNodes.run { nodes async throws in
      let clock = TestClock()
      let services = nodes.storages.map { GuessService($0, clock: clock) }
      let error = ServerError(.storageFailed, "It failed.")
      let own = await Slow(services[0], "ada", failing: error)
      #expect(try await own.goOn() == Array(repeating: "storage_failed", count: 5))
      for _ in 0..<5 { #expect(try await Self.look(services[1], "ada") == "wrong") }

      let slow = await Slow(services[0], "bob", failing: error)
      clock.advance(by: .seconds(10))
      for _ in 0..<5 { #expect(try await Self.look(services[1], "bob") == "wrong") }
      #expect(try await slow.goOn() == Array(repeating: "storage_failed", count: 5))
      #expect(try await Self.look(services[2], "bob", isRight: true) == "wait 30")
      #expect(try await Self.marks(nodes.storages[1]) == 0)
    }
  }
}
